/** Load over HTTP: messages as fast as they are answered, by autocannon, or one by one at a rate. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'

export interface Load {
  readonly url: string
  readonly messages: readonly Buffer[]
  /** Requests in flight at any time; at a rate, connections that may be busy. */
  readonly connections: number
  readonly seconds: number
  /** Messages a second; as fast as they are answered when absent. */
  readonly rate?: number
}

export interface LoadResult {
  readonly sent: number
  /** By status, from sending to the end of the answer, in milliseconds, ascending. */
  readonly latencies: ReadonlyMap<number, Float64Array>
  /** Requests that broke off or were not answered within 10 s. */
  readonly failed: number
  readonly seconds: number
}

export async function load({ url, messages, connections, ...of }: Load): Promise<LoadResult> {
  const requests = messages.map((body) => ({ body }))
  let clients = 0
  const options: autocannon.Options = {
    url,
    connections,
    duration: of.seconds,
    ...(of.rate !== undefined && { overallRate: Math.max(connections, Math.round(of.rate)) }),
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    requests,
    // Each connection begins at another message.
    setupClient: (client) => {
      const start = Math.floor((clients++ * requests.length) / connections)
      client.setRequests([...requests.slice(start), ...requests.slice(0, start)])
    },
  }
  const found = new Map<number, number[]>()
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)))
    run.on('response', (_client, status, _bytes, ms) => {
      const same = found.get(status)
      if (same === undefined) found.set(status, [ms])
      else same.push(ms)
    })
  })
  return {
    sent: result.requests.sent,
    latencies: new Map([...found].map(([status, ms]) => [status, Float64Array.from(ms).sort()])),
    failed: result.errors,
    seconds: result.duration,
  }
}

/**
 * `rate` messages a second at exponential intervals, whether or not earlier ones are answered. autocannon sends what is due in a
 * second at the beginning of that second.
 */
export async function loadAtRate(
  { url, messages }: Pick<Load, 'url' | 'messages'>,
  rate: number,
  seconds: number,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true })
  const found = new Map<number, number[]>()
  const asking: Promise<void>[] = []
  let failed = 0
  const started = performance.now()
  for (let due = started; due < started + 1_000 * seconds; ) {
    const wait = due - performance.now()
    if (wait > 0) await sleep(wait)
    const from = performance.now()
    const answer = post(url, messages[asking.length % messages.length]!, agent)
    asking.push(
      answer.then(
        (status) => {
          const same = found.get(status) ?? []
          same.push(performance.now() - from)
          found.set(status, same)
        },
        () => {
          failed++
        },
      ),
    )
    due -= (Math.log(1 - Math.random()) * 1_000) / rate
  }
  await Promise.all(asking)
  agent.destroy()
  const latencies = [...found].map(
    ([status, ms]) => [status, Float64Array.from(ms).sort()] as const,
  )
  return { sent: asking.length, failed, seconds, latencies: new Map(latencies) }
}

/** The status of the answer, when all of it is there. */
export function post(
  url: string,
  body: Buffer,
  agent: Agent,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { agent, method: 'POST', timeout: 60_000 }
    const asked = request(url, {
      ...options,
      headers: { 'content-type': 'message/rfc822', 'content-length': body.length, ...headers },
    })
    asked.on('response', (answer) => {
      answer
        .resume()
        .on('end', () => resolve(answer.statusCode!))
        .on('error', reject)
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('error', reject)
    asked.end(body)
  })
}

/** Answers with a verdict. */
export function answered({ latencies }: Pick<LoadResult, 'latencies'>): number {
  return latencies.get(200)?.length ?? 0
}

export function quantile(ascending: Float64Array, share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? NaN
}

const WORDS =
  'your parcel from the garden shop is on its way and will be there on friday before noon thank you'

/** Messages of 5 KB, each one different: what a small message of a shop looks like. */
export function shopMessages(count: number): Buffer[] {
  return Array.from({ length: count }, (_, i) => {
    const lines = Array.from({ length: 60 }, (_, line) => `${WORDS.slice(line % 40)} ${i * line}`)
    const head = `From: Shop <orders-${i}@shop-${i % 50}.example.com>\r\nSubject: Your order ${i}\r\nMessage-ID: <${i}@shop.example.com>\r\n\r\n`
    return Buffer.from(head + lines.join('\r\n'))
  })
}
