/**
 * Gives the Analyses of messages: of most on this thread (analysis-in-turns.ts), of large ones on a thread of
 * their own (analysis-on-thread.ts). Both have a queue, where messages wait for their turn.
 */

import type { TamisError } from '../../errors/errors.ts'
import type { AnalyseOptions } from '../../mail/analyse.ts'
import type { Facts } from '../../mail/signals/signal.ts'
import type { Analysed, AnalyserSettings, Turn } from './analyse-task.ts'
import { AnalysisInTurns } from './analysis-in-turns.ts'
import { AnalysisOnThread } from './analysis-on-thread.ts'
import { lengthOf, type MessageBody } from './message-body.ts'

/**
 * Length in bytes from which a message goes to the thread. It gets few messages, so its code is never warm, and one of
 * 1 MB takes 30 ms there instead of 3. The worst known input of this size blocks the event loop for 250 ms on a slow machine.
 */
const THREAD_BYTES_MIN = 2 * 1024 * 1024

/** A message that is analysed before the first real one, so that all code is loaded by then. */
const WARM_UP_MESSAGE = 'From: tamis@localhost\r\nSubject: warm up\r\n\r\nHello\r\n'

export class Analyser {
  readonly #here: AnalysisInTurns
  readonly #apart: AnalysisOnThread
  readonly #threadBytesMin: number
  #isEnding = false

  private constructor(settings: AnalyserSettings) {
    this.#here = new AnalysisInTurns(settings)
    this.#apart = new AnalysisOnThread(settings)
    this.#threadBytesMin = settings.threadBytesMin ?? THREAD_BYTES_MIN
  }

  /** Opens an analyser that has analysed a message. @throws TamisError INTERNAL */
  static async open(settings: AnalyserSettings): Promise<Analyser> {
    const analyser = new Analyser(settings)
    const bytes = new Uint8Array(Buffer.from(WARM_UP_MESSAGE))
    const options = { personal: true, eventFeatures: true }
    await analyser.#here.analyse({ kind: 'memory', bytes }, { now: new Date() }, options, {})
    return analyser
  }

  /** How many messages wait in both queues. */
  get queueDepth(): number {
    return this.#here.queue.depth + this.#apart.queue.depth
  }

  /** How many wait in the queue of most messages. */
  get depthInTurns(): number {
    return this.#placeFor().queue.depth
  }

  /** How many more it would accept now. */
  get roomInTurns(): number {
    return this.#placeFor().queue.room
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
    this.#here.noteConnection()
  }

  /** The error that `analyse` would throw at once for a body of `bytes`, if that is known; undefined while there is room. */
  refusal(bytes?: number): TamisError | undefined {
    return this.#placeFor(bytes).queue.refusal(bytes)
  }

  /**
   * The Analysis of `body`. The bytes of a large body are handed over and can no longer be used on this thread.
   *
   * @throws TamisError NOT_A_MESSAGE, INTERNAL, and what AdmissionQueue.run throws.
   */
  analyse(
    body: MessageBody,
    facts: Facts,
    options: AnalyseOptions = {},
    turn: Turn = {},
  ): Promise<Analysed> {
    return this.#placeFor(lengthOf(body)).analyse(body, facts, options, turn)
  }

  /** Accepts nothing new, gives what is queued `graceMs` to finish, and ends the thread. */
  async close(graceMs: number): Promise<void> {
    this.noteEnd()
    await Promise.all([this.#here.close(graceMs), this.#apart.close(graceMs)])
  }

  /** Where a message of `bytes` is analysed; most are small. */
  #placeFor(bytes = 0): AnalysisInTurns | AnalysisOnThread {
    return bytes >= this.#threadBytesMin ? this.#apart : this.#here
  }
}
