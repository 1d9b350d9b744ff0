/**
 * Texts that wait for the encoder. It embeds window by window, some 40 ms of CPU each, and each window is a turn: turns go
 * round by caller, so that a caller with a thousand pages delays a sentence of another by one window. All messages that are
 * compared with memories are one caller.
 */
import { setImmediate } from 'node:timers/promises'
import { embeddingOf } from '../../encoder/encoder.ts'
import type { Encoder } from '../../encoder/open-encoder.ts'
import { TamisError } from '../../errors/errors.ts'
import { steadyNow } from '../threads/calls.ts'

/**
 * Texts that may wait, and their characters together: a thousand sentences take some ten seconds, 25 texts of the largest size
 * half a minute. Stops a flood from filling the memory. One caller may have half, so that others are not refused because of it.
 */
const TEXTS_MAX = 1_000
const TEXTS_LENGTH_MAX = 200_000
const CALLER_SHARE = 1 / 2

/** A text that waits for its turn, or has it. */
interface Job {
  readonly caller: string
  readonly text: string
  windows: readonly (readonly number[])[] | undefined
  /** Of the windows embedded so far. */
  readonly means: Float32Array[]
  /** For all that wait for it: a message to a hundred users is embedded once. */
  readonly embedding: PromiseWithResolvers<Float32Array>
  /** When the last of them gives it up, on the clock of `steadyNow`. */
  deadline: number
}

export class EncoderQueue {
  readonly #open: () => Promise<Pick<Encoder, 'windows' | 'mean'>>
  /** By caller, in the order of their next turns; of each in the order of arrival. */
  readonly #waiting = new Map<string, Map<string, Job>>()
  #isBusy = false

  /** @param open gives the encoder, for each window */
  constructor(open: () => Promise<Pick<Encoder, 'windows' | 'mean'>>) {
    this.#open = open
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /**
   * The embedding of `text`, which nobody needs after `deadline`.
   *
   * @param caller the id of a key, or an address.
   * @throws TamisError QUEUE_FULL, also where its turn came too late, and what opening the encoder throws.
   */
  async embed(caller: string, text: string, deadline: number): Promise<Float32Array> {
    const own = this.#waiting.get(caller) ?? new Map<string, Job>()
    let job = own.get(text)
    if (job === undefined) {
      this.#refuseIfFull(text, own)
      const embedding = Promise.withResolvers<Float32Array>()
      job = { caller, text, windows: undefined, means: [], embedding, deadline }
      own.set(text, job)
      this.#waiting.set(caller, own)
    }
    job.deadline = Math.max(job.deadline, deadline)
    void this.#work()
    return await job.embedding.promise
  }

  /** Gives the encoder to one caller after another until no text waits. */
  async #work(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    for (let [job] = this.#jobs(); job !== undefined; [job] = this.#jobs()) {
      await this.#embedWindow(job)
      const own = this.#waiting.get(job.caller)
      this.#waiting.delete(job.caller)
      if (own !== undefined) this.#waiting.set(job.caller, own)
      // Lets requests arrive.
      await setImmediate()
    }
    this.#isBusy = false
  }

  async #embedWindow(job: Job): Promise<void> {
    try {
      if (job.deadline < steadyNow()) throw queueFull(this.#jobs().length)
      const encoder = await this.#open()
      job.windows ??= encoder.windows(job.text)
      job.means.push(await encoder.mean(job.windows[job.means.length]!))
      if (job.means.length < job.windows.length) return
      this.#leave(job)
      job.embedding.resolve(embeddingOf(job.windows, job.means))
    } catch (error) {
      this.#leave(job)
      job.embedding.reject(error)
    }
  }

  #jobs(): Job[] {
    return [...this.#waiting.values()].flatMap((jobs) => [...jobs.values()])
  }

  #refuseIfFull(text: string, own: ReadonlyMap<string, Job>): void {
    const all = this.#jobs()
    const exceeds = (jobs: readonly Job[], share: number) =>
      jobs.length >= TEXTS_MAX * share ||
      jobs.reduce((sum, job) => sum + job.text.length, text.length) > TEXTS_LENGTH_MAX * share
    if (!exceeds(all, 1) && !exceeds([...own.values()], CALLER_SHARE)) return
    throw queueFull(all.length)
  }

  #leave({ caller, text }: Job): void {
    const own = this.#waiting.get(caller)
    own?.delete(text)
    if (own?.size === 0) this.#waiting.delete(caller)
  }
}

export function queueFull(queueDepth: number): TamisError {
  return new TamisError('QUEUE_FULL', 'Too many texts are waiting to be embedded', {
    details: { queueDepth },
  })
}
