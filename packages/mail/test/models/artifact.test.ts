/**
 * Artifacts whose features are not those of the code, and damaged ones. Made from those that ship:
 * their meta features are taken as a table of name and weights, changed, and written again.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { SHIPPED_ARTIFACTS } from '../../../artifact-files/artifact-files.ts'
import { type AnalyseOptions, analyse } from '../../analyse.ts'
import { NOTHING_COMMON } from '../../features/common-text.ts'
import { TEXT_FEATURES_SIZE } from '../../features/text-features.ts'
import { featureVersion } from '../../features/version.ts'
import { memoryOctets } from '../../message/octets.ts'
import {
  type ArtifactFiles,
  encodeWeights,
  type FusionManifest,
  type MetaManifest,
  modelsFromArtifacts,
  type TabsManifest,
  type TextManifest,
} from '../../models/artifact.ts'
import type { Models } from '../../models/models.ts'

/** A meta feature of both models that have any. */
interface Feature {
  readonly name: string
  readonly meta: number
  /** One a class. */
  readonly tabs: readonly number[]
}

interface Shipped {
  readonly text: { readonly manifest: TextManifest; readonly weights: ArrayBuffer }
  readonly meta: { readonly manifest: MetaManifest; readonly weights: ArrayBuffer }
  readonly tabs: { readonly manifest: TabsManifest; readonly weights: ArrayBuffer }
  readonly fusion: { readonly manifest: FusionManifest }
}

const shipped: Shipped = {
  text: { manifest: manifest('text'), weights: weights('text') },
  meta: { manifest: manifest('meta'), weights: weights('meta') },
  tabs: { manifest: manifest('tabs'), weights: weights('tabs') },
  fusion: { manifest: manifest('fusion') },
}

function manifest<Manifest>(name: string): Manifest {
  return JSON.parse(readFileSync(join(SHIPPED_ARTIFACTS, name, 'manifest.json'), 'utf8'))
}

function weights(name: string): ArrayBuffer {
  return new Uint8Array(readFileSync(join(SHIPPED_ARTIFACTS, name, 'weights.bin'))).buffer
}

const models = modelsFromArtifacts(shipped, NOTHING_COMMON)

/** Where the rows of the meta features begin among the weights for the classes. */
const TABS_START = TEXT_FEATURES_SIZE * 4

const FEATURES: readonly Feature[] = models.metaNumbering.names.map((name, index) => ({
  name,
  meta: models.meta.weights.integers[index]!,
  tabs: [
    ...models.tabs.weights.integers.subarray(TABS_START + index * 4, TABS_START + index * 4 + 4),
  ],
}))

/** The shipped models with these meta features in the place of their own. */
function filesWith(features: readonly Feature[]): ArtifactFiles {
  const { text, meta, tabs, fusion } = shipped
  const names = features.map(({ name }) => name)
  const version = { featureVersion: featureVersion(names) }
  const metaWeights = encodeWeights({
    integers: Int16Array.from(features, (feature) => feature.meta),
    scale: models.meta.weights.scale,
  })
  const rows = new Int16Array(TABS_START + features.length * 4)
  rows.set(models.tabs.weights.integers.subarray(0, TABS_START))
  rows.set(
    features.flatMap((feature) => feature.tabs),
    TABS_START,
  )
  const tabsWeights = encodeWeights({ integers: rows, scale: models.tabs.weights.scale })
  const named = (weights: MetaManifest['weights']) => ({ ...version, metaFeatures: names, weights })
  return {
    text: { ...text, manifest: { ...text.manifest, ...version } },
    meta: {
      manifest: { ...meta.manifest, ...named(metaWeights.manifest) },
      weights: metaWeights.bytes.buffer,
    },
    tabs: {
      manifest: { ...tabs.manifest, ...named(tabsWeights.manifest) },
      weights: tabsWeights.bytes.buffer,
    },
    fusion: { manifest: { ...fusion.manifest, ...version } },
  }
}

