/**
 * Gives the Analyses of messages, one after the other: of most on this thread, of large ones on another (large-messages.ts). Both
 * have a queue, where messages wait for their turn.
 *
 * Here messages are analysed for two milliseconds in each turn of the event loop: what has arrived meanwhile is accepted, read,
 * refused and answered between two turns. A thread of its own would cost more than it gives, since the way there and back takes
 * a sixth of what a message costs; for other processors there are other serving threads.
 */
import { setImmediate } from 'node:timers/promises'
import type { TamisError } from '../../errors/errors.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import {
  type Analysed,
  type AnalyserSettings,
  type AnalyseTask,
  analyseTaskWith,
} from './analyse-task.ts'
import { LargeMessages } from './large-messages.ts'
import { bodyOctets, lengthOf } from './message-body.ts'
import { AdmissionQueue, type Outlet } from './queue.ts'

/** Length in bytes over which a message is large. The worst known input of this size blocks the event loop for 120 ms on a slow machine. */
const SMALL_BYTES_MAX = 1024 * 1024

/**
 * How long messages that wait follow one another in a turn, in milliseconds: some eight of 5 KB, or two of 50 KB.
 * Code and weights stay in the processor's caches meanwhile. With one message in each turn, one of 5 KB took a
 * quarter more CPU time, and one of 50 KB a twentieth. Longer turns save no more, and others would wait for longer.
 */
const TURN_MS = 2

/** A message that is analysed before the first real one, so that all code is loaded by then. */
const WARM_UP_MESSAGE = 'From: tamis@localhost\r\nSubject: warm up\r\n\r\nHello\r\n'

export class Analyser {
  readonly #settings: AnalyserSettings
  readonly #queue: AdmissionQueue
  readonly #largeQueue: AdmissionQueue
  readonly #large: LargeMessages
  readonly #smallBytesMax: number
  readonly #analyseTask: ReturnType<typeof analyseTaskWith>
  /** Until when messages are analysed in this turn, on the clock of `performance.now`. */
  #turnEnds = 0
  /** How long messages were analysed in this turn, in milliseconds. */
  #analysedMs = 0
  /** Whether a connection was accepted in this turn: more may wait. */
  #hasAccepted = false
  #isEnding = false

  private constructor(settings: AnalyserSettings) {
    const { queueDepth: depthMax, queueTimeoutMs: timeoutMs, memory } = settings
    const queue = { concurrency: 1, depthMax, timeoutMs, waiting: memory.waiting }
    this.#settings = settings
    this.#queue = new AdmissionQueue(queue)
    this.#largeQueue = new AdmissionQueue(queue)
    this.#large = new LargeMessages(settings)
    this.#smallBytesMax = settings.smallBytesMax ?? SMALL_BYTES_MAX
    this.#analyseTask = analyseTaskWith(settings)
  }

  /** Opens an analyser that has analysed a message. @throws TamisError INTERNAL */
  static async open(settings: AnalyserSettings): Promise<Analyser> {
    const analyser = new Analyser(settings)
    const body = { kind: 'memory', bytes: new Uint8Array(Buffer.from(WARM_UP_MESSAGE)) } as const
    const options = { personal: true, eventFeatures: true }
    await analyser.#analyseHere({ body, facts: { now: new Date() }, options })
    return analyser
  }

  /** How many messages wait in all threads of the process. */
  get queueDepth(): number {
    return this.#queue.depth
  }

  /** True until the service is told to end: others should send their messages elsewhere. */
  get ready(): boolean {
    return !this.#isEnding
  }

  /** The service is told to end. What still comes is analysed until `close`. */
  noteEnd(): void {
    this.#isEnding = true
  }

  /** A connection was accepted: others that wait are accepted before the next messages are analysed. */
  noteConnection(): void {
    this.#hasAccepted = true
  }

  /** The error that `analyse` would throw at once for a body of `bytes`, if that is known; undefined while there is room. */
  refusal(bytes?: number): TamisError | undefined {
    return this.#queueFor(bytes).refusal()
  }

  /**
   * The Analysis of a body.
   *
   * @param outlet where the answer goes: closed when nobody waits for it any more.
   * @throws TamisError NOT_A_MESSAGE, INTERNAL, and what AdmissionQueue.run throws.
   */
  async analyse(given: Omit<AnalyseTask, 'cpuMsMax'>, outlet?: Outlet): Promise<Analysed> {
    const { body } = given
    const queued = performance.now()
    const isLarge =
      lengthOf(body) > this.#smallBytesMax || this.#settings.memory.isDeadly(bodyOctets(body))
    const queue = isLarge ? this.#largeQueue : this.#queue
    return await queue.run(async () => {
      if (!isLarge && performance.now() >= this.#turnEnds) await this.#nextTurn()
      const started = performance.now()
      const task = { ...given, cpuMsMax: this.#settings.cpuMsMax }
      const found = isLarge ? await this.#large.analyse(task) : this.#analyseHere(task)
      const analysisMs = performance.now() - started
      if (!isLarge) this.#analysedMs += analysisMs
      return { ...found, queueMs: started - queued, analysisMs }
    }, outlet)
  }

  /** Accepts nothing new, refuses what waits, and needs the other thread no more. */
  async close(): Promise<void> {
    this.noteEnd()
    this.#queue.close()
    this.#largeQueue.close()
    await this.#large.close()
  }

  /** Of a message of `bytes`; most are small. */
  #queueFor(bytes = 0): AdmissionQueue {
    return bytes > this.#smallBytesMax ? this.#largeQueue : this.#queue
  }

  #analyseHere(task: AnalyseTask): Pick<Analysed, 'analysis' | 'threadEnd'> {
    const { memory } = this.#settings
    memory.analyses(bodyOctets(task.body))
    try {
      return { analysis: withOwnSummary(this.#analyseTask(task)), threadEnd: undefined }
    } finally {
      memory.analyses(undefined)
    }
  }

  /**
   * Resolves in a later turn of the event loop, after what has arrived by then. libuv accepts one connection in each
   * turn (1.52, uv__server_io), so that those that came together would wait for a turn of analysis each: with 32 of
   * them, for half a second on a busy machine. So turns that accept a connection have no analysis, for as long as the
   * last analysis took: a flood of connections takes at most half of the time.
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
 * `analysis` with copies of the texts in its summary: V8's substrings would keep the whole header in memory, for ten
 * thousand messages while the history waits for the store.
 */
function withOwnSummary(analysis: Analysis): Analysis {
  const { messageId, senderDomain, terms } = analysis.summary
  const summary = { messageId: copyOf(messageId), senderDomain: copyOf(senderDomain), terms }
  return { ...analysis, summary }
}

/** A copy of `text`, which is ASCII. */
function copyOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
