/**
 * Models as files: `manifest.json`, which says what the model is and where it comes from, and
 * `weights.bin`, its weights as little-endian 16-bit integers with one scale for all, used where they lie in
 * memory. Reading checks sizes and the feature version, and refuses files that do not belong together; who reads
 * a file checks its digest (artifact-files/).
 */
import { createHash } from 'node:crypto'
import { TamisError } from '../../errors/errors.ts'
import type { CommonText } from '../features/common-text.ts'
import { metaNumbering } from '../features/meta-features.ts'
import { TEXT_FEATURES_SIZE } from '../features/text-features.ts'
import { featureVersion, TEXT_FEATURES_VERSION } from '../features/version.ts'
import { type Shaped, shaped } from '../manifest.ts'
import type { Quantised } from './logistic.ts'
import type { Models } from './models.ts'
import { CLASSES } from './prediction.ts'

/** The fields of every manifest. */
const PROVENANCE = {
  name: 'string',
  version: 'string',
  featureVersion: 'string',
  /** Seed of every shuffle in training. */
  seed: 'number',
  /** Settings of the training, by name. */
  hyperparameters: { '*': 'number' },
  /** The number of training samples from each corpus, and a digest over them. */
  corpora: { '*': { samples: 'number', sha256: 'string' } },
} as const

const WEIGHTS = { weights: { scale: 'number', count: 'number', sha256: 'string' } } as const

/** Names of the meta features, in the order of their weights. */
const META_FEATURES = { metaFeatures: ['string'] } as const

const TEXT = {
  ...PROVENANCE,
  ...WEIGHTS,
  bias: 'number',
  calibration: { slope: 'number', intercept: 'number' },
} as const
const META = { ...TEXT, ...META_FEATURES } as const
const TABS = {
  ...PROVENANCE,
  ...WEIGHTS,
  bias: ['number'],
  temperature: 'number',
  ...META_FEATURES,
} as const
const FUSION = {
  ...PROVENANCE,
  textWeight: 'number',
  metaWeight: 'number',
  bias: 'number',
  thresholds: { cautious: 'number', balanced: 'number', strict: 'number' },
  escalation: { logitMargin: 'number', disagreement: 'number' },
} as const

export type TextManifest = Shaped<typeof TEXT>
export type MetaManifest = Shaped<typeof META>
export type TabsManifest = Shaped<typeof TABS>
export type FusionManifest = Shaped<typeof FUSION>

/** The contents of an artifact folder; JSON not yet checked, and weights that have the digest of their manifest. */
export interface ArtifactFiles {
  readonly text: { readonly manifest: unknown; readonly weights: ArrayBufferLike }
  readonly meta: { readonly manifest: unknown; readonly weights: ArrayBufferLike }
  readonly tabs: { readonly manifest: unknown; readonly weights: ArrayBufferLike }
  readonly fusion: { readonly manifest: unknown }
}

/**
 * The models in `files`, over their weights, with what the mail of many senders has in common.
 *
 * @throws TamisError ARTIFACT_MISMATCH when a manifest is malformed, the number of weights is wrong, or
 *   models were trained on text features that this code does not draw or on unlike features.
 */
export function modelsFromArtifacts(files: ArtifactFiles, commonText: CommonText): Models {
  const text = shaped(TEXT, files.text.manifest, 'text')
  const meta = shaped(META, files.meta.manifest, 'meta')
  const tabs = shaped(TABS, files.tabs.manifest, 'tabs')
  const fusion = shaped(FUSION, files.fusion.manifest, 'fusion')
  for (const manifest of [text, meta, tabs, fusion]) assertOfFeatures(manifest, meta.metaFeatures)
  assertOfFeatures(tabs, tabs.metaFeatures)

  const { textWeight, metaWeight, thresholds, escalation } = fusion
  const metaSize = meta.metaFeatures.length
  const tabsSize = (TEXT_FEATURES_SIZE + metaSize) * CLASSES.length
  return {
    version: fusion.version,
    featureVersion: fusion.featureVersion,
    metaNumbering: metaNumbering(meta.metaFeatures),
    commonText,
    text: {
      weights: weightsIn(text, files.text.weights, TEXT_FEATURES_SIZE),
      bias: text.bias,
      calibration: text.calibration,
    },
    meta: {
      weights: weightsIn(meta, files.meta.weights, metaSize),
      bias: meta.bias,
      calibration: meta.calibration,
    },
    tabs: {
      weights: weightsIn(tabs, files.tabs.weights, tabsSize),
      bias: tabs.bias,
      temperature: tabs.temperature,
    },
    fusion: { textWeight, metaWeight, bias: fusion.bias, thresholds, escalation },
  }
}

/** The bytes of the weights as in weights.bin, and what the manifest says about them. */
export function encodeWeights({ integers, scale }: Quantised): {
  bytes: Uint8Array<ArrayBuffer>
  manifest: MetaManifest['weights']
} {
  const bytes = new Uint8Array(new Int16Array(integers).buffer)
  return { bytes, manifest: { scale, count: integers.length, sha256: sha256(bytes) } }
}

const COMMON_TEXT = {
  name: 'string',
  /** The version of the text features that were counted. */
  textFeatures: 'string',
  /** Messages and senders counted, and passages kept. */
  messages: 'number',
  senders: 'number',
  passages: 'number',
  /** Of table.bin. */
  sha256: 'string',
} as const

export type CommonTextManifest = Shaped<typeof COMMON_TEXT>

/** `table.bin` of common-text: the levels of all text features, a byte each, then the hashes of passages. */
export function encodeCommonText({ levels, passages }: CommonText): {
  bytes: Uint8Array
  sha256: string
} {
  const bytes = Buffer.concat([levels, new Uint8Array(new Uint32Array(passages).buffer)])
  return { bytes, sha256: sha256(bytes) }
}

/**
 * @param table that has the digest of the manifest.
 * @throws TamisError ARTIFACT_MISMATCH when the files do not belong together or are of other text features.
 */
export function commonTextFromArtifact(content: unknown, table: ArrayBufferLike): CommonText {
  const manifest = shaped(COMMON_TEXT, content, 'common-text')
  if (manifest.textFeatures !== TEXT_FEATURES_VERSION) {
    throw mismatch(
      `common-text was counted over features ${manifest.textFeatures}, not ${TEXT_FEATURES_VERSION}`,
    )
  }
  if (table.byteLength !== TEXT_FEATURES_SIZE + 4 * manifest.passages) {
    throw mismatch('table.bin of common-text has not the size of which its manifest speaks')
  }
  return {
    levels: new Uint8Array(table, 0, TEXT_FEATURES_SIZE),
    passages: new Uint32Array(table, TEXT_FEATURES_SIZE),
  }
}

/** The `count` weights that `bytes` are, as the manifest describes them. */
function weightsIn(
  { name, weights }: Pick<MetaManifest, 'name' | 'weights'>,
  bytes: ArrayBufferLike,
  count: number,
): Quantised {
  if (weights.count !== count || bytes.byteLength !== 2 * count) {
    throw mismatch(`${name} has ${weights.count} weights for ${count}`)
  }
  return { integers: new Int16Array(bytes), scale: weights.scale }
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