function modelsWith(features: readonly Feature[]): Models {
  return modelsFromArtifacts(filesWith(features), NOTHING_COMMON)
}

const DATED = `Date: Sun, 1 Jun 2025 12:00:00 +0000
From: Anna <anna@example.com>
Subject: Friday

See you at https://example.com/ on Friday at eight.
`

const UNDATED = DATED.replace(/^Date: .*\n/, '')

function judged(text: string, by: Models, options?: AnalyseOptions) {
  const now = new Date('2025-06-01T12:00:00Z')
  const analysis = analyse(memoryOctets(Buffer.from(text)), { now }, by, options)
  const { text: ofText, meta, spam, wholeSpam, tabs } = analysis
  return { analysis, numbers: { text: ofText, meta, spam, wholeSpam, tabs } }
}

describe('a model', () => {
  it('weighs features by name, in whatever order its artifact has them', () => {
    const turned = modelsWith(FEATURES.toReversed())
    for (const text of [DATED, UNDATED]) {
      assert.deepEqual(judged(text, turned).numbers, judged(text, models).numbers)
    }
  })

  it('made before a signal was, judges mail as if there were none', () => {
    const before = modelsWith(FEATURES.filter(({ name }) => name !== 'DATE_MISSING'))
    assert.deepEqual(judged(DATED, before).numbers, judged(DATED, models).numbers)

    const unweighed = FEATURES.map((feature) =>
      feature.name === 'DATE_MISSING' ? { ...feature, meta: 0, tabs: [0, 0, 0, 0] } : feature,
    )
    const { analysis, numbers } = judged(UNDATED, before, { detail: true })
    assert.deepEqual(numbers, judged(UNDATED, modelsWith(unweighed)).numbers)
    assert.ok(analysis.detail!.signals.some(({ name }) => name === 'DATE_MISSING'))
  })

  it('judges by the features there are when the code has lost one', () => {
    const gone = { name: 'SIGNAL_THAT_WAS', meta: 30_000, tabs: [30_000, 0, 0, 0] }
    const after = modelsWith([gone, ...FEATURES])
    assert.deepEqual(judged(DATED, after).numbers, judged(DATED, models).numbers)
  })
})

describe('artifacts', () => {
  const { meta } = filesWith(FEATURES)
  const withNames = (of: { readonly manifest: unknown }, metaFeatures: unknown) => ({
    ...of,
    manifest: { ...(of.manifest as object), metaFeatures },
  })
  const names = FEATURES.map(({ name }) => name)
  // biome-ignore format: a row each
  const refused: [title: string, files: Partial<ArtifactFiles>, message: RegExp][] = [
    ['without names', { meta: { ...meta, ...withNames(meta, undefined) } }, /malformed/],
    ['whose names are not those of their version', { meta: { ...meta, ...withNames(meta, names.toReversed()) } }, /was trained on features t\d+-/],
    ['of which two are not of the same features', { tabs: filesWith(FEATURES.toReversed()).tabs }, /tabs was trained on features t\d+-/],
    ['with weights for fewer features than they name', { meta: { ...meta, ...encodedOf(FEATURES.slice(1)) } }, /meta has \d+ weights for \d+/],
  ]
  for (const [title, files, message] of refused) {
    it(`${title} are refused`, () => {
      assert.throws(
        () => modelsFromArtifacts({ ...filesWith(FEATURES), ...files }, NOTHING_COMMON),
        {
          code: 'ARTIFACT_MISMATCH',
          message,
        },
      )
    })
  }

  /** Weights of the meta model for these features, in a manifest that names all. */
  function encodedOf(features: readonly Feature[]) {
    const integers = Int16Array.from(features, (feature) => feature.meta)
    const encoded = encodeWeights({ integers, scale: 1 })
    const manifest = { ...(meta.manifest as object), weights: encoded.manifest }
    return { manifest, weights: encoded.bytes.buffer }
  }
})
