/**
 * Analyses large messages, one at a time, on a thread of their own, so that small ones need not wait
 * for them. It is started at the first of them: most services get few.
 *
 * Two limits bound the CPU time of one message. The thread looks at its own clock between stages and
 * judges by what it has read so far. If it never looks again, because something in it runs endlessly,
 * the thread is ended from outside and a new one judges the header alone.
 */

import { TamisError } from '../../errors/errors.ts'
import type { AnalyseOptions } from '../../mail/analyse.ts'
import type { Deltas } from '../../mail/learning/deltas.ts'
import { HEADER_BYTES_MAX } from '../../mail/message/limits.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import type { Facts } from '../../mail/signals/signal.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import type { Analysed, AnalyserSettings, AnalyseTask, Turn } from './analyse-task.ts'
import { AnalysisThread } from './analysis-thread.ts'
import { nameOf } from './deadly-messages.ts'
import { fileOctets, lengthOf, type MessageBody } from './message-body.ts'
import { AdmissionQueue } from './queue.ts'

/** A message, or its header, in memory. */
type BodyInMemory = MessageBody & { readonly kind: 'memory' }

/** The outcome of a task: an Analysis, or the end of the thread that had it. */
type Outcome =
  | { readonly analysis: Analysis; readonly threadEnd: undefined }
  | { readonly analysis: undefined; readonly threadEnd: Error }

export class AnalysisOnThread {
  readonly queue: AdmissionQueue
  readonly #settings: AnalyserSettings
  readonly #thread: AnalysisThread
  #closing = false

  constructor(settings: AnalyserSettings) {
    const { queueDepth: depthMax, queueTimeoutMs: timeoutMs, models, knowledge } = settings
    this.queue = new AdmissionQueue({ concurrency: 1, depthMax, timeoutMs })
    this.#settings = settings
    this.#thread = new AnalysisThread(
      settings.threadModule ?? moduleBeside(import.meta.url, 'analysis-in-thread'),
      { models, ...(knowledge && { knowledge }) },
      settings.workerKillMs,
    )
  }

  /** Takes away the bytes of `body`. @throws TamisError NOT_A_MESSAGE, INTERNAL, and what AdmissionQueue.run throws. */
  async analyse(
    body: MessageBody,
    facts: Facts,
    options: AnalyseOptions,
    { leaseDeltas, outlet }: Turn,
  ): Promise<Analysed> {
    const queued = performance.now()
    return await this.queue.run(
      async () => {
        const started = performance.now()
        using lease = leaseDeltas?.(this.#settings.models.version)
        const judged = await this.#analyse(body, facts, options, lease?.deltas)
        return { ...judged, queueMs: started - queued, analysisMs: performance.now() - started }
      },
      lengthOf(body),
      outlet,
    )
  }

  async close(graceMs: number): Promise<void> {
    this.#closing = true
    await this.queue.close(graceMs)
    await this.#thread.close()
  }

  async #analyse(
    body: MessageBody,
    facts: Facts,
    options: AnalyseOptions,
    deltas: Deltas | undefined,
  ): Promise<Pick<Analysed, 'analysis' | 'threadEnd'>> {
    const { cpuMsMax, deadly } = this.#settings
    const task = { facts, options, cpuMsMax, ...(deltas && { deltas }) }
    // Bytes that are handed over cannot be read again.
    const header = headerOf(body)
    const name = nameOf(lengthOf(body), header.bytes)
    const whole = deadly.has(name)
      ? { analysis: undefined, threadEnd: new Error('A thread has ended on this message before') }
      : await this.#run({ ...task, body })
    if (whole.analysis !== undefined) return whole
    deadly.add(name)

    const { analysis, threadEnd } = await this.#run({
      ...task,
      body: header,
      options: { ...options, headerOnly: true },
    })
    if (analysis === undefined) {
      throw new TamisError('INTERNAL', 'The header of a message ended an analysis thread', {
        cause: threadEnd,
      })
    }
    const limitsReached = [...new Set([...analysis.limitsReached, 'CPU' as const])]
    return { analysis: { ...analysis, limitsReached }, threadEnd: whole.threadEnd }
  }

  async #run(task: AnalyseTask): Promise<Outcome> {
    const { body } = task
    try {
      const handedOver = body.kind === 'memory' ? [body.bytes.buffer] : []
      return { analysis: await this.#thread.run(task, handedOver), threadEnd: undefined }
    } catch (error) {
      // Any other error means that the thread ended: by the limit, or out of memory.
      if (error instanceof TamisError) throw error
      if (this.#closing) throw new TamisError('SHUTTING_DOWN', 'The service is shutting down')
      return { analysis: undefined, threadEnd: error as Error }
    }
  }
}

/** A copy of the header of `body`, blank line included. */
function headerOf(body: MessageBody): BodyInMemory {
  const head =
    body.kind === 'memory'
      ? body.bytes.subarray(0, HEADER_BYTES_MAX)
      : fileOctets(body.descriptor, body.length).slice(0, HEADER_BYTES_MAX)
  return { kind: 'memory', bytes: new Uint8Array(head.subarray(0, headerLength(head))) }
}

function headerLength(head: Uint8Array): number {
  const buffer = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const blankLines = ['\r\n\r\n', '\n\n'].map((blankLine) => {
    const start = buffer.indexOf(blankLine, 0, 'latin1')
    return start < 0 ? buffer.length : start + blankLine.length
  })
  return Math.min(...blankLines)
}
