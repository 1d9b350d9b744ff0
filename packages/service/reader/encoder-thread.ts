/** The main thread's side of the encoder's thread (encoder-in-thread.ts). After a failure the next call starts another thread. */
import type { TextRead } from '../../encoder/open-encoder.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import { Thread } from '../threads/thread.ts'
import type { EncoderFunctions, EncoderThreadData } from './encoder-in-thread.ts'

/** What is asked of the encoder, one call after another. */
export interface EncoderCalls {
  /** What the first `most` pieces of `text` mean. */
  read(text: string, most: number): Promise<TextRead>
  /** The windows of `text`, each to be embedded by itself. */
  windows(text: string): Promise<number[][]>
  /** The mean of a window: some 40 ms of CPU at the most. */
  mean(window: readonly number[]): Promise<Float32Array>
  /** Accepts no more calls; the call in progress fails. */
  close(): Promise<void>
}

/**
 * Time in milliseconds after which the thread is ended if it has not answered. A call takes a quarter of a second at the
 * most, and to open the encoder half a second: this is for a thread that hangs, on a machine that is busy with other things.
 */
const CALL_MS_MAX = 30_000

export class EncoderThread implements EncoderCalls {
  /** Name and version of the encoder. */
  readonly id: string
  readonly #thread: Thread<EncoderFunctions>

  private constructor(id: string, thread: Thread<EncoderFunctions>) {
    this.id = id
    this.#thread = thread
  }

  /**
   * Opens the encoder in `folder`.
   *
   * @param runtimeModule the module to import for running it, if it is not found by its name.
   * @throws TamisError ARTIFACT_MISMATCH, ENCODER_UNAVAILABLE.
   */
  static async open(folder: string, runtimeModule?: string): Promise<EncoderThread> {
    const workerData: EncoderThreadData = { folder, ...(runtimeModule && { runtimeModule }) }
    const thread = new Thread<EncoderFunctions>({
      module: moduleBeside(import.meta.url, 'encoder-in-thread'),
      workerData,
      endedBy: (cause) => new Error('The thread of the encoder ended', { cause }),
    })
    try {
      return new EncoderThread(await thread.call('open'), thread)
    } catch (error) {
      await thread.close()
      throw error
    }
  }

  read(text: string, most: number): Promise<TextRead> {
    return this.#answered(this.#thread.call('read', text, most))
  }

  windows(text: string): Promise<number[][]> {
    return this.#answered(this.#thread.call('windows', text))
  }

  mean(window: readonly number[]): Promise<Float32Array> {
    return this.#answered(this.#thread.call('mean', window))
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }

  /** What `call` gives. If it fails, or does not answer, the thread is ended. */
  async #answered<Value>(call: Promise<Value>): Promise<Value> {
    const overdue = setTimeout(() => void this.#thread.end(), CALL_MS_MAX)
    try {
      return await call
    } catch (error) {
      await this.#thread.end()
      throw error
    } finally {
      clearTimeout(overdue)
    }
  }
}
