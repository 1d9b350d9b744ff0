/** Requests to a service over kept connections, as fast as it answers or at a steady rate. */
import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'

export interface Load {
  readonly url: string
  /** The headers of the i-th request. */
  readonly headers: (i: number) => Readonly<Record<string, string>>
  readonly body: (i: number) => string | Uint8Array
  readonly connections: number
  readonly seconds: number
  /** Requests a second, sent whether or not earlier ones are answered; as fast as possible when absent. */
  readonly rate?: number
}

export interface LoadResult {
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>
  readonly perSecond: number
  /** Latencies of all answers in milliseconds, ascending. */
  readonly latencies: readonly number[]
}

export async function runLoad(load: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections })
  const statuses = new Map<number, number>()
  const latencies: number[] = []
  const send = async (i: number) => {
    const started = performance.now()
    const status = await post(agent, load, i)
    latencies.push(performance.now() - started)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const started = performance.now()
  if (load.rate === undefined) await asFastAsItGoes(load, started, send)
  else await atRate(load, load.rate, started, send)
  const seconds = (performance.now() - started) / 1_000
  agent.destroy()
  latencies.sort((a, b) => a - b)
  return { statuses, perSecond: latencies.length / seconds, latencies }
}

/** The latency that `share` of the answers stayed below. */
export function quantile({ latencies }: LoadResult, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))] ?? NaN
}

async function asFastAsItGoes(
  { connections, seconds }: Load,
  started: number,
  send: (i: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const connection = async () => {
    while (performance.now() - started < seconds * 1_000) await send(next++)
  }
  await Promise.all(Array.from({ length: connections }, connection))
}

async function atRate(
  { seconds }: Load,
  rate: number,
  started: number,
  send: (i: number) => Promise<void>,
): Promise<void> {
  const sent: Promise<void>[] = []
  for (let i = 0; i < rate * seconds; i++) {
    const waitMs = started + (i * 1_000) / rate - performance.now()
    if (waitMs > 0) await setTimeout(waitMs)
    sent.push(send(i))
  }
  await Promise.all(sent)
}

function post(agent: Agent, { url, headers, body }: Load, i: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const bytes = body(i)
    const sent = request(
      url,
      {
        agent,
        method: 'POST',
        headers: { ...headers(i), 'content-length': Buffer.byteLength(bytes) },
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode!))
      },
    )
    sent.on('error', reject)
    sent.end(bytes)
  })
}
