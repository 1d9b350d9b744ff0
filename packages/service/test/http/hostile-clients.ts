/** Clients that mean a service no good: they say nothing, or a byte at a time, or more than anybody wants to hear. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { ORDER } from './service.ts'

/** Connections begun at once: fewer than the kernel lets wait for a server (511). */
const CONNECTING = 250

export interface Answer {
  readonly status: number
  readonly body: string
  /** From the request to the end of the answer. */
  readonly ms: number
}

/** Over a connection of its own, closed afterwards. */
export async function ask(
  port: number,
  path: string,
  body?: string | Buffer,
  contentType = 'message/rfc822',
): Promise<Answer> {
  const started = performance.now()
  const headers = body === undefined ? {} : { 'content-type': contentType }
  const method = body === undefined ? 'GET' : 'POST'
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end(body)
  const [response] = await once(sent, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return { status: response.statusCode, body: text, ms: performance.now() - started }
}

/** What honest clients ask: all that a service answers promptly whoever else is connected. */
export async function askHonestly(port: number): Promise<readonly Answer[]> {
  return [
    await ask(port, '/health'),
    await ask(port, '/classify/embed-text', '{"text":"Your parcel"}', 'application/json'),
    await ask(port, '/classify-stream', ORDER),
  ]
}

/** `count` connections, all of them open. */
export async function openConnections(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const begun = Array.from({ length: Math.min(CONNECTING, count - sockets.length) }, () =>
      connect(port, '127.0.0.1').on('error', () => {}),
    )
    await Promise.all(begun.map((socket) => once(socket, 'connect')))
    sockets.push(...begun)
  }
  return sockets
}
