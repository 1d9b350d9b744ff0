/**
 * A server for the clients of SpamAssassin's spamd (spamc, Exim, spamass-milter, Haraka). A connection is one
 * request, bounded in bytes and time.
 *
 * The protocol does not authenticate clients. So only this machine may ask, and the networks that the
 * operator names: the main thread lets nobody else in.
 */
import type { Socket } from 'node:net'
import { TIMES } from '../../times.ts'
import type { Filter, FilterParts } from '../filter.ts'
import { type AnswerSettings, answerTo, type SpamdAnswer } from './answer.ts'
import { type BufferLimits, inflated, MessageBuffer } from './message-buffer.ts'
import { HeadReader, type RequestHead } from './request.ts'
import { Refusal, refusalResponse } from './response.ts'

/** Longest time for a client to read its answer: 50 MiB at 7 Mbit/s. */
const ANSWERING_MS_MAX = 60_000

/** How long to read what a client still sends after its answer: a connection closed with unread bytes loses what was sent on it. */
const LINGER_MS = 2_000

export class Spamd implements Filter {
  readonly #settings: AnswerSettings
  readonly #parts: FilterParts
  readonly #limits: BufferLimits
  readonly #receiveMs: number

  constructor(settings: AnswerSettings, parts: FilterParts, receiveMs = TIMES.receiveMs) {
    const { receiver } = parts.services.classifier
    this.#settings = settings
    this.#parts = parts
    this.#limits = { budget: receiver.memory, bytesMax: receiver.messageBytesMax }
    this.#receiveMs = receiveMs
  }

  /** Each connection is a request, which may end. */
  end(): void {}

  async serve(socket: Socket): Promise<void> {
    const started = performance.now()
    const request = new Request(this.#limits)
    const msOf = () => Math.round(performance.now() - started)
    try {
      await within(this.#receiveMs, request.read(socket))
      if (request.head === undefined) {
        socket.destroy()
        return
      }
      const { command } = request.head
      const message = await request.message()
      // Anything that still comes is not part of the request.
      socket.resume()
      const { response, fields }: SpamdAnswer = await answerTo(
        this.#settings,
        this.#parts,
        request.head,
        message,
        socket,
      )
      this.#parts.log.info({ command, ...fields, ms: msOf() }, 'request')
      this.#end(socket, response)
      await sent(socket)
    } catch (error) {
      if (socket.destroyed) return
      const { command } = request.head ?? {}
      this.#end(socket, [refusalResponse(this.#refused({ command, ms: msOf() }, error))])
    } finally {
      request.release()
    }
  }

  /** Logs why there is no verdict. */
  #refused(fields: object, error: unknown): Refusal {
    const refusal =
      error instanceof Refusal
        ? error
        : new Refusal('EX_SOFTWARE', 'A bug in Tamis: the log has the cause', { cause: error })
    const line = { ...fields, response: refusal.response, reason: refusal.message }
    if (refusal.response === 'EX_SOFTWARE') {
      this.#parts.log.error({ ...line, err: String((error as Error).stack ?? error) }, 'request')
    } else this.#parts.log.warn(line, 'request')
    return refusal
  }

  #end(socket: Socket, response: readonly Uint8Array[]): void {
    const cut = () => socket.destroy()
    const late = setTimeout(cut, ANSWERING_MS_MAX)
    socket.once('finish', () => setTimeout(cut, LINGER_MS).unref())
    socket.once('close', () => clearTimeout(late))
    for (const part of response) socket.write(part)
    socket.end()
    socket.resume()
  }
}

/** A request that is read from its connection. */
class Request {
  readonly #limits: BufferLimits
  readonly #sent: MessageBuffer
  #unpacked: MessageBuffer | undefined
  /** Undefined until it has been read, and for a connection without a request. */
  head: RequestHead | undefined

  constructor(limits: BufferLimits) {
    this.#limits = limits
    this.#sent = new MessageBuffer(limits)
  }

  /** Reads the request from `socket`. @throws Refusal */
  async read(socket: Socket): Promise<void> {
    const reader = new HeadReader()
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      const rest = this.head === undefined ? this.#readHead(reader, chunk) : chunk
      if (rest === undefined) continue
      this.#sent.add(rest)
      if (this.#isComplete()) return
    }
    if (this.head === undefined && reader.begun) throw cutShort()
    if (this.head?.length !== undefined && this.#sent.length < this.head.length) throw cutShort()
  }

  /** The message, unpacked. @throws Refusal */
  async message(): Promise<Uint8Array<ArrayBuffer>> {
    if (!this.head?.packed) return this.#sent.bytes
    this.#unpacked = await inflated(this.#sent.bytes, this.#limits)
    this.#sent.release()
    return this.#unpacked.bytes
  }

  release(): void {
    this.#sent.release()
    this.#unpacked?.release()
  }

  #readHead(reader: HeadReader, chunk: Uint8Array): Uint8Array | undefined {
    const read = reader.add(chunk)
    if (read === undefined) return undefined
    const { head, rest } = read
    if ((head.length ?? 0) > this.#limits.bytesMax) {
      throw new Refusal('EX_TOOBIG', `The message is larger than ${this.#limits.bytesMax} bytes`)
    }
    this.head = head
    return rest
  }

  #isComplete(): boolean {
    const { command, length } = this.head!
    if (command === 'PING' || command === 'SKIP') return true
    if (length === undefined || this.#sent.length < length) return false
    if (this.#sent.length === length) return true
    throw new Refusal('EX_PROTOCOL', 'Bad request: it is longer than its Content-length')
  }
}

function cutShort(): Refusal {
  return new Refusal('EX_PROTOCOL', 'Bad request: it is incomplete')
}

/** Resolves once the answer has been sent, or cannot be. */
function sent(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed || socket.writableFinished) resolve()
    else socket.once('finish', resolve).once('close', () => resolve())
  })
}

/** @throws Refusal EX_TIMEOUT */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Refusal('EX_TIMEOUT', 'The request did not arrive in time'))
    }, ms)
  })
  // Work that is late may fail as well, which concerns nobody.
  work.catch(() => {})
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
