import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { embeddingTables, staticEmbeddingFromArtifact } from '../../embedding/embedding-artifact.ts'
import { DIMENSIONS, denseSimilarity } from '../../embedding/embedding-model.ts'
import { staticEmbedding, TEXT_LENGTH_MAX } from '../../embedding/static-embedding.ts'
import { inCpuMs } from '../helpers/cpu-time.ts'
import { smallTable } from './table.ts'

/** Bound for a call in a warm process: many times what one takes, so that a busy machine passes. */
const TIME_MAX_MS = 100

const files = smallTable(['invoice', 'overdue', 'meeting', 'tomorrow'])
const model = staticEmbeddingFromArtifact(files)

function cosine(a: string, b: string): number {
  return denseSimilarity(model.embed(a), model.embed(b))
}

describe('static embedding', () => {
  it('names model and version', () => assert.equal(model.id, 'small-1'))

  it('is one long for any text with a word', () => {
    const vector = model.embed('Invoice overdue')
    assert.equal(vector.length, DIMENSIONS)
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6)
  })

  it('is zero for a text without a word', () => {
    assert.deepEqual(model.embed(' ...\u{1f389}'), new Float32Array(DIMENSIONS))
    assert.deepEqual(model.embed(''), new Float32Array(DIMENSIONS))
  })

  it('depends neither on the order of words nor on case', () => {
    assert.deepEqual(model.embed('Overdue INVOICE'), model.embed('invoice overdue'))
  })

  it('is near that of a text with half the same words', () => {
    assert.ok(Math.abs(cosine('invoice overdue', 'invoice tomorrow') - 0.5) < 0.1)
  })

  it('takes words that it does not know for like those spelled alike', () => {
    assert.ok(cosine('rechnungen', 'rechnung') > 0.5)
    assert.ok(Math.abs(cosine('rechnungen', 'apfelbaum')) < 0.3)
  })

  it('gives a word that it knows and one that it does not about the same length', () => {
    assert.ok(Math.abs(cosine('invoice rechnung', 'invoice') - Math.SQRT1_2) < 0.15)
  })

  it('ignores what stands after the limit', () => {
    const head = 'invoice '.repeat(TEXT_LENGTH_MAX / 8)
    assert.equal(head.length, TEXT_LENGTH_MAX)
    assert.deepEqual(model.embed(`${head} meeting tomorrow`), model.embed(head))
  })

  for (const [sentence, unit] of [
    ['words', 'overdue invoice '],
    ['one word', 'x'],
    ['Chinese', '\u53d1'],
    ['characters that NFKD makes eighteen of', '\ufdfa'],
    ['lone surrogates', '\ud83c'],
    ['combining marks', '\u0301'],
  ] as const) {
    it(`answers soon for ten megabytes of ${sentence}`, () => {
      const text = unit.repeat(10_000_000 / unit.length)
      model.embed(text.slice(0, 100_000))
      inCpuMs(TIME_MAX_MS, () => model.embed(text))
    })
  }

  it('is one long or zero for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        const length = Math.hypot(...model.embed(text))
        assert.ok(length === 0 || Math.abs(length - 1) < 1e-6)
      }),
    )
  })

  it('keeps its tables in shared memory', () => {
    const { rows, vocabulary } = embeddingTables(files)
    for (const table of [rows, vocabulary.units, vocabulary.starts, vocabulary.slots]) {
      assert.ok(table.buffer instanceof SharedArrayBuffer)
    }
  })

  it('is the same from tables that went to another thread', () => {
    const tables = structuredClone(embeddingTables(files))
    const text = 'invoice for the meeting'
    assert.deepEqual(staticEmbedding(tables).embed(text), model.embed(text))
  })
})

describe('an embedding artifact', () => {
  const mismatch = { code: 'ARTIFACT_MISMATCH' }

  it('is refused when its weights are not those of the manifest', () => {
    const weights = files.weights.slice()
    weights[0]! ^= 1
    assert.throws(() => staticEmbeddingFromArtifact({ ...files, weights }), mismatch)
  })

  it('is refused when its vocabulary is not that of the manifest', () => {
    const vocabulary = Buffer.from('invoice\noverdue\nmeeting\ntoday\n')
    assert.throws(() => staticEmbeddingFromArtifact({ ...files, vocabulary }), mismatch)
  })

  it('is refused when it is laid out for another version', () => {
    const manifest = { ...files.manifest, layout: 'other' }
    assert.throws(() => staticEmbeddingFromArtifact({ ...files, manifest }), mismatch)
  })

  it('is refused when the manifest lacks a field', () => {
    const { seed: _, ...manifest } = files.manifest
    assert.throws(() => staticEmbeddingFromArtifact({ ...files, manifest }), mismatch)
  })

  it('is refused when the manifest says another number of rows', () => {
    const manifest = { ...files.manifest, weights: { ...files.manifest.weights, rows: 5 } }
    assert.throws(() => staticEmbeddingFromArtifact({ ...files, manifest }), mismatch)
  })
})
