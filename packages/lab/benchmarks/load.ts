/** Load over HTTP, by autocannon: messages as fast as they are answered, or at a rate. */
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
