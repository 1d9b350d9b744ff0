/**
 * Embeds texts by the encoder, on one thread of the process that starts with the first of them. It embeds window by window, some
 * 40 ms of CPU each, and each window is a turn: turns go round by caller, so that who sends a thousand pages delays a
 * sentence of another by one window. Messages that a memory is searched for are one caller.
 */
import { readEncoderId, SHIPPED_ENCODER } from '../../artifact-files/artifact-files.ts'
import { embeddingOf } from '../../encoder/encoder.ts'
import { TamisError } from '../../errors/errors.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import { DIMENSIONS } from '../../mail/personalization/memory-item.ts'
import type { Outlet } from '../admission/queue.ts'
import { Thread } from '../threads/thread.ts'
import type { EncoderFunctions, EncoderThreadData } from './encoder-in-thread.ts'

/**
 * Texts that may wait, and their characters together: a thousand sentences take some ten seconds, 25 texts of the largest size
 * half a minute. Stops a flood from filling the memory. One caller has half of it, so that others are not refused for it.
 */
const TEXTS_MAX = 1_000
const TEXTS_LENGTH_MAX = 200_000
const CALLER_SHARE = 1 / 2

/** Characters that are embedded of a text. */
const TEXT_LENGTH_MAX = 8_000

/**
 * Time in milliseconds after which the thread is ended if it has not answered. To open the encoder takes half a second: this
 * is for a thread that hangs, on a machine that is busy with other things.
 */
const CALL_MS_MAX = 30_000

/** A character that is to be seen: no control or format character, no blank, no half of a pair. */
const VISIBLE = /[^\p{C}\p{Z}]/u

export interface EmbedderSettings extends EncoderThreadData {
  /** Name and version. */
  readonly id: string
  readonly log: { warn(details: object, text: string): void }
  /** Calls in place of the thread's, for tests. */
  readonly calls?: EncoderCalls
}

/** What is asked of the thread, one call after another. */
export interface EncoderCalls {
  /** The windows of `text`. */
  windows(text: string): Promise<readonly (readonly number[])[]>
  mean(window: readonly number[]): Promise<Float32Array>
  close(): Promise<void>
}

/** Whose text it is, and how long it may wait. */
export interface EmbedOptions {
  /** The id of a key, or an address. */
  readonly caller: string
  /** Where the answer goes: when it closes, the text is dropped. */
  readonly outlet: Outlet
  /** Milliseconds after which it is given up. */
  readonly waitMsMax?: number
}

/** A text that waits for its turn, or has it. */
interface Job {
  readonly caller: string
  readonly length: number
  /** Embeds the next window. */
  step(): Promise<void>
  fail(error: unknown): void
}

export class Embedder {
  readonly id: string
  readonly #calls: EncoderCalls
  readonly #log: EmbedderSettings['log']
  /** By caller, in the order of their next turns; of each in the order of arrival. */
  readonly #waiting = new Map<string, Set<Job>>()
  #isBusy = false
  #isClosed = false
  /** Why it cannot be used until the service starts again. */
  #failure: TamisError | undefined

  constructor({ id, log, calls, ...data }: EmbedderSettings) {
    this.id = id
    this.#log = log
    this.#calls = calls ?? threadOf(data)
  }

  /** False once it could not be opened. */
  get isUsable(): boolean {
    return this.#failure === undefined
  }

