/**
 * Models as files: `manifest.json`, which says what the model is and where it comes from, and
 * `weights.bin`, its weights as little-endian 16-bit integers with one scale for all. Reading checks
 * the digest and the feature version, and refuses files that do not belong together.
 */
import { createHash } from 'node:crypto'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { TamisError } from '../../errors/errors.ts'
import type { CommonText } from '../features/common-text.ts'
import { metaNumbering } from '../features/meta-features.ts'
import { TEXT_FEATURES_SIZE } from '../features/text-features.ts'
import { featureVersion, TEXT_FEATURES_VERSION } from '../features/version.ts'
import type { FusionModel } from './fusion.ts'
import type { Models } from './models.ts'
import { CLASSES } from './prediction.ts'
import type { Quantised } from './quantised.ts'

const Calibration = Type.Object({ slope: Type.Number(), intercept: Type.Number() })

/** The fields of every manifest. */
const Provenance = {
  name: Type.String(),
  version: Type.String(),
  featureVersion: Type.String(),
  /** Seed of every shuffle in training. */
  seed: Type.Integer(),
  /** Settings of the training, by name. */
  hyperparameters: Type.Record(Type.String(), Type.Number()),
  /** The number of training samples from each corpus, and a digest over them. */
  corpora: Type.Record(
    Type.String(),
    Type.Object({ samples: Type.Integer(), sha256: Type.String() }),
  ),
}

const Weights = {
  weights: Type.Object({ scale: Type.Number(), count: Type.Integer(), sha256: Type.String() }),
}

/** Names of signals, 'DATE_MISSING', and of bins of counts, 'links 8-15'. */
const META_FEATURE_NAME =
  '^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][A-Za-z]* (?:>= )?[0-9]+(?:-[0-9]+)?)$'

const MetaFeatures = {
  /** Names of the meta features, in the order of their weights. */
  metaFeatures: Type.Array(Type.String({ pattern: META_FEATURE_NAME }), { uniqueItems: true }),
}

const LOGISTIC = { ...Provenance, ...Weights, bias: Type.Number(), calibration: Calibration }

export const TextManifest = Type.Object(LOGISTIC)

export const MetaManifest = Type.Object({ ...LOGISTIC, ...MetaFeatures })

