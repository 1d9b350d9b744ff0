/**
 * A server for the clients of SpamAssassin's spamd (spamc, Exim, spamass-milter, Haraka). A connection is one
 * request, bounded in bytes and time. The protocol does not authenticate clients.
 */
import type { Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { createInflate } from 'node:zlib'
import { TamisError } from '../../../errors/errors.ts'
import type { ReceivedBody } from '../../admission/receive.ts'
import { TIMES } from '../../times.ts'
import type { Filter, FilterParts } from '../filter.ts'
import { type AnswerSettings, answerTo } from './answer.ts'
import { HeadReader, type ReadHead, type RequestHead } from './request.ts'
import { Refusal, refusalResponse } from './response.ts'

/** Longest time for a client to read its answer: 50 MiB at 7 Mbit/s. */
const ANSWERING_MS_MAX = 60_000

/** How long to read what a client still sends after its answer: a connection closed with unread bytes loses what was sent on it. */
const LINGER_MS = 2_000

/** Whoever may write to the file of a Unix socket may correct: nothing else says who asks. */
function isUnix(socket: Socket): boolean {
  return socket.remoteAddress === undefined
}

export class Spamd implements Filter {
  readonly #userOf: AnswerSettings['userOf']
  readonly #parts: FilterParts
  readonly #receiveMs: number
  readonly #mayTell: (socket: Socket) => boolean

  constructor(
    userOf: AnswerSettings['userOf'],
    parts: FilterParts,
    { receiveMs = TIMES.receiveMs, mayTell = isUnix } = {},
  ) {
    this.#userOf = userOf
    this.#parts = parts
    this.#receiveMs = receiveMs
    this.#mayTell = mayTell
  }

  /** Each connection is a request, which may end. */
  end(): void {}

  async serve(socket: Socket): Promise<void> {
    const started = performance.now()
    let head: RequestHead | undefined
    const asked = () => ({ command: head?.command, ms: Math.round(performance.now() - started) })
    let isLate = false
    // What still arrives then ends with the connection.
    const timer = setTimeout(() => {
      isLate = true
      const late = new Refusal('EX_TIMEOUT', 'The request did not arrive in time')
      this.#refuse(socket, asked(), late)
    }, this.#receiveMs)
    try {
      const read = await readHead(socket)
      if (read === undefined) {
        socket.destroy()
        return
      }
      head = read.head
      await using message = await this.#receive(read, socket)
      if (isLate) return
      clearTimeout(timer)
      // Anything that still comes is not part of the request.
      socket.resume()
      const settings = { userOf: this.#userOf, allowTell: this.#mayTell(socket) }
      const answer = await answerTo(settings, this.#parts, head, message, socket)
      this.#parts.log.info({ ...answer.fields, ...asked() }, 'request')
      end(socket, answer.response)
      await sent(socket)
    } catch (error) {
      if (!isLate && !socket.destroyed) this.#refuse(socket, asked(), error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Receives the message as it does the body of an HTTP request. @throws Refusal */
  async #receive({ head, rest }: ReadHead, socket: Socket): Promise<ReceivedBody> {
    const bytes = Readable.from(messageOf(head, rest, socket))
    // A few packed kilobytes may hold gigabytes: the limits apply to what is unpacked.
    const stream = head.packed ? pipeline(bytes, createInflate(), () => {}) : bytes
    try {
      const { receiver } = this.#parts.services.classifier
      return await receiver.receive({ stream, declaredLength: head.length })
    } catch (error) {
      stream.destroy()
      throw refusalFor(error, head)
    }
  }

  /** Says why there is no verdict, to the client and in the log. */
  #refuse(socket: Socket, asked: object, error: unknown): void {
    const refusal =
      error instanceof Refusal
        ? error
        : new Refusal('EX_SOFTWARE', 'A bug in Tamis: the log has the cause', { cause: error })
    const line = { ...asked, response: refusal.response, reason: refusal.message }
    if (refusal.response === 'EX_SOFTWARE') {
      this.#parts.log.error({ ...line, err: String((error as Error).stack ?? error) }, 'request')
    } else this.#parts.log.warn(line, 'request')
    end(socket, [refusalResponse(refusal)])
  }
}

/** The head, with what has arrived of the message; undefined for a connection without a request. @throws Refusal */
async function readHead(socket: Socket): Promise<ReadHead | undefined> {
  const reader = new HeadReader()
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    const read = reader.add(chunk)
    if (read !== undefined) return read
  }
  if (reader.begun) throw cutShort()
  return undefined
}

/** The message as it is sent, from `rest` on. @throws Refusal */
async function* messageOf(
  { command, length }: RequestHead,
  rest: Uint8Array,
  socket: Socket,
): AsyncGenerator<Uint8Array> {
  if (command === 'PING' || command === 'SKIP') return
  let left = length ?? Number.POSITIVE_INFINITY
  const counted = (chunk: Uint8Array) => {
    left -= chunk.length
    if (left >= 0) return chunk
    throw new Refusal('EX_PROTOCOL', 'Bad request: it is longer than its Content-length')
  }
  yield counted(rest)
  if (left === 0) return
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    yield counted(chunk)
    if (left === 0) return
  }
  if (length !== undefined) throw cutShort()
}

/** Why a message was not received: an error of its stream is the cause of what the receiver throws. */
function refusalFor(error: unknown, { packed }: RequestHead): unknown {
  if (!(error instanceof TamisError)) return error
  const { code, cause, message } = error
  if (cause instanceof Refusal) return cause
  if (code === 'MESSAGE_TOO_LARGE') return new Refusal('EX_TOOBIG', message)
  if (code === 'BUFFERS_FULL') return new Refusal('EX_TEMPFAIL', message, { cause })
  const damaged = 'The message is not compressed with zlib, or is damaged'
  return packed ? new Refusal('EX_DATAERR', damaged, { cause }) : error
}

function cutShort(): Refusal {
  return new Refusal('EX_PROTOCOL', 'Bad request: it is incomplete')
}

function end(socket: Socket, response: readonly Uint8Array[]): void {
  const cut = () => socket.destroy()
  const late = setTimeout(cut, ANSWERING_MS_MAX)
  socket.once('finish', () => setTimeout(cut, LINGER_MS).unref())
  socket.once('close', () => clearTimeout(late))
  for (const part of response) socket.write(part)
  socket.end()
  socket.resume()
}

/** Resolves once the answer has been sent, or cannot be. */
function sent(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed || socket.writableFinished) resolve()
    else socket.once('finish', resolve).once('close', () => resolve())
  })
}
