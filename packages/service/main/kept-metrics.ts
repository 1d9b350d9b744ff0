/**
 * What is counted on no living thread: what threads had counted that have ended, as far as it is known (were it left out,
 * counters would fall, which Prometheus takes for a restart), and what Node counts of the process.
 */
import { AggregatorRegistry, Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { METRICS, type ProcessMetrics } from '../http/process-metrics.ts'
import type { ServiceThread } from './service-thread.ts'

/** In what is asked the types have names, though they are declared as numbers. */
const COUNTING: ReadonlySet<string> = new Set(['counter', 'histogram'])

type Asked = Pick<ServiceThread, 'answer'>

export class KeptMetrics {
  readonly #last = new Map<Asked, ProcessMetrics>()
  readonly #registry = new Registry()
  readonly #ends = new Counter({
    name: 'tamis_thread_ends_total',
    help: 'Threads that ended, but were not told to, while the service ran',
    registers: [this.#registry],
  })
  /** What all ended threads counted together. */
  #ended: Promise<ProcessMetrics> = Promise.resolve([])

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
  }

  /** Asks `threads`. What one counts between the last look and an end that it is not told of is lost. */
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

  /** `thread` has ended. @param isFailure whether it was not told to */
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
