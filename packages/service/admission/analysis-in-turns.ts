/**
 * Analyses messages on this thread, one after another for two milliseconds in each turn of the event loop: what
 * has arrived meanwhile is accepted, read, refused and answered between two turns. A thread of its own would cost more than
 * it gives, since the way there and back takes a sixth of what a message costs; for other processors there are
 * other processes.
 */
import { setImmediate } from 'node:timers/promises'
import type { AnalyseOptions } from '../../mail/analyse.ts'
import type { Facts } from '../../mail/signals/signal.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { type Analysed, type AnalyserSettings, analyseTaskWith, type Turn } from './analyse-task.ts'
import { lengthOf, type MessageBody } from './message-body.ts'
import { AdmissionQueue } from './queue.ts'

/**
 * How long messages that wait follow one another in a turn, in milliseconds: some eight of 5 KB, or two of 50 KB.
 * Code and weights stay in the processor's caches meanwhile. With one message in each turn, one of 5 KB took a
 * quarter more CPU time, and one of 50 KB a twentieth. Longer turns save no more, and others would wait for longer.
 */
const TURN_MS = 2

export class AnalysisInTurns {
  readonly queue: AdmissionQueue
  readonly #version: string
  readonly #cpuMsMax: number
  readonly #analyseTask: ReturnType<typeof analyseTaskWith>
  /** Until when messages are analysed in this turn, on the clock of `performance.now`. */
  #turnEnds = 0
  /** How long messages were analysed in this turn, in milliseconds. */
  #analysedMs = 0
  /** Whether a connection was accepted in this turn: more may wait. */
  #hasAccepted = false

  constructor(settings: AnalyserSettings) {
    const { queueDepth: depthMax, queueTimeoutMs: timeoutMs } = settings
    this.queue = new AdmissionQueue({ concurrency: 1, depthMax, timeoutMs })
    this.#version = settings.models.version
    this.#cpuMsMax = settings.cpuMsMax
    this.#analyseTask = analyseTaskWith(settings)
  }

  /** @throws TamisError NOT_A_MESSAGE, INTERNAL, and what AdmissionQueue.run throws. */
  async analyse(
    body: MessageBody,
    facts: Facts,
    options: AnalyseOptions,
    { leaseDeltas, outlet }: Turn,
  ): Promise<Analysed> {
    const queued = performance.now()
    return await this.queue.run(
      async () => {
        if (performance.now() >= this.#turnEnds) await this.#nextTurn()
        const started = performance.now()
        using lease = leaseDeltas?.(this.#version)
        const task = { body, facts, options, cpuMsMax: this.#cpuMsMax }
        const analysed = this.#analyseTask(lease ? { ...task, deltas: lease.deltas } : task)
        const analysis = withOwnSummary(analysed)
        const analysisMs = performance.now() - started
        this.#analysedMs += analysisMs
        return { analysis, queueMs: started - queued, analysisMs, threadEnd: undefined }
      },
      lengthOf(body),
      outlet,
    )
  }

  async close(graceMs: number): Promise<void> {
    await this.queue.close(graceMs)
  }

  /** A connection was accepted. */
  noteConnection(): void {
    this.#hasAccepted = true
  }

  /**
   * Resolves in a later turn of the event loop, after what has arrived by then. libuv accepts one connection in each
   * turn (1.52, uv__server_io), so that those that came together would wait for a turn of analysis each: with 32 of
   * them, for half a second on a busy machine. As long as each turn accepts one, none has analysis, for as long as the
   * last had: a flood of connections takes half of the time at most.
   */
  async #nextTurn(): Promise<void> {
    const acceptEnds = performance.now() + this.#analysedMs
    do {
      this.#hasAccepted = false
      await setImmediate()
    } while (this.#hasAccepted && performance.now() < acceptEnds)
    this.#analysedMs = 0
    this.#turnEnds = performance.now() + TURN_MS
  }
}

/**
 * `analysis` with copies of the texts in its summary: V8 cuts them from the header, and all of that would stay in
 * memory with them, for ten thousand messages while the history waits for the store.
 */
function withOwnSummary(analysis: Analysis): Analysis {
  const { messageId, senderDomain, reasons } = analysis.summary
  const summary = { messageId: copyOf(messageId), senderDomain: copyOf(senderDomain), reasons }
  return { ...analysis, summary }
}

/** A copy of `text`, which is ASCII. */
function copyOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
