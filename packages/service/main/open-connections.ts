/**
 * The connections that the main thread has given to a serving thread, in memory that both share. When the thread ends on its own
 * or is ended because it hangs, the main thread answers the requests on them with 503, and does not cut them off.
 *
 * Of each connection there are two descriptors (dup(2)): the thread reads and writes on one, the other stays for that answer.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ERRORS } from '../../errors/errors.ts'
import type { FilterName } from '../integrations/filter.ts'
import type { Filters } from '../integrations/filters.ts'
import { close, duplicate, endSending, hasUnread, write } from './libc.ts'

/** Connections of a thread at a time; further ones are closed at once. A mail server has a few dozen. */
const CONNECTIONS_MAX = 4_096

/** How long bytes may still arrive on a connection after its answer, in milliseconds. */
const LINGER_MS = 1_000

/** How often a thread that drains looks whether it has connections, in milliseconds. */
const DRAIN_LOOK_MS = 20

/** Where the number of connections stands; entries follow. */
const COUNT = 0

/** An entry: the descriptor for the thread, plus one, until it has taken it; the other, plus one; how many requests wait; whether it speaks HTTP. */
const UNTAKEN = 0
const OTHER = 1
const WAITING = 2
const IS_HTTP = 3
const ENTRY_LENGTH = 4

/** The main thread's side. */
export class OpenConnections {
  readonly #entries = new Int32Array(
    new SharedArrayBuffer((1 + CONNECTIONS_MAX * ENTRY_LENGTH) * Int32Array.BYTES_PER_ELEMENT),
  )
  /** The entry that was used last. */
  #last = 0

  get memory(): SharedArrayBuffer {
    return this.#entries.buffer as SharedArrayBuffer
  }

  get count(): number {
    return Atomics.load(this.#entries, COUNT)
  }

  /** Enters a connection; gives its descriptor for the thread and its entry, or undefined where there is no room. */
  enter(
    descriptor: number,
    isHttp = true,
  ): readonly [descriptor: number, entry: number] | undefined {
    const entry = this.#free()
    if (entry === undefined) return undefined
    const [forThread, other] = [duplicate(descriptor), duplicate(descriptor)]
    if (forThread < 0 || other < 0) {
      // The process has as many descriptors as it may have.
      close(forThread)
      close(other)
      return undefined
    }
    this.#entries[entry + UNTAKEN] = forThread + 1
    this.#entries[entry + WAITING] = 0
    this.#entries[entry + IS_HTTP] = isHttp ? 1 : 0
    Atomics.store(this.#entries, entry + OTHER, other + 1)
    Atomics.add(this.#entries, COUNT, 1)
    return [forThread, entry]
  }

  /**
   * Answers the requests on the connections, including those that the thread has not read, and closes them a moment later: one that
   * is closed while bytes arrive is reset, and its answer lost. The thread must have ended.
   */
  answer(): void {
    const entries = this.#entries
    const open: number[] = []
    const waiting: number[] = []
    for (let entry = 1; entry < entries.length; entry += ENTRY_LENGTH) {
      const of = entries.subarray(entry, entry + ENTRY_LENGTH)
      const [untaken = 0, other = 0, requests = 0, isHttp = 0] = of
      if (other === 0) continue
      if (untaken > 0) close(untaken - 1)
      open.push(other - 1)
      // A mail server whose filter leaves does as it is set to.
      if (isHttp === 1 && (requests > 0 || hasUnread(other - 1))) waiting.push(other - 1)
    }
    entries.fill(0)
    const answer = Buffer.from(refusal(waiting.length))
    // It fits into the socket's buffer; where it does not, the connection breaks.
    for (const descriptor of waiting) write(descriptor, answer, answer.length)
    for (const descriptor of open) endSending(descriptor)
    setTimeout(() => {
      for (const descriptor of open) close(descriptor)
    }, LINGER_MS)
  }

  #free(): number | undefined {
    for (let i = 0; i < CONNECTIONS_MAX; i++) {
      this.#last = (this.#last + 1) % CONNECTIONS_MAX
      const entry = 1 + this.#last * ENTRY_LENGTH
      if (Atomics.load(this.#entries, entry + OTHER) === 0) return entry
    }
    return undefined
  }
}

/** The thread's side. */
export interface GivenConnections {
  /** Gives a connection that the main thread has entered to the server, or to the filter that is named. */
  take(descriptor: number, entry: number, filter?: FilterName): void
  /**
   * Has connections closed after their next answers: a client that is about to send a request on one that is closed loses it.
   * Resolves when all are closed, or after `msMax`: by then the others are hardly used.
   */
  drain(msMax: number): Promise<void>
}

export function connectionsTo(
  server: Server,
  memory: SharedArrayBuffer,
  filters?: Pick<Filters, 'serve' | 'end'>,
): GivenConnections {
  const entries = new Int32Array(memory)
  let isDraining = false
  // Node checks time-outs, and closes idle connections at the end, only of a server that has said so.
  server.emit('listening')
  const entryOf = new WeakMap<Socket, number>()
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const entry = entryOf.get(socket)
    if (entry === undefined) return
    if (isDraining) response.shouldKeepAlive = false
    entries[entry + WAITING]!++
    response.once('close', () => {
      if (!socket.destroyed) entries[entry + WAITING]!--
    })
  })
  const take = (descriptor: number, entry: number, filter?: FilterName) => {
    // Before it is used, and below before it is closed: were the thread ended in between, the main thread would close a
    // descriptor that may be another's by then.
    entries[entry + UNTAKEN] = 0
    // Clients of HTTP and spamd end their side first, and wait.
    const allowHalfOpen = filter !== 'milter'
    const options = { fd: descriptor, readable: true, writable: true, allowHalfOpen }
    const socket = new Socket(options).setNoDelay(true)
    entryOf.set(socket, entry)
    socket.once('close', () => {
      const other = entries[entry + OTHER]! - 1
      Atomics.store(entries, entry + OTHER, 0)
      Atomics.sub(entries, COUNT, 1)
      close(other)
    })
    if (filter === undefined) server.emit('connection', socket)
    else filters?.serve(filter, socket)
  }
  const drain = async (msMax: number) => {
    isDraining = true
    filters?.end()
    const until = performance.now() + msMax
    while (Atomics.load(entries, COUNT) > 0 && performance.now() < until) await sleep(DRAIN_LOOK_MS)
  }
  return { take, drain }
}

/** The answer of an overloaded service. */
function refusal(queueDepth: number): string {
  const code = 'QUEUE_TIMEOUT'
  const body = JSON.stringify({
    error: 'The thread that had the request has ended; send it again',
    code,
    queueDepth,
  })
  return [
    `HTTP/1.1 ${ERRORS[code].status} Service Unavailable`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Retry-After: 1',
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
