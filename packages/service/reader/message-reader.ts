/**
 * Reads a message a second time, for its meaning: the encoder's numbers for its text, and what the reader's model makes
 * of them (packages/mail/models/reader.ts).
 */
import { TamisError } from '../../errors/errors.ts'
import type { ReadSentence } from '../../mail/models/contributions.ts'
import { type ReaderModel, readerLogits } from '../../mail/models/reader.ts'
import type { ReaderAnswer } from '../../mail/verdict/analysis.ts'
import type { Outlet } from '../admission/queue.ts'
import type { EncoderTurns } from './encoder-turns.ts'
import { leavingOutEach } from './sentences.ts'

/** Milliseconds after which a verdict does without the reading. It is ten readings of 20 ms, and nobody notices that mail comes so much later. */
export const DEADLINE_MS = 250

/** Milliseconds in which a message is read once more without each of its sentences: a person waits for that. */
const SENTENCES_MS = 3_000

/** What came of a reading. */
export interface Reading {
  readonly answer: ReaderAnswer
  /** With an answer: for each of CLASSES the log-odds against the others. */
  readonly classes?: readonly number[]
  /** How many pieces of words were read; 0 without an answer. */
  readonly pieces: number
  /** Why it failed. */
  readonly failure?: unknown
}

export class MessageReader {
  readonly #model: ReaderModel
  readonly #turns: Pick<EncoderTurns, 'read' | 'isWorking'>
  readonly #deadlineMs: number

  constructor(
    model: ReaderModel,
    turns: Pick<EncoderTurns, 'read' | 'isWorking'>,
    deadlineMs: number = DEADLINE_MS,
  ) {
    this.#model = model
    this.#turns = turns
    this.#deadlineMs = deadlineMs
  }

  /** False when the encoder has failed, and has not answered since. */
  get isWorking(): boolean {
    return this.#turns.isWorking
  }

  /**
   * What the reader says of `essence` (Analysis.essence).
   *
   * @param outlet where the verdict goes.
   * @throws TamisError REQUEST_ABANDONED when it closes meanwhile.
   */
  async read(essence: string, outlet?: Outlet): Promise<Reading> {
    return await this.#read(essence, this.#deadlineMs, outlet)
  }

  /**
   * By how much each sentence of `essence` moved the log-odds of the verdict, the strongest first: the essence is read once
   * more without it. Undefined when that takes too long, or fails.
   *
   * @param logit what the reader says of all of it.
   * @throws TamisError REQUEST_ABANDONED
   */
  async sentences(
    essence: string,
    logit: number,
    outlet?: Outlet,
  ): Promise<readonly ReadSentence[] | undefined> {
    const ends = performance.now() + SENTENCES_MS
    const sentences: ReadSentence[] = []
    for (const { sentence, rest } of leavingOutEach(essence)) {
      const { answer } = await this.#read(rest, ends - performance.now(), outlet)
      if (typeof answer !== 'number') return undefined
      sentences.push({ text: sentence, logit: this.#model.fusion.reader * (logit - answer) })
    }
    return sentences.sort((one, other) => Math.abs(other.logit) - Math.abs(one.logit))
  }

  async #read(text: string, deadlineMs: number, outlet: Outlet | undefined): Promise<Reading> {
    try {
      const found = await this.#turns.read(text, this.#model.piecesMax, deadlineMs, outlet)
      if (found === 'late') return { answer: 'late', pieces: 0 }
      const { spam, classes } = readerLogits(this.#model, found.means)
      return { answer: spam, classes, pieces: found.pieces }
    } catch (failure) {
      if (failure instanceof TamisError && failure.code === 'REQUEST_ABANDONED') throw failure
      return { answer: 'failed', pieces: 0, failure }
    }
  }
}
