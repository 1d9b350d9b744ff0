/** Model artifacts on disk: one folder a model, each with manifest.json and weights.bin. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TamisError } from '../errors.ts'
import { modelsFromArtifacts } from '../models/artifact.ts'
import type { Models } from '../models/models.ts'

/** The artifacts that come with the package. */
export const SHIPPED_ARTIFACTS: string = join(import.meta.dirname, '../../artifacts')

/**
 * The models in `folder`.
 *
 * @throws TamisError ARTIFACT_MISMATCH when a file is missing, damaged, or of another version.
 */
export async function readModels(folder: string = SHIPPED_ARTIFACTS): Promise<Models> {
  const [text, meta, tabs, fusion] = await Promise.all([
    readModel(join(folder, 'text')),
    readModel(join(folder, 'meta')),
    readModel(join(folder, 'tabs')),
    readManifest(join(folder, 'fusion')),
  ])
  return modelsFromArtifacts({ text, meta, tabs, fusion: { manifest: fusion } })
}

async function readModel(folder: string): Promise<{ manifest: unknown; weights: Uint8Array }> {
  const [manifest, weights] = await Promise.all([
    readManifest(folder),
    readArtifact(join(folder, 'weights.bin')),
  ])
  return { manifest, weights }
}

async function readManifest(folder: string): Promise<unknown> {
  const path = join(folder, 'manifest.json')
  const text = (await readArtifact(path)).toString('utf8')
  try {
    return JSON.parse(text)
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
