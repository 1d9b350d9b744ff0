/** The embedding model that the settings name. */

import { readEmbeddingFiles } from '../../artifact-files/embedding-files.ts'
import { embeddingTables } from '../../mail/embedding/embedding-artifact.ts'
import type { TextEmbedding } from '../../mail/embedding/embedding-model.ts'
import { type EmbeddingTables, staticEmbedding } from '../../mail/embedding/static-embedding.ts'
import type { MessageEmbedder } from '../../mail/personalization/personal-analysis.ts'
import type { Outlet } from '../admission/queue.ts'
import { OnnxThread } from './onnx-thread.ts'

/** A model of texts, which drops a text when `outlet`, where the answer goes, closes, and may let callers have turns. */
export interface TextEmbedder extends TextEmbedding {
  embed(text: string, outlet?: Outlet, caller?: string): Float32Array | Promise<Float32Array>
}

export interface OpenedEmbedding {
  readonly model: TextEmbedding
  /** The embedder for analysing messages on this thread. */
  readonly embedder: MessageEmbedder
  /** The tables for analysing them on other threads; absent when the model has a thread of its own. */
  readonly tables?: EmbeddingTables
  close(): Promise<void>
}

/** The folder that TAMIS_EMBEDDING names, with the operator's own model; undefined for those that come with Tamis. */
export function ownModelFolder(setting: string): string | undefined {
  return setting === 'encoder' || setting === 'table' ? undefined : setting
}

/**
 * What memories are searched with under `setting` (TAMIS_EMBEDDING): the operator's own model, else the table that comes with
 * Tamis.
 *
 * @param onnxRuntime the module to import for running it, if it is not found by its name.
 * @throws TamisError CONFIG_INVALID, ARTIFACT_MISMATCH
 */
export async function openEmbedding(
  setting: string,
  onnxRuntime?: string,
): Promise<OpenedEmbedding> {
  const folder = ownModelFolder(setting)
  if (folder !== undefined) {
    const thread = await OnnxThread.open(folder, onnxRuntime)
    return { model: thread, embedder: 'elsewhere', close: () => thread.close() }
  }
  const tables = embeddingTables(await readEmbeddingFiles())
  const model = staticEmbedding(tables)
  return { model, embedder: model, tables, close: () => Promise.resolve() }
}
