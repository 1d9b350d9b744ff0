/** Several times as many messages as the service can judge: whether all are answered or refused, how soon, and how many verdicts there still are. */
import { startService } from '../../service/test/helpers/service-process.ts'
import type { Values } from '../evaluation/report.ts'
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

export async function measureOverload({ numbers }: Given): Promise<Values> {
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
    return { loads: loadRows(results), statuses: results.flatMap(statusRows) }
  } finally {
    await service.stop()
  }
}

function loadRows(results: readonly Loaded[]): Values[] {
  const perSecond = (it: Loaded) => answered(it) / it.seconds
  const perCpuSecond = (it: Loaded) => answered(it) / it.cpuSeconds
  const alone = results[0]!
  return results.map((it) => ({
    load: it.name,
    sent: it.sent / it.seconds,
    verdicts: perSecond(it),
    ofCapacity: perSecond(it) / perSecond(alone),
    cores: it.cpuSeconds / it.seconds,
    verdictsPerCpu: perCpuSecond(it),
    ofCapacityPerCpu: perCpuSecond(it) / perCpuSecond(alone),
    failed: it.failed,
  }))
}

function statusRows({ name, latencies }: Loaded): Values[] {
  return [...latencies].map(([status, ms]) => ({
    load: name,
    status,
    answers: ms.length,
    p50: quantile(ms, 0.5),
    p99: quantile(ms, 0.99),
    latest: quantile(ms, 1),
  }))
}
