/** The embedding on disk: a folder with manifest.json, weights.bin and vocab.txt. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmbeddingFiles } from '../mail/embedding/embedding-artifact.ts'
import { TamisError } from '../mail/errors.ts'
import { SHIPPED_ARTIFACTS } from './artifact-files.ts'

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
  const [manifest, weights, vocabulary] = await Promise.all(
    ['manifest.json', 'weights.bin', 'vocab.txt'].map((name) => readArtifact(join(folder, name))),
  )
  return {
    manifest: parsed(manifest!, join(folder, 'manifest.json')),
    weights: weights!,
    vocabulary: vocabulary!,
  }
}

function parsed(bytes: Buffer, path: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new TamisError('ARTIFACT_MISMATCH', `${path} is not JSON`, { cause })
  }
}

async function readArtifact(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    throw new TamisError('ARTIFACT_MISMATCH', `Cannot read ${path}`, { cause })
  }
}
