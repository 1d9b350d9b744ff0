/**
 * Who has the encoder next: it does one thing at a time, for messages that are to be read and for texts that are to
 * be embedded. Each kind waits in a lane of its own, first in, first out, and when both wait, the one has the encoder
 * that has had it for less time. So a flood of long texts makes no reading late, and a flood of doubtful messages
 * keeps no sentence waiting for more than one of them.
 *
 * A reading is worth nothing after its deadline, so it leaves the lane then. A text is embedded window by window, each of
 * which is a turn, and turns go round by caller: who sends a thousand pages delays a sentence of another by one window.
 */

import { embeddingOf } from '../../encoder/encoder.ts'
import type { TextRead } from '../../encoder/open-encoder.ts'
import { TamisError } from '../../errors/errors.ts'
import type { Outlet } from '../admission/queue.ts'
import type { EncoderCalls } from './encoder-thread.ts'

/** Readings that may wait: more than can be done before their deadline, at 20 ms each. A further one is late at once. */
const READINGS_MAX = 32

/**
 * Texts that may wait, and their characters together: a thousand sentences take some ten seconds, 25 texts of the largest size
 * half a minute. Stops a flood from filling the memory. One caller has half of it, so that others are not refused for it.
 */
const TEXTS_MAX = 1_000
const TEXTS_LENGTH_MAX = 200_000
const CALLER_SHARE = 1 / 2

/** A reading or a text that waits for its turn, or has it. */
interface Job {
  /** Who asks; '' for readings. */
  readonly caller: string
  /** Does the next part of it. */
  step(): Promise<void>
  /** Ends it without a result. */
  fail(error: unknown): void
}

/** Texts of one caller that wait. */
interface Waiting {
  count: number
  length: number
}

interface Lane {
  /** By caller, in the order of their next turns; of each in the order of arrival. They are sets, so that one in the middle can leave at no cost. */
  readonly waiting: Map<string, Set<Job>>
  /** Milliseconds for which it had the encoder, and what it has let pass while nobody waited in it. */
  spentMs: number
}

export class EncoderTurns {
  readonly #encoder: EncoderCalls
  readonly #readings: Lane = { waiting: new Map(), spentMs: 0 }
  readonly #texts: Lane = { waiting: new Map(), spentMs: 0 }
  readonly #textsOf = new Map<string, Waiting>()
  readonly #allTexts: Waiting = { count: 0, length: 0 }
  #isBusy = false
  #isClosed = false
  #isFailing = false

  constructor(encoder: EncoderCalls) {
    this.#encoder = encoder
  }

  /** False when the last thing that the encoder was to do failed. */
  get isWorking(): boolean {
    return !this.#isFailing
  }

  /**
   * What the first `most` pieces of `text` mean; 'late' when that is not known after `deadlineMs`.
   *
   * @param text of bounded length.
   * @param outlet where the answer goes: when it closes, the text leaves the lane.
   * @throws TamisError REQUEST_ABANDONED, SHUTTING_DOWN; and what the encoder throws.
   */
  async read(
    text: string,
    most: number,
    deadlineMs: number,
    outlet?: Outlet,
  ): Promise<TextRead | 'late'> {
    if ((this.#readings.waiting.get('')?.size ?? 0) > READINGS_MAX) return 'late'
    let deadline: NodeJS.Timeout | undefined
    try {
      return await this.#inLane<TextRead | 'late'>(this.#readings, '', outlet, (settle) => {
        deadline = setTimeout(() => settle('late'), deadlineMs)
        return async () => settle(await this.#encoder.read(text, most))
      })
    } finally {
      clearTimeout(deadline)
    }
  }

  /**
   * The embedding of `text`.
   *
   * @param text of bounded length.
   * @param caller whose text it is: the id of a key, or an address.
   * @throws TamisError QUEUE_FULL when too many texts wait, REQUEST_ABANDONED, SHUTTING_DOWN; and what the encoder throws.
   */
  async embed(text: string, outlet?: Outlet, caller = ''): Promise<Float32Array> {
    const own = this.#textsOf.get(caller) ?? { count: 0, length: 0 }
    const all = this.#allTexts
    if (isFull(all, text, 1) || isFull(own, text, CALLER_SHARE)) {
      throw new TamisError('QUEUE_FULL', 'Too many texts are waiting to be embedded', {
        details: { queueDepth: all.count },
      })
    }
    this.#textsOf.set(caller, own)
    for (const waiting of [own, all]) {
      waiting.count += 1
      waiting.length += text.length
    }
    try {
      return await this.#inLane<Float32Array>(this.#texts, caller, outlet, (settle) => {
        let windows: readonly (readonly number[])[] | undefined
        const means: Float32Array[] = []
        return async () => {
          if (windows === undefined) windows = await this.#encoder.windows(text)
          else means.push(await this.#encoder.mean(windows[means.length]!))
          if (means.length === windows.length) settle(embeddingOf(windows, means))
        }
      })
    } finally {
      for (const waiting of [own, all]) {
        waiting.count -= 1
        waiting.length -= text.length
      }
      if (own.count === 0) this.#textsOf.delete(caller)
    }
  }

