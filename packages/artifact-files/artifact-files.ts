/**
 * Model artifacts on disk: one folder per model, each with manifest.json and weights.bin. Tables are read once a
 * process, into memory that all its threads share, and are checked by the digest of their manifest as they are read.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TamisError } from '../errors/errors.ts'
import type { CommonText } from '../mail/features/common-text.ts'
import { type Knowledge, knowledgeFromArtifact } from '../mail/knowledge/knowledge.ts'
import { commonTextFromArtifact, modelsFromArtifacts } from '../mail/models/artifact.ts'
import { type Canary, canaryFrom } from '../mail/models/canary.ts'
import type { Models } from '../mail/models/models.ts'

/** The artifacts that come with the package. */
export const SHIPPED_ARTIFACTS: string = join(import.meta.dirname, '../../artifacts')

/** The pretrained encoder that comes with the package. */
export const SHIPPED_ENCODER: string = join(SHIPPED_ARTIFACTS, 'encoder')

/** Memory by name; `make` runs for the first call. */
export interface Memory {
  memory(
    name: string,
    make: () => SharedArrayBuffer | Promise<SharedArrayBuffer>,
  ): Promise<SharedArrayBuffer>
}

/** Shares nothing. */
const OWN: Memory = { memory: async (_, make) => await make() }

/**
 * The models in `folder`.
 *
 * @throws TamisError ARTIFACT_MISMATCH when a file is missing, damaged, or of another version.
 */
export async function readModels(
  folder: string = SHIPPED_ARTIFACTS,
  shared: Memory = OWN,
): Promise<Models> {
  const [text, meta, tabs, fusion, commonText] = await Promise.all([
    readModel(join(folder, 'text'), shared),
    readModel(join(folder, 'meta'), shared),
    readModel(join(folder, 'tabs'), shared),
    readManifest(join(folder, 'fusion')),
    readCommonText(shared),
  ])
  return modelsFromArtifacts({ text, meta, tabs, fusion: { manifest: fusion } }, commonText)
}

/** What the mail of many senders has in common. It comes with the package and serves whichever models are in use. */
export async function readCommonText(shared: Memory = OWN): Promise<CommonText> {
  const folder = join(SHIPPED_ARTIFACTS, 'common-text')
  const manifest = await readManifest(folder)
  const { sha256 } = manifest as { readonly sha256?: unknown }
  return commonTextFromArtifact(manifest, await table(join(folder, 'table.bin'), sha256, shared))
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
 * What is known of senders and hosts: the artifact `known-domains` that comes with the package.
 *
 * @throws TamisError ARTIFACT_MISMATCH when a file is missing or damaged.
 */
export async function readKnowledge(shared: Memory = OWN): Promise<Knowledge> {
  const folder = join(SHIPPED_ARTIFACTS, 'known-domains')
  const manifest = await readManifest(folder)
  const { table: its } = manifest as { readonly table?: { readonly sha256?: unknown } }
  return knowledgeFromArtifact(
    manifest,
    await table(join(folder, 'table.bin'), its?.sha256, shared),
  )
}

async function readModel(folder: string, shared: Memory) {
  const manifest = await readManifest(folder)
  const { weights } = manifest as { readonly weights?: { readonly sha256?: unknown } }
  return { manifest, weights: await table(join(folder, 'weights.bin'), weights?.sha256, shared) }
}

/**
 * The bytes at `path`.
 *
 * @param sha256 as the manifest says, of which nothing is checked yet.
 * @throws TamisError ARTIFACT_MISMATCH when they have another digest or cannot be read.
 */
async function table(path: string, sha256: unknown, shared: Memory): Promise<SharedArrayBuffer> {
  return await shared.memory(`${path} ${sha256}`, async () => {
    const bytes = await readArtifact(path)
    if (createHash('sha256').update(bytes).digest('hex') === sha256) return sharedCopy(bytes)
    throw new TamisError('ARTIFACT_MISMATCH', `${path} is not the file its manifest describes`)
  })
}

function sharedCopy(bytes: Uint8Array): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.length)
  new Uint8Array(memory).set(bytes)
  return memory
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
