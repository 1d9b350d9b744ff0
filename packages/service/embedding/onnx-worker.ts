/**
 * The thread on which an operator's own embedding model works: onnxruntime-node computes on the
 * thread that asks it, for milliseconds, and neither HTTP nor the analysis of mail has time for that.
 */
import { workerData } from 'node:worker_threads'
import type { OnnxEmbedding } from '../../mail/embedding/onnx-embedding.ts'
import { TamisError } from '../../mail/errors.ts'
import { openOnnxEmbedding } from './onnx-files.ts'

export interface OnnxWorkerData {
  readonly folder: string
  /** What is imported to run the model, where it is not found by its name. */
  readonly runtimeModule?: string
}

/** Plain data, because an error loses its class between threads. */
export type Opened = { readonly id: string } | { readonly refusal: string }

const { folder, runtimeModule } = workerData as OnnxWorkerData

let model: OnnxEmbedding | undefined

/** To be asked first. */
export async function open(): Promise<Opened> {
  try {
    model ??= await openOnnxEmbedding(folder, runtimeModule)
    return { id: model.id }
  } catch (error) {
    if (error instanceof TamisError) return { refusal: error.message }
    throw error
  }
}

/** The embedding of `text`; the model is opened where the thread is a new one. */
export async function embed(text: string): Promise<Float32Array> {
  model ??= await openOnnxEmbedding(folder, runtimeModule)
  return await model.embed(text)
}
