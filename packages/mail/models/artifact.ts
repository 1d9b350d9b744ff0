/**
 * Models as files: `manifest.json`, which says what the model is and where it comes from, and
 * `weights.bin`, its weights as little-endian 16-bit integers with one scale for all.
 * Reading checks the digest and the feature version: files that do
 * not belong together are refused, never used as they are.
 */
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { TamisError } from '../errors.ts'
import { FEATURE_VERSION } from '../features/version.ts'
import type { FusionModel } from './fusion.ts'
import type { LogisticModel } from './logistic.ts'
import type { Models } from './models.ts'
import type { Quantised } from './quantised.ts'
import type { SoftmaxModel } from './softmax-regression.ts'

const Calibration = Type.Object({ slope: Type.Number(), intercept: Type.Number() })

/** What every manifest says. */
const Provenance = {
  name: Type.String(),
  version: Type.String(),
  featureVersion: Type.String(),
  /** Seed of every shuffle in training. */
  seed: Type.Integer(),
  /** Settings of the training, by name. */
  hyperparameters: Type.Record(Type.String(), Type.Number()),
  /** Training samples of each corpus, and a digest over them. */
  corpora: Type.Record(
    Type.String(),
    Type.Object({ samples: Type.Integer(), sha256: Type.String() }),
  ),
}

const Weights = {
  weights: Type.Object({ scale: Type.Number(), count: Type.Integer(), sha256: Type.String() }),
}

export const LogisticManifest = Type.Object({
  ...Provenance,
  ...Weights,
  bias: Type.Number(),
  calibration: Calibration,
})

export const SoftmaxManifest = Type.Object({
  ...Provenance,
  ...Weights,
  bias: Type.Array(Type.Number()),
  temperature: Type.Number(),
})

export const FusionManifest = Type.Object({
  ...Provenance,
  textWeight: Type.Number(),
  metaWeight: Type.Number(),
  bias: Type.Number(),
  thresholds: Type.Object({
    cautious: Type.Number(),
    balanced: Type.Number(),
    strict: Type.Number(),
  }),
  escalation: Type.Object({ logitMargin: Type.Number(), disagreement: Type.Number() }),
})

export type LogisticManifest = Static<typeof LogisticManifest>
export type SoftmaxManifest = Static<typeof SoftmaxManifest>
export type FusionManifest = Static<typeof FusionManifest>

/** The contents of an artifact folder; JSON not yet checked. */
export interface ArtifactFiles {
  readonly text: { readonly manifest: unknown; readonly weights: Uint8Array }
  readonly meta: { readonly manifest: unknown; readonly weights: Uint8Array }
  readonly tabs: { readonly manifest: unknown; readonly weights: Uint8Array }
  readonly fusion: { readonly manifest: unknown }
}

/**
 * The models in `files`, their weights in shared memory.
 *
 * @throws TamisError ARTIFACT_MISMATCH when a manifest is malformed, a digest is wrong, or a
 *   model was trained on other features than this code draws.
 */
export function modelsFromArtifacts(files: ArtifactFiles): Models {
  const fusion = readManifest(FusionManifest, files.fusion.manifest, 'fusion')
  return {
    version: fusion.version,
    featureVersion: fusion.featureVersion,
    text: readLogistic(files.text.manifest, files.text.weights, 'text'),
    meta: readLogistic(files.meta.manifest, files.meta.weights, 'meta'),
    tabs: readSoftmax(files.tabs.manifest, files.tabs.weights, 'tabs'),
    fusion: fusionFrom(fusion),
  }
}

/** Weights as they stand in a file, and what the manifest says of them. */
export function encodeWeights({ integers, scale }: Quantised): {
  bytes: Uint8Array
  manifest: LogisticManifest['weights']
} {
  const bytes = new Uint8Array(integers.length * 2)
  const view = new DataView(bytes.buffer)
  integers.forEach((integer, index) => {
    view.setInt16(index * 2, integer, true)
  })
  return { bytes, manifest: { scale, count: integers.length, sha256: sha256(bytes) } }
}

function readLogistic(manifest: unknown, bytes: Uint8Array, name: string): LogisticModel {
  const read = readManifest(LogisticManifest, manifest, name)
  return {
    weights: decodeWeights(read.weights, bytes, name),
    bias: read.bias,
    calibration: read.calibration,
  }
}

function readSoftmax(manifest: unknown, bytes: Uint8Array, name: string): SoftmaxModel {
  const read = readManifest(SoftmaxManifest, manifest, name)
  return {
    weights: decodeWeights(read.weights, bytes, name),
    bias: read.bias,
    temperature: read.temperature,
  }
}

function fusionFrom(manifest: FusionManifest): FusionModel {
  const { textWeight, metaWeight, bias, thresholds, escalation } = manifest
  return { textWeight, metaWeight, bias, thresholds, escalation }
}

function decodeWeights(
  expected: LogisticManifest['weights'],
  bytes: Uint8Array,
  name: string,
): Quantised {
  if (bytes.length !== expected.count * 2 || sha256(bytes) !== expected.sha256) {
    throw new TamisError(
      'ARTIFACT_MISMATCH',
      `weights.bin of ${name} is not the file its manifest describes`,
    )
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const integers = new Int16Array(new SharedArrayBuffer(bytes.length))
  for (let i = 0; i < integers.length; i++) integers[i] = view.getInt16(i * 2, true)
  return { integers, scale: expected.scale }
}

function readManifest<
  Schema extends typeof LogisticManifest | typeof SoftmaxManifest | typeof FusionManifest,
>(schema: Schema, manifest: unknown, name: string): Static<Schema> {
  if (!Value.Check(schema, manifest)) {
    const [first] = Value.Errors(schema, manifest)
    throw new TamisError(
      'ARTIFACT_MISMATCH',
      `The manifest of ${name} is malformed at ${first?.instancePath ?? '/'}: ${first?.message ?? ''}`,
    )
  }
  if (manifest.featureVersion !== FEATURE_VERSION) {
    throw new TamisError(
      'ARTIFACT_MISMATCH',
      `${name} was trained on features ${manifest.featureVersion}, this version draws ${FEATURE_VERSION}`,
    )
  }
  return manifest as Static<Schema>
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
