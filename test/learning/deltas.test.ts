import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeDeltas, encodeDeltas, withDeltas, zeroDeltas } from '../../src/learning/deltas.ts'
import { emptyModels } from '../../src/learning/empty-models.ts'
import { spamProbability } from '../../src/learning/spam-fit.ts'
import { sigmoid } from '../../src/models/logit.ts'
import { NO_META, words } from './corrections.ts'

describe('deltas as bytes', () => {
  it('take a byte and twelve when there is nothing in them', () => {
    const bytes = encodeDeltas(zeroDeltas())
    assert.equal(bytes.length, 13)
    assert.deepEqual(decodeDeltas(bytes), zeroDeltas())
  })

  it('come back as they were, few or many', () => {
    const deltas = zeroDeltas()
    deltas.text[0] = 1.5
    deltas.text[262_144] = -0.1
    deltas.meta.fill(0.3)
    deltas.tabs[1_000_000] = 7
    const bytes = encodeDeltas(deltas)
    assert.ok(bytes.length < 3_000, `${bytes.length} bytes`)
    assert.deepEqual(decodeDeltas(bytes), deltas)
  })

  it('cut short, with bytes to spare, or of another version are none', () => {
    const deltas = zeroDeltas()
    deltas.text[300] = 1
    const bytes = encodeDeltas(deltas)
    for (let length = 0; length < bytes.length; length++) {
      assert.equal(decodeDeltas(bytes.subarray(0, length)), undefined)
    }
    assert.equal(decodeDeltas(Uint8Array.of(...bytes, 0)), undefined)
    assert.equal(decodeDeltas(Uint8Array.of(9, ...bytes.subarray(1))), undefined)
  })
})

describe('withDeltas', () => {
  it('adds them to the weights, and the last one to the bias', () => {
    const deltas = zeroDeltas()
    deltas.text[4] = 2
    deltas.text[262_144] = 0.5
    const models = withDeltas(emptyModels(), deltas)
    const probability = spamProbability(models, { text: words(4), meta: NO_META })
    assert.equal(probability, sigmoid(2.5))
  })
})
