/**
 * The thread on which an operator's own embedding model works: onnxruntime-node computes on the
 * thread that asks it, for milliseconds, and neither HTTP nor the analysis of mail has time for that.
 */
import { workerData } from 'node:worker_threads'
import type { OnnxEmbedding } from '../../mail/embedding/onnx-embedding.ts'
import { answerCalls } from '../threads/answer-calls.ts'
import { openOnnxEmbedding } from './onnx-files.ts'

export interface OnnxWorkerData {
  readonly folder: string
  /** What is imported to run the model, where it is not found by its name. */
  readonly runtimeModule?: string
}

const { folder, runtimeModule } = workerData as OnnxWorkerData

/** Opened once in the life of the thread, by the first who asks; whoever asks after a failure tries again. */
let model: Promise<OnnxEmbedding> | undefined

export type OnnxCalls = typeof CALLS

const CALLS = {
  /** The name of the model. To be asked first. */
  open: async () => (await opened()).id,
  embed: async (text: string) => await (await opened()).embed(text),
}

answerCalls(CALLS)

function opened(): Promise<OnnxEmbedding> {
  model ??= openOnnxEmbedding(folder, runtimeModule).catch((error: unknown) => {
    model = undefined
    throw error
  })
  return model
}
