/** Model artifacts on disk: one folder per model, each with manifest.json and weights.bin. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TamisError } from '../errors/errors.ts'
import type { CommonText } from '../mail/features/common-text.ts'
import type { Knowledge } from '../mail/knowledge/knowledge.ts'
import { knowledgeFromArtifact } from '../mail/knowledge/knowledge-artifact.ts'
import { commonTextFromArtifact, modelsFromArtifacts } from '../mail/models/artifact.ts'
import { type Canary, canaryFrom } from '../mail/models/canary.ts'
import type { Models } from '../mail/models/models.ts'

/** The artifacts that come with the package. */
export const SHIPPED_ARTIFACTS: string = join(import.meta.dirname, '../../artifacts')

/** The pretrained encoder that comes with the package. */
export const SHIPPED_ENCODER: string = join(SHIPPED_ARTIFACTS, 'encoder')

/**
 * The models in `folder`.
 *
 * @throws TamisError ARTIFACT_MISMATCH when a file is missing, damaged, or of another version.
 */
export async function readModels(folder: string = SHIPPED_ARTIFACTS): Promise<Models> {
  const [text, meta, tabs, fusion, commonText] = await Promise.all([
    readModel(join(folder, 'text')),
    readModel(join(folder, 'meta')),
    readModel(join(folder, 'tabs')),
    readManifest(join(folder, 'fusion')),
    readCommonText(),
  ])
  return modelsFromArtifacts({ text, meta, tabs, fusion: { manifest: fusion } }, commonText)
}

/** What the mail of many senders has in common. It comes with the package and serves whichever models are in use. */
export async function readCommonText(): Promise<CommonText> {
  const folder = join(SHIPPED_ARTIFACTS, 'common-text')
  const [manifest, table] = await Promise.all([
    readManifest(folder),
    readArtifact(join(folder, 'table.bin')),
  ])
  return commonTextFromArtifact(manifest, table)
}

/** Name and version of the encoder that comes with the package. @throws TamisError ARTIFACT_MISMATCH when it is missing. */
export async function readEncoderId(): Promise<string> {
  const { name, version } = (await readManifest(SHIPPED_ENCODER)) as Record<string, unknown>
  return `${name}-${version}`
}

/**
 * The canary set that comes with the package. It serves whichever models are in use, since all have the same features.
 *
 * @throws TamisError ARTIFACT_MISMATCH
 */
export async function readCanary(models: Pick<Models, 'metaNumbering'>): Promise<Canary> {
  return canaryFrom(await readJson(join(SHIPPED_ARTIFACTS, 'canary', 'canary.json')), models)
}

/**
 * What is known of senders and hosts: the artifact `known-domains` in `folder`, which by default is the
 * one that comes with the package.
 *
 * @throws TamisError ARTIFACT_MISMATCH when a file is missing or damaged.
 */
export async function readKnowledge(folder: string = SHIPPED_ARTIFACTS): Promise<Knowledge> {
  const [manifest, table] = await Promise.all([
    readManifest(join(folder, 'known-domains')),
    readArtifact(join(folder, 'known-domains', 'table.bin')),
  ])
  return knowledgeFromArtifact(manifest, table)
}

async function readModel(folder: string): Promise<{ manifest: unknown; weights: Uint8Array }> {
  const [manifest, weights] = await Promise.all([
    readManifest(folder),
    readArtifact(join(folder, 'weights.bin')),
  ])
  return { manifest, weights }
}

export async function readManifest(folder: string): Promise<unknown> {
  return await readJson(join(folder, 'manifest.json'))
}

async function readJson(path: string): Promise<unknown> {
  const text = (await readArtifact(path)).toString('utf8')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TamisError('ARTIFACT_MISMATCH', `${path} is not JSON`, { cause })
  }
}

/** @throws TamisError ARTIFACT_MISMATCH when it cannot be read. */
export async function readArtifact(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    throw new TamisError('ARTIFACT_MISMATCH', `Cannot read ${path}`, { cause })
  }
}
