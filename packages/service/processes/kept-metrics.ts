/**
 * The metrics of server processes as they were last known: of those that are held up, and what those
 * counted that have ended. Were they left out, counters would fall, which Prometheus takes for a restart.
 */
import { AggregatorRegistry, Registry } from 'prom-client'
import { METRICS, type ProcessMetrics, processEnds } from '../http/process-metrics.ts'
import type { SupervisedProcess } from './supervised-process.ts'

/** In what is asked the types have names, though they are declared as numbers. */
const COUNTING: ReadonlySet<string> = new Set(['counter', 'histogram'])

export class KeptMetrics {
  readonly #last = new Map<SupervisedProcess, ProcessMetrics>()
  readonly #registry = new Registry()
  readonly #ends = processEnds(this.#registry)
  /** What all ended processes counted together. */
  #ended: Promise<ProcessMetrics> = Promise.resolve([])

  /** Asks `processes`. What one counts after the last look before its end is lost. */
  async look(processes: readonly SupervisedProcess[]): Promise<void> {
    await Promise.all(
      processes.map(async (process) => {
        const metrics = await process.answer(METRICS.name, [], METRICS.answerMsMax)
        if (metrics !== undefined) this.#last.set(process, metrics as ProcessMetrics)
      }),
    )
  }

  /** What was last known of `process`. */
  of(process: SupervisedProcess): ProcessMetrics | undefined {
    return this.#last.get(process)
  }

  /** What all ended processes counted together, and how many they are. */
  async ended(): Promise<ProcessMetrics> {
    return [...(await this.#ended), ...(await this.#registry.getMetricsAsJSON())]
  }

  /** `process` has ended. */
  async end(process: SupervisedProcess): Promise<void> {
    this.#ends.inc()
    const last = this.#last.get(process) ?? []
    this.#last.delete(process)
    const counts = last.filter(({ type }) => COUNTING.has(String(type)))
    this.#ended = this.#ended.then((before) =>
      AggregatorRegistry.aggregate([before, counts]).getMetricsAsJSON(),
    )
    await this.#ended
  }
}
