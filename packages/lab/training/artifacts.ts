/** Trained models -> the files of an artifact folder (models/artifact.ts reads them). */
import { createHash } from 'node:crypto'
import { META_FEATURE_NAMES } from '../../mail/features/meta-features.ts'
import { FEATURE_VERSION } from '../../mail/features/version.ts'
import {
  encodeWeights,
  type FusionManifest,
  type MetaManifest,
  type TabsManifest,
  type TextManifest,
} from '../../mail/models/artifact.ts'
import type { LogisticModel } from '../../mail/models/logistic.ts'
import type { Sample } from '../corpora/sets.ts'
import type { FitOptions } from './fit-logistic.ts'
import { HYPERPARAMETERS, SEED, type TrainedModels } from './train.ts'

/** Samples of each corpus, and a digest over their bytes and labels. */
export type CorpusDigests = FusionManifest['corpora']

/** Contents of an artifact folder: path inside it -> bytes. */
export function artifactFiles(
  models: TrainedModels,
  version: string,
  corpora: CorpusDigests,
): Map<string, Uint8Array> {
  const provenance = (name: string, hyperparameters: Record<string, number>) => ({
    name,
    version,
    featureVersion: FEATURE_VERSION,
    seed: SEED,
    hyperparameters,
    corpora,
  })
  const logistic = ({ bias, calibration }: LogisticModel, name: 'text' | 'meta') => ({
    ...provenance(name, numbersOf(HYPERPARAMETERS[name])),
    weights: encoded[name].manifest,
    bias,
    calibration,
  })
  const { text, meta, tabs } = models
  const encoded = {
    text: encodeWeights(text.weights),
    meta: encodeWeights(meta.weights),
    tabs: encodeWeights(tabs.weights),
  }
  const metaFeatures = [...META_FEATURE_NAMES]
  const textManifest: TextManifest = logistic(text, 'text')
  const metaManifest: MetaManifest = { ...logistic(meta, 'meta'), metaFeatures }
  const tabsManifest: TabsManifest = {
    ...provenance('tabs', numbersOf(HYPERPARAMETERS.tabs)),
    weights: encoded.tabs.manifest,
    bias: [...tabs.bias],
    temperature: tabs.temperature,
    metaFeatures,
  }
  const fusion: FusionManifest = { ...provenance('fusion', {}), ...models.fusion }
  return new Map([
    ...modelFiles('text', textManifest, encoded.text.bytes),
    ...modelFiles('meta', metaManifest, encoded.meta.bytes),
    ...modelFiles('tabs', tabsManifest, encoded.tabs.bytes),
    ['fusion/manifest.json', json(fusion)],
  ])
}

/** How many samples of each corpus there are, and what they are, in the order they were read. */
export function digestCorpora(samples: readonly Sample[]): CorpusDigests {
  const sources = new Map<string, { samples: number; hash: ReturnType<typeof createHash> }>()
  for (const { source, id, bytes, spam, messageClass } of samples) {
    const entry = sources.get(source) ?? { samples: 0, hash: createHash('sha256') }
    entry.samples++
    entry.hash.update(`${id}\0${spam}\0${messageClass}\0`).update(bytes)
    sources.set(source, entry)
  }
  return Object.fromEntries(
    [...sources].map(([name, { samples, hash }]) => [
      name,
      { samples, sha256: hash.digest('hex') },
    ]),
  )
}

function modelFiles(name: string, manifest: object, weights: Uint8Array): [string, Uint8Array][] {
  return [
    [`${name}/manifest.json`, json(manifest)],
    [`${name}/weights.bin`, weights],
  ]
}

function json(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}

function numbersOf({ epochs, learningRate, l2 }: FitOptions): Record<string, number> {
  return { epochs, learningRate, l2 }
}
