/**
 * The main thread's side of the thread for large messages (analysis-in-thread.ts): it runs one task at a time, and
 * ends a thread that does not return from its task. The next task starts another.
 */
import type { Transferable } from 'node:worker_threads'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { Thread } from '../threads/thread.ts'
import type { AnalyseTask, AnalysisParts } from './analyse-task.ts'
import type { AnalysisCalls } from './analysis-in-thread.ts'

/**
 * Time for a thread to start. Loading its modules takes some 0.2 s; on a machine that has just booted
 * with everything else on it, it may take a hundred times as long.
 */
const START_MS = 30_000

/**
 * JavaScript heap of the thread, in MiB: everything kept of a message is bounded (message/limits.ts). A
 * thread that needs more is ended, rather than the process.
 */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 }

export class AnalysisThread {
  readonly #thread: Thread<AnalysisCalls>
  readonly #limitMs: number

  /** @param limitMs time for a task, in milliseconds. */
  constructor(module: URL, workerData: AnalysisParts, limitMs: number) {
    this.#thread = new Thread({
      module,
      workerData,
      resourceLimits: HEAP,
      endedBy: (cause, exitCode) =>
        cause instanceof Error ? cause : new Error(`The thread ended with ${exitCode}`),
    })
    this.#limitMs = limitMs
  }

  /** The answer to `task`; to be called when the one before it is done. Rejects with the reason, no TamisError, when the thread ends over it. */
  async run(task: AnalyseTask, transferList: readonly Transferable[]): Promise<Analysis> {
    await this.#within(START_MS, this.#thread.call('start'))
    return await this.#within(this.#limitMs, this.#thread.transfer(transferList, 'analyse', task))
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }

  /** What the thread answers within `limitMs`; otherwise it is ended. */
  async #within<Answer>(limitMs: number, answer: Promise<Answer>): Promise<Answer> {
    let late: Error | undefined
    const timer = setTimeout(() => {
      late = new Error(`The thread did not answer within ${limitMs} ms`)
      void this.#thread.end()
    }, limitMs)
    try {
      return await answer
    } catch (error) {
      throw late ?? error
    } finally {
      clearTimeout(timer)
    }
  }
}
