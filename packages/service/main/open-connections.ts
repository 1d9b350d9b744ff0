/**
 * The connections of a serving thread, known to the main thread too: when the thread ends on its own or is ended because it
 * hangs, requests on them are answered by 503, and not cut off.
 *
 * The thread enters a second descriptor of each connection into shared memory, and whether a request waits on it. The main thread
 * reads that once the thread has ended.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ERRORS } from '../../errors/errors.ts'
import { close, duplicate, write } from './libc.ts'

/** Connections that are entered. Further ones, which a mail server does not make, break. */
const CONNECTIONS_MAX = 4_096

/** An entry: the second descriptor plus one, or 0 for none; and how many requests wait. */
const ENTRY_LENGTH = 2

export function connectionTable(): SharedArrayBuffer {
  return new SharedArrayBuffer(CONNECTIONS_MAX * ENTRY_LENGTH * Int32Array.BYTES_PER_ELEMENT)
}

/** Enters the connections of `server` into `table` from now on. */
export function enterConnections(server: Server, table: SharedArrayBuffer): void {
  const entries = new Int32Array(table)
  const free = Array.from({ length: CONNECTIONS_MAX }, (_, i) => i * ENTRY_LENGTH)
  const entryOf = new WeakMap<Socket, number>()
  server.prependListener('connection', (socket: Socket) => {
    const descriptor = descriptorOf(socket)
    const entry = descriptor === undefined ? undefined : free.pop()
    if (entry === undefined) return
    entryOf.set(socket, entry)
    entries[entry] = duplicate(descriptor!) + 1
    socket.once('close', () => {
      const second = entries[entry]! - 1
      // First: were the thread ended in between, the main thread would close a descriptor that may be another's by then.
      entries.fill(0, entry, entry + ENTRY_LENGTH)
      close(second)
      free.push(entry)
    })
  })
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const entry = entryOf.get(socket)
    if (entry === undefined) return
    entries[entry + 1]!++
    response.once('close', () => {
      if (!socket.destroyed) entries[entry + 1]!--
    })
  })
}

/** Answers the requests that wait on the connections of a thread that has ended, and closes these. */
export function answerForThread(table: SharedArrayBuffer): void {
  const entries = new Int32Array(table)
  let waiting = 0
  for (let entry = 0; entry < entries.length; entry += ENTRY_LENGTH) {
    if (entries[entry] !== 0) waiting += entries[entry + 1]!
  }
  const answer = Buffer.from(refusal(waiting))
  for (let entry = 0; entry < entries.length; entry += ENTRY_LENGTH) {
    if (entries[entry] === 0) continue
    const descriptor = entries[entry]! - 1
    // It fits into the socket's buffer; where it does not, the connection breaks.
    if (entries[entry + 1]! > 0) write(descriptor, answer, answer.length)
    close(descriptor)
  }
  entries.fill(0)
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

/** Node does not say it otherwise. */
function descriptorOf(socket: Socket): number | undefined {
  const { _handle: handle } = socket as Socket & { readonly _handle?: { readonly fd: number } }
  return handle !== undefined && handle.fd >= 0 ? handle.fd : undefined
}
