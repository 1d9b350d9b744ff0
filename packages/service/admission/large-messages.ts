/**
 * Analyses large messages on a thread of their own, so that small ones need not wait for them. The process has one for all
 * its serving threads, from the first of them on: most services get few.
 *
 * Two limits bound the CPU time of one message. The thread looks at its own clock between stages and
 * judges by what it has read so far. If it never looks again, because something in it runs endlessly,
 * the thread is ended from outside and a new one judges the header alone.
 */
import { TamisError } from '../../errors/errors.ts'
import type { AnalyseOptions } from '../../mail/analyse.ts'
import { HEADER_BYTES_MAX } from '../../mail/message/limits.ts'
import type { Octets } from '../../mail/message/octets.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import type { Callable } from '../threads/shared.ts'
import type { Analysed, AnalyserSettings, AnalyseTask } from './analyse-task.ts'
import type { LargeMessageCalls, LargeTask } from './large-messages-thread.ts'
import { bodyOctets, type MessageBody } from './message-body.ts'

/**
 * JavaScript heap of the thread, in MiB: everything kept of a message is bounded (message/limits.ts). A
 * thread that needs more is ended, rather than the process.
 */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 }

/** How often a message is sent again because the thread has ended over another. */
const TRIES_MAX = 3

/** The outcome of a task: an Analysis, or the end of the thread that had it. */
type Outcome =
  | { readonly analysis: Analysis; readonly threadEnd: undefined }
  | { readonly analysis: undefined; readonly threadEnd: Error }

type Settings = Pick<
  AnalyserSettings,
  'models' | 'knowledge' | 'memory' | 'shared' | 'workerKillMs' | 'threadModule'
>

export class LargeMessages {
  readonly #settings: Settings
  readonly #thread: Callable<LargeMessageCalls>

  constructor(settings: Settings) {
    this.#settings = settings
    this.#thread = settings.shared.thread('large messages', {
      module: settings.threadModule ?? moduleBeside(import.meta.url, 'large-messages-thread'),
      workerData: undefined,
      resourceLimits: HEAP,
      endedBy: (cause, exitCode) =>
        cause instanceof Error
          ? cause
          : new Error(`The thread ended${exitCode === undefined ? '' : ` with ${exitCode}`}`),
    })
  }

  /** @throws TamisError NOT_A_MESSAGE, INTERNAL, SHUTTING_DOWN */
  async analyse(task: AnalyseTask): Promise<Pick<Analysed, 'analysis' | 'threadEnd'>> {
    const { memory } = this.#settings
    const octets = bodyOctets(task.body)
    const whole = memory.isDeadly(octets)
      ? { analysis: undefined, threadEnd: new Error('A thread has ended on this message before') }
      : await this.#run(task)
    if (whole.analysis !== undefined) return whole
    memory.addDeadly(octets)

    const options: AnalyseOptions = { ...task.options, headerOnly: true }
    const { analysis, threadEnd } = await this.#run({ ...task, options, body: headerOf(octets) })
    if (analysis === undefined) {
      const text = 'The header of a message ended an analysis thread'
      throw new TamisError('INTERNAL', text, { cause: threadEnd })
    }
    const limitsReached = [...new Set([...analysis.limitsReached, 'CPU' as const])]
    return { analysis: { ...analysis, limitsReached }, threadEnd: whole.threadEnd }
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }

  async #run(task: AnalyseTask): Promise<Outcome> {
    const { models, knowledge } = this.#settings
    const parts = { models, ...(knowledge && { knowledge }) }
    for (let tries = 1; ; tries++) {
      const begun = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
      try {
        const analysis = await this.#within({ ...task, parts, begun })
        return { analysis, threadEnd: undefined }
      } catch (error) {
        // Any other error means that the thread ended: by the limit, or out of memory.
        if (error instanceof TamisError) throw error
        if (this.#thread.isClosed) {
          throw new TamisError('SHUTTING_DOWN', 'The service is shutting down')
        }
        if (begun[0] === 1) return { analysis: undefined, threadEnd: error as Error }
        if (tries === TRIES_MAX) {
          const text = 'The thread for large messages does not start'
          throw new TamisError('INTERNAL', text, { cause: error })
        }
      }
    }
  }

  /** Ends the thread if it does not answer within the limit, from when it begins with the task. */
  async #within(task: LargeTask): Promise<Analysis> {
    const { workerKillMs } = this.#settings
    let late: Error | undefined
    let timer: NodeJS.Timeout | undefined
    const begins = Atomics.waitAsync(task.begun, 0, 0)
    const analysis = this.#thread.call('analyse', task)
    let isDone = false
    void Promise.resolve(begins.value).then(() => {
      if (isDone) return
      timer = setTimeout(() => {
        late = new Error(`The thread did not answer within ${workerKillMs} ms`)
        void this.#thread.end()
      }, workerKillMs)
    })
    try {
      return await analysis
    } catch (error) {
      throw late ?? error
    } finally {
      isDone = true
      clearTimeout(timer)
      // Ends the wait for the beginning of a task that was lost.
      Atomics.notify(task.begun, 0)
    }
  }
}

/** A copy of the header, blank line included. */
function headerOf(octets: Octets): MessageBody {
  const head = octets.slice(0, Math.min(HEADER_BYTES_MAX, octets.length))
  const ends = ['\r\n\r\n', '\n\n'].map((blankLine) => {
    const start = head.indexOf(blankLine, 0, 'latin1')
    return start < 0 ? head.length : start + blankLine.length
  })
  return { kind: 'memory', bytes: new Uint8Array(head.subarray(0, Math.min(...ends))) }
}
