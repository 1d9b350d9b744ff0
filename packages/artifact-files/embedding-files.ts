/** The embedding on disk: a folder with manifest.json, weights.bin and vocab.txt. */
import { join } from 'node:path'
import type { EmbeddingFiles } from '../mail/embedding/embedding-artifact.ts'
import { readArtifact, readManifest, SHIPPED_ARTIFACTS } from './artifact-files.ts'

/** The embedding that comes with the package. */
export const SHIPPED_EMBEDDING: string = join(SHIPPED_ARTIFACTS, 'embedding')

/**
 * The files in `folder`, not yet checked: `embeddingTables` does that.
 *
 * @throws TamisError ARTIFACT_MISMATCH when a file is missing or the manifest is not JSON.
 */
export async function readEmbeddingFiles(
  folder: string = SHIPPED_EMBEDDING,
): Promise<EmbeddingFiles> {
  const [manifest, weights, vocabulary] = await Promise.all([
    readManifest(folder),
    readArtifact(join(folder, 'weights.bin')),
    readArtifact(join(folder, 'vocab.txt')),
  ])
  return { manifest, weights, vocabulary }
}
