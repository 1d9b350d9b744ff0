/** Embeds texts by the encoder, on the thread of it that all threads of the process share (encoder-in-thread.ts). */
import { setTimeout as sleep } from 'node:timers/promises'
import { readEncoderId, SHIPPED_ENCODER } from '../../artifact-files/artifact-files.ts'
import { TamisError } from '../../errors/errors.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import type { MessageEmbedding } from '../../mail/personalization/memory.ts'
import { DIMENSIONS } from '../../mail/personalization/memory-item.ts'
import { steadyNow } from '../threads/calls.ts'
import { ALONE_SHARED, type Callable, type Shared } from '../threads/shared.ts'
import type { EncoderFunctions, EncoderThreadData } from './encoder-in-thread.ts'
import { queueFull } from './encoder-queue.ts'

/** Characters that are embedded of a text. */
const TEXT_LENGTH_MAX = 8_000

/** Time in milliseconds after which a text is given up, and the thread counts as hung: twice what a full queue takes. */
const CALL_MS_MAX = 60_000

/** The thread ends when it has embedded nothing for as long. */
const IDLE_MS = 5 * 60 * 1000

/** JavaScript heap of the thread, four times what opening the encoder takes; its layers and tables are outside. */
const HEAP_MIB_MAX = 128

/** A character that is to be seen: no control or format character, no blank, no half of a pair. */
const VISIBLE = /[^\p{C}\p{Z}]/u

/** Time in milliseconds that a thread needs to end. */
const ENDING_MS = 100

/** The thread ended during a call: because it was idle, or by a fault. */
export class EncoderEnded extends Error {}

export interface EmbedderSettings {
  /** Name and version. */
  readonly id: string
  readonly log: { warn(details: object, text: string): void }
  readonly thread: Pick<Callable<EncoderFunctions>, 'call' | 'end' | 'close' | 'pending'>
}

export class Embedder {
  readonly id: string
  readonly #thread: EmbedderSettings['thread']
  readonly #log: EmbedderSettings['log']
  #isClosed = false
  /** Why it cannot be used until the service starts again. */
  #failure: TamisError | undefined

  constructor({ id, log, thread }: EmbedderSettings) {
    this.id = id
    this.#log = log
    this.#thread = thread
  }

  /** False once it could not be opened. */
  get isUsable(): boolean {
    return this.#failure === undefined
  }

  /**
   * The embedding of the first TEXT_LENGTH_MAX characters of `text`: DIMENSIONS numbers of length 1, all zero where nothing
   * is to be seen.
   *
   * @param caller the id of a key, or an address: each has its turn.
   * @throws TamisError QUEUE_FULL, also after `waitMsMax`; SHUTTING_DOWN, ENCODER_UNAVAILABLE.
   */
  async embed(text: string, caller: string, waitMsMax = CALL_MS_MAX): Promise<Float32Array> {
    const read = text.slice(0, TEXT_LENGTH_MAX)
    if (!VISIBLE.test(read)) return new Float32Array(DIMENSIONS)
    if (this.#failure !== undefined) throw this.#failure
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(queueFull(this.#thread.pending)), waitMsMax)
    try {
      return await Promise.race([late, this.#ask(caller, read, steadyNow() + waitMsMax)])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Accepts nothing new; what waits fails. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread.close()
  }

  /** Tries a second time if the thread has just ended because it was idle. */
  async #ask(
    caller: string,
    text: string,
    deadline: number,
    isAgain = false,
  ): Promise<Float32Array> {
    const overdue = setTimeout(() => void this.#thread.end(), CALL_MS_MAX).unref()
    try {
      return await this.#thread.call('embed', caller, text, deadline)
    } catch (error) {
      if (this.#isClosed) throw new TamisError('SHUTTING_DOWN', 'The service is shutting down')
      if (error instanceof EncoderEnded && !isAgain) {
        await sleep(ENDING_MS)
        return await this.#ask(caller, text, deadline, true)
      }
      throw this.#errorOf(error)
    } finally {
      clearTimeout(overdue)
    }
  }

  #errorOf(cause: unknown): TamisError {
    if (!(cause instanceof TamisError))
      return new TamisError('ENCODER_UNAVAILABLE', 'The text could not be embedded', { cause })
    if (cause.code === 'QUEUE_FULL') return cause
    // A file that is missing or damaged stays so until a restart.
    if (this.#failure === undefined) {
      this.#failure = new TamisError('ENCODER_UNAVAILABLE', 'The encoder cannot be used', { cause })
      this.#log.warn(
        { code: cause.code, err: cause },
        'The encoder cannot be used: memories go by words alone, and texts are not embedded',
      )
    }
    return this.#failure
  }
}

/** The encoder that comes with Tamis; its files are opened with the first text. */
export async function openEmbedder({
  log,
  runtimeModule,
  shared = ALONE_SHARED,
}: Pick<EmbedderSettings, 'log'> &
  Pick<EncoderThreadData, 'runtimeModule'> & { readonly shared?: Shared }): Promise<Embedder> {
  const workerData: EncoderThreadData = { folder: SHIPPED_ENCODER, runtimeModule, idleMs: IDLE_MS }
  const thread = shared.thread<EncoderFunctions>('encoder', {
    module: moduleBeside(import.meta.url, 'encoder-in-thread'),
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB_MAX },
    endedBy: (cause) => new EncoderEnded('The thread of the encoder ended', { cause }),
  })
  return new Embedder({ id: await readEncoderId(), log, thread })
}

/** Milliseconds that a message waits for it: 50 other messages. */
const WAIT_MS_MAX = 2_000

/** All messages are one caller, beside those of /classify/embed-text. */
const CALLER = ''

/**
 * The embedding of the text of a message. Undefined where there is none in time: then memories go by words alone, and the
 * request does not fail.
 */
export async function embeddingOf(
  { embedder }: { readonly embedder: Pick<Embedder, 'id' | 'isUsable' | 'embed'> },
  { log }: { readonly log: { warn(details: object, text: string): void } },
  text: string,
  waitMsMax: number = WAIT_MS_MAX,
): Promise<MessageEmbedding | undefined> {
  if (!embedder.isUsable) return undefined
  try {
    const vector = await embedder.embed(text, CALLER, waitMsMax)
    return { model: embedder.id, vector }
  } catch (error) {
    // Why it cannot be used was said once.
    if (embedder.isUsable)
      log.warn({ err: error }, 'A message was not embedded; memories go by its words')
    return undefined
  }
}