  /** Accepts nothing new; what waits fails. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { waiting } of [this.#readings, this.#texts]) {
      for (const job of [...waiting.values()].flatMap((jobs) => [...jobs])) job.fail(shuttingDown())
    }
    await this.#encoder.close()
  }

  /**
   * A job in `lane`, until it is settled or fails: resolves to what it is settled with.
   *
   * @param begin gives what the job does in each of its turns.
   */
  async #inLane<Result>(
    { waiting }: Lane,
    caller: string,
    outlet: Outlet | undefined,
    begin: (settle: (result: Result) => void) => Job['step'],
  ): Promise<Result> {
    if (this.#isClosed) throw shuttingDown()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const leave = () => {
      const jobs = waiting.get(caller)
      jobs?.delete(job)
      if (jobs?.size === 0) waiting.delete(caller)
    }
    const step = begin((result) => {
      leave()
      resolve(result)
    })
    const job: Job = {
      caller,
      step,
      fail: (error) => {
        leave()
        reject(error)
      },
    }
    const abandon = () =>
      job.fail(new TamisError('REQUEST_ABANDONED', 'The client closed the connection'))
    this.#enter(job, waiting)
    if (outlet?.destroyed) abandon()
    else outlet?.once('close', abandon)
    void this.#work()
    try {
      return await promise
    } finally {
      outlet?.off('close', abandon)
    }
  }

  #enter(job: Job, waiting: Lane['waiting']): void {
    const [lane, other] =
      waiting === this.#texts.waiting
        ? [this.#texts, this.#readings]
        : [this.#readings, this.#texts]
    // What a lane did not use while nobody waited in it is lost.
    if (waiting.size === 0) lane.spentMs = Math.max(lane.spentMs, other.spentMs)
    const own = waiting.get(job.caller)
    if (own === undefined) waiting.set(job.caller, new Set([job]))
    else own.add(job)
  }

  /** Gives the encoder to one job after another, as long as one waits. */
  async #work(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    for (let lane = this.#nextLane(); lane !== undefined; lane = this.#nextLane()) {
      const job = nextJob(lane)
      const started = performance.now()
      try {
        await job.step()
        this.#isFailing = false
      } catch (error) {
        this.#isFailing = true
        job.fail(error)
      }
      lane.spentMs += performance.now() - started
      letOthersPass(lane, job.caller)
    }
    this.#isBusy = false
  }

  /** The lane in which somebody waits; of both the one that has had the encoder for less time, and of equals the readings. */
  #nextLane(): Lane | undefined {
    return [this.#readings, this.#texts]
      .filter(({ waiting }) => waiting.size > 0)
      .sort((one, other) => one.spentMs - other.spentMs)[0]
  }
}

/** The next job of the caller whose turn it is. */
function nextJob({ waiting }: Lane): Job {
  const [jobs] = waiting.values() as Iterable<Set<Job>> as [Set<Job>]
  const [job] = jobs as Iterable<Job> as [Job]
  return job
}

/** Puts `caller` behind all others that wait. */
function letOthersPass({ waiting }: Lane, caller: string): void {
  const jobs = waiting.get(caller)
  if (jobs === undefined) return
  waiting.delete(caller)
  waiting.set(caller, jobs)
}

function isFull({ count, length }: Waiting, text: string, share: number): boolean {
  return count >= TEXTS_MAX * share || length + text.length > TEXTS_LENGTH_MAX * share
}

function shuttingDown(): TamisError {
  return new TamisError('SHUTTING_DOWN', 'The service is shutting down')
}
