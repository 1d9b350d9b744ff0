/** One request over a kept connection, and what came of it. */
import { Agent, type ClientRequest, request } from 'node:http'
import type { Ask } from './traffic.ts'

/** Longer than any wait in the service: a request not answered by then has been forgotten. */
const TIMEOUT_MS = 60_000

/** A client that leaves does so within this, in milliseconds. */
const LEAVES_AFTER_MS_MAX = 20

/** Less than the service keeps connections, so that none is closed as a request is sent on it. */
const IDLE_MS = 2_000

const CHUNK_BYTES = 64 * 1024

export function soakAgent(): Agent {
  return new Agent({ keepAlive: true, timeout: IDLE_MS })
}

/** The status; 'left' for a client that left. Rejected when there is no answer. */
export function sendAsk(agent: Agent, url: string, ask: Ask): Promise<number | 'left'> {
  return new Promise((resolve, reject) => {
    const { method, path, headers, body, chunked, leaves } = ask
    const length =
      body === undefined || chunked ? {} : { 'content-length': Buffer.byteLength(body) }
    const options = { agent, method, headers: { ...headers, ...length }, timeout: TIMEOUT_MS }
    const sent = request(url + path, options, (response) => {
      response.on('error', failed).on('end', () => resolve(response.statusCode!))
      response.resume()
    })
    const failed = (error: Error) => (leaves === undefined ? reject(error) : resolve('left'))
    sent.on('error', failed)
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${path} is not answered`)))
    write(sent, ask)
    if (leaves !== undefined) {
      setTimeout(() => sent.destroy(), Math.random() * LEAVES_AFTER_MS_MAX)
    }
  })
}

function write(sent: ClientRequest, { body, chunked, leaves }: Ask): void {
  const bytes = Buffer.from(body ?? '')
  if (leaves === 'sending') sent.write(bytes.subarray(0, bytes.length >> 1))
  else if (chunked) writeChunks(sent, bytes)
  else sent.end(bytes)
}

function writeChunks(sent: ClientRequest, bytes: Buffer): void {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    sent.write(bytes.subarray(start, start + CHUNK_BYTES))
  }
  sent.end()
}
