/**
 * The metrics of server processes as they were last known: of those that are held up, and what those
 * counted that have ended. Were they left out, counters would fall, which Prometheus takes for a restart.
 */
import { Counter, Registry } from 'prom-client'
import {
  addCounts,
  endedCounts,
  METRICS,
  PROCESS_ENDS,
  type ProcessMetrics,
} from '../http/merged-metrics.ts'
import type { SupervisedProcess } from './supervised-process.ts'

export class KeptMetrics {
  readonly #last = new Map<SupervisedProcess, ProcessMetrics>()
  readonly #registry = new Registry()
  readonly #ends = new Counter({ ...PROCESS_ENDS, registers: [this.#registry] })
  #ended: ProcessMetrics | undefined
  /** Two may end at a time. */
  #adding: Promise<void> = Promise.resolve()

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
    return [...(this.#ended ?? []), ...(await this.#registry.getMetricsAsJSON())]
  }

  /** `process` has ended. */
  async end(process: SupervisedProcess): Promise<void> {
    this.#ends.inc()
    const last = this.#last.get(process)
    this.#last.delete(process)
    if (last === undefined) return
    this.#adding = this.#adding.then(async () => {
      const counts = endedCounts(last)
      this.#ended = this.#ended === undefined ? counts : await addCounts(this.#ended, counts)
    })
    await this.#adding
  }
}
