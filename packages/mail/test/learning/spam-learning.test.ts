/** Single steps on the model that knows nothing, each worked by hand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { zeroModelDeltas } from '../../learning/deltas.ts'
import { emptyModels } from '../../learning/empty-models.ts'
import type { Steps } from '../../learning/model-learning.ts'
import { SpamLearning } from '../../learning/spam-learning.ts'
import { META_7, NO_META, words } from './corrections.ts'

const HAM = 0
const SPAM = 1

/** A gradient of 1 moves a word by 1/√2, and a meta feature and the bias by a tenth of it. */
const STEPS: Steps = {
  text: { rate: 1, initialSquare: 1, deltaMax: 10 },
  meta: { rate: 0.1, initialSquare: 1, deltaMax: 10 },
}

function startLearning() {
  const candidate = zeroModelDeltas(emptyModels())
  return { candidate, fit: new SpamLearning(emptyModels(), 'operator', candidate, STEPS) }
}

function assertNear(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs(actual! - expected) < 1e-3, `${actual}`)
}

describe('SpamLearning', () => {
  it('moves words, meta features and the bias towards the label', () => {
    for (const [label, sign] of [
      [SPAM, 1],
      [HAM, -1],
    ] as const) {
      const { candidate, fit } = startLearning()
      assert.equal(fit.step({ text: words(4), meta: META_7, label }), true)
      assertNear(candidate.text[4], sign * Math.SQRT1_2)
      assertNear(candidate.meta[7], (sign * Math.SQRT1_2) / 10)
      assertNear(candidate.meta.at(-1), (sign * Math.SQRT1_2) / 10)
      assert.equal(candidate.text.at(-1), 0)
    }
  })

  it('moves the words alone that it is given, and says whether there were any', () => {
    const { candidate, fit } = startLearning()
    const example = { text: words(4, 5), meta: META_7, label: SPAM }
    assert.equal(
      fit.step(example, () => words()),
      false,
    )
    assert.equal(
      fit.step(example, () => words(5)),
      true,
    )
    assert.equal(candidate.text[4], 0)
    assert.ok(candidate.text[5]! > 0.7)
    assert.ok(candidate.meta.every((delta) => delta === 0))
  })

  it('moves nothing by what it is sure of already, and says so', () => {
    const { candidate, fit } = startLearning()
    candidate.text[4] = 6
    assert.equal(fit.step({ text: words(4), meta: META_7, label: SPAM }), false)
    assert.equal(candidate.text[4], 6)
    assert.equal(candidate.meta.at(-1), 0)
  })

  it('is as wrong as the label is improbable with the deltas it is asked about', () => {
    const { fit } = startLearning()
    const deltas = zeroModelDeltas(emptyModels())
    // σ(ln 3) is three quarters.
    deltas.text[4] = Math.log(3)
    assertNear(fit.loss({ text: words(4), meta: NO_META, label: SPAM }, deltas), 0.25)
    assertNear(fit.loss({ text: words(4), meta: NO_META, label: HAM }, deltas), 0.75)
  })

  it('moves nothing more of a message that a crowd has moved as far as it may, but back', () => {
    for (const [moved, label, other] of [
      [0.5, SPAM, HAM],
      [-0.5, HAM, SPAM],
    ] as const) {
      const candidate = zeroModelDeltas(emptyModels())
      const fit = new SpamLearning(emptyModels(), 'crowd', candidate, STEPS)
      const step = (said: number) =>
        fit.step({ text: words(4), meta: NO_META, label: said }, ({ text }) => text)
      candidate.text[4] = moved * 0.99
      assert.equal(step(label), true)
      candidate.text[4] = moved
      assert.equal(step(label), false)
      assert.equal(candidate.text[4], moved)
      assert.equal(step(other), true)
    }
  })
})
