/** On a few made-up synsets and messages: seconds, and the whole way from pairs to artifact. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { staticEmbeddingFromArtifact } from '../../../../mail/embedding/embedding-artifact.ts'
import { denseSimilarity } from '../../../../mail/embedding/embedding-model.ts'
import type { FitOptions } from '../../../training/embedding/fit-rows.ts'
import type { MailText } from '../../../training/embedding/mail-texts.ts'
import type { Synset } from '../../../training/embedding/material.ts'
import {
  embeddingProblem,
  trainEmbedding,
  untrainedEmbedding,
} from '../../../training/embedding/train-embedding.ts'

const OPTIONS: FitOptions = { pairs: 8, steps: 30, learningRate: 0.5, scale: 20, seed: 3 }

const DEFINITIONS: readonly [lemma: string, definition: string][] = [
  ['physician', 'someone who heals the sick'],
  ['invoice', 'a demand for payment'],
  ['kitten', 'a young cat'],
  ['boat', 'small vessel for travel on water'],
  ['winter', 'coldest season of all'],
  ['piano', 'instrument played by pressing keys'],
  ['bread', 'food baked from dough'],
  ['forest', 'trees growing over large ground'],
  ['king', 'male ruler'],
]

const SYNSETS: readonly Synset[] = DEFINITIONS.map(([lemma, definition], i) => ({
  id: String(i),
  lemmas: [lemma],
  definitions: [definition],
  examples: [`${lemma} and ${definition}`],
  hypernyms: [],
}))

const MAIL: readonly MailText[] = [
  { source: 'spamassassin', subject: 'Re: invoice', text: 'payment is due', language: 'en' },
  { source: 'written', subject: 'Rechnung', text: 'Zahlung', language: 'de', kind: 'bill' },
]

describe('training the embedding', () => {
  const problem = embeddingProblem(SYNSETS, MAIL)

  it('gives the same bytes on one thread and on two', async () => {
    const [one, two] = await Promise.all([
      trainEmbedding(problem, OPTIONS, 1),
      trainEmbedding(problem, OPTIONS, 2),
    ])
    assert.deepEqual(two.manifest, one.manifest)
    assert.ok(Buffer.from(one.weights).equals(two.weights))
    assert.ok(Buffer.from(one.vocabulary).equals(two.vocabulary))
  })

  it('gives other bytes with another seed', async () => {
    const [a, b] = await Promise.all([
      trainEmbedding(problem, OPTIONS, 1),
      trainEmbedding(problem, { ...OPTIONS, seed: 4 }, 1),
    ])
    assert.notEqual(a.manifest.weights.sha256, b.manifest.weights.sha256)
  })

  it('brings a word and its definition nearer to each other than to others', async () => {
    const trained = staticEmbeddingFromArtifact(await trainEmbedding(problem, OPTIONS, 1))
    const untrained = staticEmbeddingFromArtifact(untrainedEmbedding(problem, OPTIONS.seed))
    const first = (model: typeof trained, text: string) =>
      DEFINITIONS.map(([lemma]) => lemma).sort(
        (a, b) =>
          denseSimilarity(model.embed(b), model.embed(text)) -
          denseSimilarity(model.embed(a), model.embed(text)),
      )[0]
    const found = (model: typeof trained) =>
      DEFINITIONS.filter(([lemma, definition]) => first(model, definition) === lemma).length
    // Of nine; one in nine would be found by chance.
    assert.ok(found(trained) >= 7, `found ${found(trained)}`)
    assert.ok(found(untrained) <= 3, `found ${found(untrained)} untrained`)
  })

  it('calls back after every step', async () => {
    let steps = 0
    await trainEmbedding(problem, OPTIONS, 2, () => steps++)
    assert.equal(steps, OPTIONS.steps)
  })
})
