/** Clients that mean a service no good: they say nothing, or a byte at a time, or more than anybody wants to hear. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { startService } from '../helpers/service-process.ts'
import { ORDER } from './service.ts'

const MIB = 1024 * 1024

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

/** How a service fares with `count` clients that are connected and say nothing, in a line for a person. */
export async function idleConnectionsReport(count: number): Promise<string> {
  const service = await startService()
  try {
    await askHonestly(service.port)
    const memoryBefore = await service.memoryBytes()
    const sockets = await openConnections(service.port, count)
    const answers: Answer[] = []
    for (let rounds = 0; rounds < 10; rounds++) answers.push(...(await askHonestly(service.port)))
    const grown = ((await service.memoryBytes()) - memoryBefore) / MIB
    const open = sockets.filter(({ readyState }) => readyState === 'open').length
    for (const socket of sockets) socket.destroy()
    const failed = answers.filter(({ status }) => status !== 200).length
    const slowest = Math.max(...answers.map(({ ms }) => ms))
    return `${open} idle connections: ${answers.length} requests answered, ${failed} of them not with 200, the slowest in ${slowest.toFixed(0)} ms; ${grown.toFixed(0)} MiB more memory`
  } finally {
    await service.stop()
  }
}
