/** Training on a few dozen rendered messages: enough to fit, calibrate and choose thresholds. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOTHING_COMMON } from '../../../mail/features/common-text.ts'
import { PAIRS_START, TEXT_FEATURES_SIZE } from '../../../mail/features/text-features.ts'
import { type ArtifactFiles, modelsFromArtifacts } from '../../../mail/models/artifact.ts'
import { CLASSES } from '../../../mail/models/prediction.ts'
import { renderWritten } from '../../rendering/render.ts'
import { artifactFiles } from '../../training/artifacts.ts'
import { examplesOf } from '../../training/features.ts'
import { trainModels } from '../../training/train.ts'
import { WRITTEN } from '../rendering/written-messages.ts'

const samples = Object.values(WRITTEN).flatMap((message) =>
  Array.from({ length: 8 }, (_, i) => {
    const spam = i % 2 === 0
    const body = `${message.body}\n\n${spam ? 'claim your prize now' : 'see you at the office'}`
    const written = { ...message, id: `${message.id}-${i}`, spam, body }
    return {
      source: 'written',
      id: written.id,
      bytes: renderWritten(written, 0),
      spam,
      messageClass: message.class,
      kind: `${message.kind} ${i}`,
    }
  }),
)

const examples = examplesOf(samples)
const trained = trainModels(examples)
const files = artifactFiles(trained, '1', {})

function artifacts(): ArtifactFiles {
  const manifest = (name: string): unknown =>
    JSON.parse(Buffer.from(files.get(`${name}/manifest.json`)!).toString())
  const model = (name: string) => ({
    manifest: manifest(name),
    weights: files.get(`${name}/weights.bin`)!.buffer,
  })
  return {
    text: model('text'),
    meta: model('meta'),
    tabs: model('tabs'),
    fusion: { manifest: manifest('fusion') },
  }
}

describe('trainModels', () => {
  it('gives the same bytes from the same examples', () => {
    assert.deepEqual(artifactFiles(trainModels(examples), '1', {}), files)
  })

  it('has the text model weigh words and no pairs, and the tabs model both', () => {
    const { text, tabs } = trained
    assert.ok(text.weights.integers.subarray(0, PAIRS_START).some((weight) => weight !== 0))
    assert.ok(text.weights.integers.subarray(PAIRS_START).every((weight) => weight === 0))
    const pairs = [PAIRS_START * CLASSES.length, TEXT_FEATURES_SIZE * CLASSES.length] as const
    assert.ok(tabs.weights.integers.subarray(...pairs).some((weight) => weight !== 0))
  })
})

describe('modelsFromArtifacts', () => {
  it('reads back what training wrote', () => {
    const read = modelsFromArtifacts(artifacts(), NOTHING_COMMON)
    assert.deepEqual([...read.text.weights.integers], [...trained.text.weights.integers])
    assert.equal(read.tabs.weights.scale, trained.tabs.weights.scale)
    assert.deepEqual(read.fusion, trained.fusion)
  })
})
