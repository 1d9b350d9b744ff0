/** The main thread's side of an embedding model's thread (onnx-worker.ts). When the thread ends, the next text starts another. */

import { TamisError } from '../../errors/errors.ts'
import { DIMENSIONS } from '../../mail/embedding/embedding-model.ts'
import type { OnnxEmbedding } from '../../mail/embedding/onnx-embedding.ts'
import { TEXT_LENGTH_MAX } from '../../mail/embedding/static-embedding.ts'
import { moduleBeside } from '../../mail/module-beside.ts'
import { Thread } from '../threads/thread.ts'
import type { OnnxCalls, OnnxThreadData } from './onnx-in-thread.ts'

/** Texts that may wait: at 10 ms each, ten seconds. */
const WAITING_MAX = 1_000

export class OnnxThread implements OnnxEmbedding {
  readonly dimensions = DIMENSIONS
  readonly id: string
  readonly #thread: Thread<OnnxCalls>

  private constructor(id: string, thread: Thread<OnnxCalls>) {
    this.id = id
    this.#thread = thread
  }

  /**
   * Opens the model in `folder` and tries it.
   *
   * @throws TamisError CONFIG_INVALID as `openOnnxEmbedding` does.
   */
  static async open(folder: string, runtimeModule?: string): Promise<OnnxThread> {
    const workerData: OnnxThreadData = { folder, ...(runtimeModule && { runtimeModule }) }
    const thread = new Thread<OnnxCalls>({
      module: moduleBeside(import.meta.url, 'onnx-in-thread'),
      workerData,
      endedBy: (cause) => new Error('The thread of the embedding model ended', { cause }),
    })
    try {
      return new OnnxThread(await thread.call('open'), thread)
    } catch (error) {
      await thread.close()
      throw error
    }
  }

  /** @throws TamisError QUEUE_FULL when WAITING_MAX texts wait. */
  async embed(text: string): Promise<Float32Array> {
    // One of the pending texts is being embedded.
    const queueDepth = this.#thread.pending - 1
    if (queueDepth >= WAITING_MAX) {
      throw new TamisError('QUEUE_FULL', 'Too many texts are waiting for the embedding model', {
        details: { queueDepth },
      })
    }
    return await this.#thread.call('embed', text.slice(0, TEXT_LENGTH_MAX))
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }
}