  /**
   * The embedding of the first TEXT_LENGTH_MAX characters of `text`: DIMENSIONS numbers of length 1, all zero where nothing
   * is to be seen.
   *
   * @throws TamisError QUEUE_FULL, also after `waitMsMax`; REQUEST_ABANDONED, SHUTTING_DOWN, ENCODER_UNAVAILABLE.
   */
  async embed(
    text: string,
    { caller, outlet, waitMsMax = Number.POSITIVE_INFINITY }: EmbedOptions,
  ): Promise<Float32Array> {
    const read = text.slice(0, TEXT_LENGTH_MAX)
    if (!VISIBLE.test(read)) return new Float32Array(DIMENSIONS)
    if (this.#isClosed) throw shuttingDown()
    if (this.#failure !== undefined) throw this.#failure
    if (this.#isFull(read, caller)) throw this.#full()

    const { promise, resolve, reject } = Promise.withResolvers<Float32Array>()
    let windows: readonly (readonly number[])[] | undefined
    const means: Float32Array[] = []
    const job: Job = {
      caller,
      length: read.length,
      step: async () => {
        windows ??= await this.#calls.windows(read)
        means.push(await this.#calls.mean(windows[means.length]!))
        if (means.length === windows.length) resolve(embeddingOf(windows, means))
        if (means.length === windows.length) this.#leave(job)
      },
      fail: (error) => {
        this.#leave(job)
        reject(error)
      },
    }
    const abandon = () =>
      job.fail(new TamisError('REQUEST_ABANDONED', 'The client closed the connection'))
    const deadline = Number.isFinite(waitMsMax)
      ? setTimeout(() => job.fail(this.#full()), waitMsMax)
      : undefined
    const own = this.#waiting.get(caller)
    if (own === undefined) this.#waiting.set(caller, new Set([job]))
    else own.add(job)
    if (outlet.destroyed) abandon()
    else outlet.once('close', abandon)
    void this.#work()
    try {
      return await promise
    } finally {
      clearTimeout(deadline)
      outlet.off('close', abandon)
    }
  }

  /** Accepts nothing new; what waits fails. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#jobs()) job.fail(shuttingDown())
    await this.#calls.close()
  }

  /** Gives the encoder to one caller after another, as long as one waits. */
  async #work(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    for (let [job] = this.#jobs(); job !== undefined; [job] = this.#jobs()) {
      try {
        await job.step()
      } catch (cause) {
        job.fail(this.#unavailable(cause))
      }
      const jobs = this.#waiting.get(job.caller)
      this.#waiting.delete(job.caller)
      if (jobs !== undefined) this.#waiting.set(job.caller, jobs)
    }
    this.#isBusy = false
  }

  #unavailable(cause: unknown): TamisError {
    const isOpened = !(cause instanceof TamisError)
    const message = isOpened ? 'The text could not be embedded' : 'The encoder cannot be used'
    const error = new TamisError('ENCODER_UNAVAILABLE', message, { cause })
    if (!isOpened) {
      // What is missing or damaged stays so.
      this.#failure = error
      this.#log.warn(
        { code: cause.code, err: cause },
        'The encoder cannot be used: memories go by words alone, and texts are not embedded',
      )
      for (const job of this.#jobs()) job.fail(error)
    }
    return error
  }

  #jobs(): Job[] {
    return [...this.#waiting.values()].flatMap((jobs) => [...jobs])
  }

  #isFull(text: string, caller: string): boolean {
    const exceeds = (jobs: readonly Job[], share: number) =>
      jobs.length >= TEXTS_MAX * share ||
      jobs.reduce((sum, { length }) => sum + length, text.length) > TEXTS_LENGTH_MAX * share
    return exceeds(this.#jobs(), 1) || exceeds([...(this.#waiting.get(caller) ?? [])], CALLER_SHARE)
  }

  #full(): TamisError {
    return new TamisError('QUEUE_FULL', 'Too many texts are waiting to be embedded', {
      details: { queueDepth: this.#jobs().length },
    })
  }

  #leave(job: Job): void {
    const jobs = this.#waiting.get(job.caller)
    jobs?.delete(job)
    if (jobs?.size === 0) this.#waiting.delete(job.caller)
  }
}

/** The encoder that comes with Tamis; its files are opened with the first text. */
export async function openEmbedder(
  settings: Omit<EmbedderSettings, 'id' | 'folder'>,
): Promise<Embedder> {
  return new Embedder({ ...settings, folder: SHIPPED_ENCODER, id: await readEncoderId() })
}

/** The thread of the encoder. After a failure the next call starts another. */
function threadOf(workerData: EncoderThreadData): EncoderCalls {
  const thread = new Thread<EncoderFunctions>({
    module: moduleBeside(import.meta.url, 'encoder-in-thread'),
    workerData,
    endedBy: (cause) => new Error('The thread of the encoder ended', { cause }),
  })
  const answered = async <Value>(call: Promise<Value>): Promise<Value> => {
    const overdue = setTimeout(() => void thread.end(), CALL_MS_MAX)
    try {
      return await call
    } catch (error) {
      await thread.end()
      throw error
    } finally {
      clearTimeout(overdue)
    }
  }
  return {
    windows: (text) => answered(thread.call('windows', text)),
    mean: (window) => answered(thread.call('mean', window)),
    close: () => thread.close(),
  }
}

function shuttingDown(): TamisError {
  return new TamisError('SHUTTING_DOWN', 'The service is shutting down')
}