export const TabsManifest = Type.Object({
  ...Provenance,
  ...Weights,
  bias: Type.Array(Type.Number()),
  temperature: Type.Number(),
  ...MetaFeatures,
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

export type TextManifest = Static<typeof TextManifest>
export type MetaManifest = Static<typeof MetaManifest>
export type TabsManifest = Static<typeof TabsManifest>
export type FusionManifest = Static<typeof FusionManifest>

/** The contents of an artifact folder; JSON not yet checked. */
export interface ArtifactFiles {
  readonly text: { readonly manifest: unknown; readonly weights: Uint8Array }
  readonly meta: { readonly manifest: unknown; readonly weights: Uint8Array }
  readonly tabs: { readonly manifest: unknown; readonly weights: Uint8Array }
  readonly fusion: { readonly manifest: unknown }
}

/**
 * The models in `files`, their weights in shared memory, with what the mail of many senders has in common.
 *
 * @throws TamisError ARTIFACT_MISMATCH when a manifest is malformed, a digest or the number of weights is
 *   wrong, or models were trained on text features that this code does not draw or on unlike features.
 */
export function modelsFromArtifacts(files: ArtifactFiles, commonText: CommonText): Models {
  const text = readManifest(TextManifest, files.text.manifest, 'text')
  const meta = readManifest(MetaManifest, files.meta.manifest, 'meta')
  const tabs = readManifest(TabsManifest, files.tabs.manifest, 'tabs')
  const fusion = readManifest(FusionManifest, files.fusion.manifest, 'fusion')
  for (const manifest of [text, meta, tabs, fusion]) assertOfFeatures(manifest, meta.metaFeatures)
  assertOfFeatures(tabs, tabs.metaFeatures)

  const metaSize = meta.metaFeatures.length
  const tabsSize = (TEXT_FEATURES_SIZE + metaSize) * CLASSES.length
  return {
    version: fusion.version,
    featureVersion: fusion.featureVersion,
    metaNumbering: metaNumbering(meta.metaFeatures),
    commonText,
    text: {
      weights: decodeWeights(text, files.text.weights, TEXT_FEATURES_SIZE),
      bias: text.bias,
      calibration: text.calibration,
    },
    meta: {
      weights: decodeWeights(meta, files.meta.weights, metaSize),
      bias: meta.bias,
      calibration: meta.calibration,
    },
    tabs: {
      weights: decodeWeights(tabs, files.tabs.weights, tabsSize),
      bias: tabs.bias,
      temperature: tabs.temperature,
    },
    fusion: fusionFrom(fusion),
  }
}

/** The bytes of the weights as in weights.bin, and what the manifest says about them. */
export function encodeWeights({ integers, scale }: Quantised): {
  bytes: Uint8Array
  manifest: MetaManifest['weights']
} {
  const bytes = new Uint8Array(integers.length * 2)
  const view = new DataView(bytes.buffer)
  integers.forEach((integer, index) => {
    view.setInt16(index * 2, integer, true)
  })
  return { bytes, manifest: { scale, count: integers.length, sha256: sha256(bytes) } }
}

export const CommonTextManifest = Type.Object({
  name: Type.Literal('common-text'),
  /** The version of the text features that were counted. */
  textFeatures: Type.String(),
  /** Messages and senders counted, and passages kept. */
  messages: Type.Integer(),
  senders: Type.Integer(),
  passages: Type.Integer(),
  /** Of table.bin. */
  sha256: Type.String(),
})

export type CommonTextManifest = Static<typeof CommonTextManifest>

/** `table.bin` of common-text: the levels of all text features, a byte each, then the hashes of passages, little-endian. */
export function encodeCommonText({ levels, passages }: CommonText): {
  bytes: Uint8Array
  sha256: string
} {
  const bytes = new Uint8Array(levels.length + 4 * passages.length)
  bytes.set(levels)
  const view = new DataView(bytes.buffer)
  passages.forEach((hash, i) => {
    view.setUint32(levels.length + 4 * i, hash, true)
  })
  return { bytes, sha256: sha256(bytes) }
}

/** @throws TamisError ARTIFACT_MISMATCH when the files do not belong together or are of other text features. */
export function commonTextFromArtifact(content: unknown, table: Uint8Array): CommonText {
  const manifest = readManifest(CommonTextManifest, content, 'common-text')
  if (manifest.textFeatures !== TEXT_FEATURES_VERSION) {
    throw mismatch(
      `common-text was counted over features ${manifest.textFeatures}, not ${TEXT_FEATURES_VERSION}`,
    )
  }
  if (
    table.length !== TEXT_FEATURES_SIZE + 4 * manifest.passages ||
    sha256(table) !== manifest.sha256
  ) {
    throw mismatch('table.bin of common-text is not the file its manifest describes')
  }
  const levels = new Uint8Array(new SharedArrayBuffer(TEXT_FEATURES_SIZE))
  levels.set(table.subarray(0, TEXT_FEATURES_SIZE))
  const passages = new Uint32Array(new SharedArrayBuffer(4 * manifest.passages))
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength)
  for (let i = 0; i < passages.length; i++) {
    passages[i] = view.getUint32(TEXT_FEATURES_SIZE + 4 * i, true)
  }
  return { levels, passages }
}

function fusionFrom(manifest: FusionManifest): FusionModel {
  const { textWeight, metaWeight, bias, thresholds, escalation } = manifest
  return { textWeight, metaWeight, bias, thresholds, escalation }
}

/** `count` weights that stand in `bytes`, as the manifest describes them. */
function decodeWeights(
  { name, weights }: Pick<MetaManifest, 'name' | 'weights'>,
  bytes: Uint8Array,
  count: number,
): Quantised {
  if (weights.count !== count) {
    throw mismatch(`${name} has ${weights.count} weights for ${count}`)
  }
  if (bytes.length !== count * 2 || sha256(bytes) !== weights.sha256) {
    throw mismatch(`weights.bin of ${name} is not the file its manifest describes`)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const integers = new Int16Array(new SharedArrayBuffer(bytes.length))
  for (let i = 0; i < integers.length; i++) integers[i] = view.getInt16(i * 2, true)
  return { integers, scale: weights.scale }
}

function readManifest<Schema extends TSchema>(
  schema: Schema,
  manifest: unknown,
  name: string,
): Static<Schema> {
  if (Value.Check(schema, manifest)) return manifest
  const [first] = Value.Errors(schema, manifest)
  throw mismatch(
    `The manifest of ${name} is malformed at ${first?.instancePath ?? '/'}: ${first?.message ?? ''}`,
  )
}

/** Refuses a model unless its text features are drawn as by this code and its meta features have these names. */
function assertOfFeatures(
  manifest: Pick<MetaManifest, 'name' | 'featureVersion'>,
  metaFeatures: readonly string[],
): void {
  const version = featureVersion(metaFeatures)
  if (manifest.featureVersion === version) return
  throw mismatch(
    `${manifest.name} was trained on features ${manifest.featureVersion}, not on ${version}`,
  )
}

function mismatch(what: string): TamisError {
  return new TamisError('ARTIFACT_MISMATCH', what)
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
