/** The embedding model that the settings name. */

import { readEmbeddingFiles } from '../../artifact-files/embedding-files.ts'
import { embeddingTables } from '../../mail/embedding/embedding-artifact.ts'
import type { TextEmbedding } from '../../mail/embedding/embedding-model.ts'
import { type EmbeddingTables, staticEmbedding } from '../../mail/embedding/static-embedding.ts'
import type { MessageEmbedder } from '../../mail/personalization/personal-analysis.ts'
import { OnnxThread } from './onnx-thread.ts'

export interface OpenedEmbedding {
  readonly model: TextEmbedding
  /** The embedder for analysing messages on this thread. */
  readonly embedder: MessageEmbedder
  /** The tables for analysing them on other threads; absent when the model has a thread of its own. */
  readonly tables?: EmbeddingTables
  close(): Promise<void>
}

/**
 * The operator's own model in `folder`, else the one that comes with Tamis.
 *
 * @param onnxRuntime the module to import for running it, if it is not found by its name.
 * @throws TamisError CONFIG_INVALID, ARTIFACT_MISMATCH
 */
export async function openEmbedding(
  folder: string | undefined,
  onnxRuntime?: string,
): Promise<OpenedEmbedding> {
  if (folder !== undefined) {
    const thread = await OnnxThread.open(folder, onnxRuntime)
    return { model: thread, embedder: 'elsewhere', close: () => thread.close() }
  }
  const tables = embeddingTables(await readEmbeddingFiles())
  const model = staticEmbedding(tables)
  return { model, embedder: model, tables, close: () => Promise.resolve() }
}
