/** Several times as many messages as the service can judge: whether all are answered or refused, how soon, and how many verdicts there still are. */
import { startService } from '../../service/test/helpers/service-process.ts'
import { page, percent, tableOf } from '../evaluation/markdown.ts'
import { type Given, measuredOn } from './benchmark.ts'
import { answered, type LoadResult, load, quantile, shopMessages } from './load.ts'

/** Requests in flight for each server process while the capacity is measured. */
const CAPACITY_CONNECTIONS = 32

/** Twice as many as wait in the service at most (TAMIS_QUEUE_DEPTH). */
const OVERLOAD_CONNECTIONS = 2_000

const CAPACITY_SECONDS = 8
/** Until V8 has compiled the hot code. */
const WARM_UP_SECONDS = 30

export interface Overload {
  readonly workers: number
  /** The load as a multiple of the capacity. */
  readonly times: number
  readonly warmUpSeconds: number
  readonly capacitySeconds: number
  readonly seconds: number
}

export interface OverloadResult extends LoadResult {
  /** Verdicts a second at full speed. */
  readonly capacity: number
  /** Verdicts a second under the load. */
  readonly goodput: number
}

/** The service and the generator share the cores, as on a mail host. */
export async function overload(options: Overload): Promise<OverloadResult> {
  const { workers, times, warmUpSeconds, capacitySeconds, seconds } = options
  const service = await startService({ environment: { TAMIS_WORKERS: `${workers}` } })
  try {
    const to = { url: `${service.url}/classify-stream`, messages: shopMessages(200) }
    const full = { ...to, connections: CAPACITY_CONNECTIONS * workers }
    await load({ ...full, seconds: warmUpSeconds })
    const alone = await load({ ...full, seconds: capacitySeconds })
    const capacity = answered(alone) / alone.seconds
    const rate = times * capacity
    const result = await load({ ...to, connections: OVERLOAD_CONNECTIONS, rate, seconds })
    const ready = await fetch(`${service.url}/ready`)
    if (ready.status !== 200) throw new Error(`/ready answers ${ready.status} after the load`)
    return { ...result, capacity, goodput: answered(result) / result.seconds }
  } finally {
    await service.stop()
  }
}

export async function measureOverload(given: Given): Promise<string> {
  const { seconds = 60, times = 5, workers = 2 } = given.numbers
  const phases = { warmUpSeconds: WARM_UP_SECONDS, capacitySeconds: CAPACITY_SECONDS, seconds }
  const result = await overload({ workers, times, ...phases })
  const { capacity, goodput, sent, failed, latencies } = result
  const statuses = tableOf(
    [...latencies],
    [
      ['status', ([status]) => String(status)],
      ['answers', ([, ms]) => String(ms.length)],
      ...[0.5, 0.99, 1].map(
        (share) =>
          [
            share === 1 ? 'latest, ms' : `p${100 * share}, ms`,
            ([, ms]: readonly [number, Float64Array]) => quantile(ms, share).toFixed(0),
          ] as const,
      ),
    ],
  )
  const values = {
    capacity: capacity.toFixed(0),
    sent: (sent / result.seconds).toFixed(0),
    goodput: goodput.toFixed(0),
    share: percent(goodput / capacity),
    failed,
    statuses,
  }
  return page('overload', { ...measuredOn(given), ...values })
}
