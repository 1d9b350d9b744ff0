/**
 * Counts of threads that have ended, as far as they are known (without them counters would fall, which Prometheus takes for a
 * restart), and Node's own metrics of the process.
 */
import { AggregatorRegistry, Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { METRICS, type ProcessMetrics } from '../http/process-metrics.ts'
import type { ServiceThread } from './service-thread.ts'

/** prom-client gives types as names, though it declares them as numbers. */
const COUNTING: ReadonlySet<string> = new Set(['counter', 'histogram'])

type Asked = Pick<ServiceThread, 'answer'>

export class KeptMetrics {
  readonly #last = new Map<Asked, ProcessMetrics>()
  readonly #registry = new Registry()
  readonly #ends = new Counter({
    name: 'tamis_thread_ends_total',
    help: 'Threads that ended unexpectedly while the service ran',
    registers: [this.#registry],
  })
  /** What all ended threads counted together. */
  #ended: Promise<ProcessMetrics> = Promise.resolve([])

  constructor() {
    // The main thread reads no mail; by default its event loop is woken a hundred times a second to be measured.
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 60_000 })
    for (const { name } of this.#registry.getMetricsAsArray()) {
      if (name.startsWith('nodejs_eventloop')) this.#registry.removeSingleMetric(name)
    }
  }

  /** Asks `threads`. What one counts between the last look and an unexpected end is lost. */
  async look(threads: readonly Asked[]): Promise<void> {
    for (const thread of threads) {
      const metrics = await thread.answer(METRICS)
      if (metrics !== undefined) this.#last.set(thread, metrics as ProcessMetrics)
    }
  }

  /** What was last known of `thread`. */
  of(thread: Asked): ProcessMetrics | undefined {
    return this.#last.get(thread)
  }

  async all(): Promise<ProcessMetrics> {
    return [...(await this.#ended), ...(await this.#registry.getMetricsAsJSON())]
  }

  /** `thread` has ended. @param isFailure whether that was unexpected */
  async end(thread: Asked, isFailure: boolean): Promise<void> {
    if (isFailure) this.#ends.inc()
    const last = this.#last.get(thread) ?? []
    this.#last.delete(thread)
    const counts = last.filter(({ type }) => COUNTING.has(String(type)))
    this.#ended = this.#ended.then((before) =>
      AggregatorRegistry.aggregate([before, counts]).getMetricsAsJSON(),
    )
    await this.#ended
  }
}
