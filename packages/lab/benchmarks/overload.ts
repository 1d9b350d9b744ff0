/** Several times as many messages as the service can judge: whether all are answered or refused, how soon, and how many verdicts there still are. */
import { startService } from '../../service/test/helpers/service-process.ts'
import { percent, tableOf } from '../evaluation/markdown.ts'
import type { Given } from './bench.ts'
import { answered, type Load, type LoadResult, load, quantile, shopMessages } from './load.ts'
import { treeCpuMs } from './processes.ts'

/** Requests in flight for each serving thread while the capacity is measured. */
const CAPACITY_CONNECTIONS = 32

/** Twice as many as wait in the service at most (TAMIS_QUEUE_DEPTH). */
const OVERLOAD_CONNECTIONS = 2_000

const CAPACITY_SECONDS = 10
/** Until V8 has compiled the hot code. */
const WARM_UP_SECONDS = 30

interface Loaded extends LoadResult {
  readonly name: string
  /** CPU time of the service, in seconds. */
  readonly cpuSeconds: number
}

export async function measureOverload({ numbers }: Given): Promise<object> {
  const { seconds = 60, times = 5, workers = 2 } = numbers
  const service = await startService({ environment: { TAMIS_WORKERS: `${workers}` } })
  const under = async (name: string, how: Omit<Load, 'url' | 'messages'>): Promise<Loaded> => {
    const to = { url: `${service.url}/classify-stream`, messages: shopMessages(200) }
    const before = treeCpuMs(service.pid)
    const result = await load({ ...to, ...how })
    return { ...result, name, cpuSeconds: (treeCpuMs(service.pid) - before) / 1_000 }
  }
  try {
    const full = { connections: CAPACITY_CONNECTIONS * workers }
    await under('warm-up', { ...full, seconds: WARM_UP_SECONDS })
    const alone = await under('capacity', { ...full, seconds: CAPACITY_SECONDS })
    const overload = { connections: OVERLOAD_CONNECTIONS, seconds }
    const rate = (times * answered(alone)) / alone.seconds
    const results = [
      alone,
      await under(`${times} times the capacity`, { ...overload, rate }),
      await under('each as soon as it is answered', overload),
    ]
    const ready = await fetch(`${service.url}/ready`)
    if (ready.status !== 200) throw new Error(`/ready answers ${ready.status} after the load`)
    return { loads: loadsTable(results), statuses: statusTable(results) }
  } finally {
    await service.stop()
  }
}

function loadsTable(results: readonly Loaded[]): string {
  const perSecond = (it: Loaded) => answered(it) / it.seconds
  const perCpuSecond = (it: Loaded) => answered(it) / it.cpuSeconds
  const alone = results[0]!
  return tableOf(results, [
    ['load', ({ name }) => name],
    ['sent, /s', (it) => (it.sent / it.seconds).toFixed(0)],
    ['verdicts, /s', (it) => perSecond(it).toFixed(0)],
    ['of capacity', (it) => percent(perSecond(it) / perSecond(alone))],
    ['cores of the service', (it) => (it.cpuSeconds / it.seconds).toFixed(2)],
    ['verdicts a CPU second', (it) => perCpuSecond(it).toFixed(0)],
    ['of capacity', (it) => percent(perCpuSecond(it) / perCpuSecond(alone))],
    ['broken off or unanswered', ({ failed }) => String(failed)],
  ])
}

function statusTable(results: readonly Loaded[]): string {
  const rows = results.flatMap(({ name, latencies }) =>
    [...latencies].map(([status, ms]) => ({ name, status, ms })),
  )
  return tableOf(rows, [
    ['load', ({ name }) => name],
    ['status', ({ status }) => String(status)],
    ['answers', ({ ms }) => String(ms.length)],
    ['p50, ms', ({ ms }) => quantile(ms, 0.5).toFixed(0)],
    ['p99, ms', ({ ms }) => quantile(ms, 0.99).toFixed(0)],
    ['latest, ms', ({ ms }) => quantile(ms, 1).toFixed(0)],
  ])
}
