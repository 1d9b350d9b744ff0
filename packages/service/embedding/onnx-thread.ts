/** This side of an embedding model's thread (onnx-worker.ts). When the thread ends, the next text starts another. */
import { Piscina } from 'piscina'
import { DIMENSIONS } from '../../mail/embedding/embedding-model.ts'
import type { OnnxEmbedding } from '../../mail/embedding/onnx-embedding.ts'
import { TEXT_LENGTH_MAX } from '../../mail/embedding/static-embedding.ts'
import { TamisError } from '../../mail/errors.ts'
import { workerModule } from '../../mail/worker-module.ts'
import type { OnnxWorkerData, Opened } from './onnx-worker.ts'

/** Texts that may wait: at 10 ms each, ten seconds. */
const WAITING_MAX = 1_000

export class OnnxThread implements OnnxEmbedding {
  readonly dimensions = DIMENSIONS
  readonly id: string
  readonly #pool: Piscina

  private constructor(id: string, pool: Piscina) {
    this.id = id
    this.#pool = pool
  }

  /**
   * The model in `folder`, after a trial.
   *
   * @throws TamisError CONFIG_INVALID as `openOnnxEmbedding` does.
   */
  static async open(folder: string, runtimeModule?: string): Promise<OnnxThread> {
    const workerData: OnnxWorkerData = { folder, ...(runtimeModule && { runtimeModule }) }
    const pool = new Piscina({
      filename: workerModule(import.meta.url, 'onnx-worker').href,
      minThreads: 1,
      maxThreads: 1,
      workerData,
      recordTiming: false,
    })
    // The end of the thread while it is idle: whoever asks next gets another.
    pool.on('error', () => {})
    const opened: Opened = await pool.run(undefined, { name: 'open' })
    if ('id' in opened) return new OnnxThread(opened.id, pool)
    await pool.destroy()
    throw new TamisError('CONFIG_INVALID', opened.refusal)
  }

  /** @throws TamisError QUEUE_FULL when WAITING_MAX texts wait. */
  async embed(text: string): Promise<Float32Array> {
    const queueDepth = this.#pool.queueSize
    if (queueDepth >= WAITING_MAX) {
      throw new TamisError('QUEUE_FULL', 'As many texts wait for the embedding model as may wait', {
        details: { queueDepth },
      })
    }
    return await this.#pool.run(text.slice(0, TEXT_LENGTH_MAX), { name: 'embed' })
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }
}
