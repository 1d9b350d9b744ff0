/**
 * The thread on which an operator's own embedding model runs: onnxruntime-node computes on the calling
 * thread, for milliseconds, and neither HTTP nor the analysis of mail has time for that.
 */
import { workerData } from 'node:worker_threads'
import type { OnnxEmbedding } from '../../mail/embedding/onnx-embedding.ts'
import { answerCalls } from '../threads/calls.ts'
import { openOnnxEmbedding } from './onnx-files.ts'

export interface OnnxThreadData {
  readonly folder: string
  /** The module to import for running the model, if it is not found by its name. */
  readonly runtimeModule?: string
}

const { folder, runtimeModule } = workerData as OnnxThreadData

/** Opened once per thread, by the first call; a call after a failure tries again. */
let model: Promise<OnnxEmbedding> | undefined

export type OnnxCalls = typeof CALLS

const CALLS = {
  /** Opens the model and returns its id. To be called first. */
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
