/** Single steps on the model that knows nothing, to which each class is one in four; worked by hand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { META_FEATURE_NAMES } from '../../features/meta-features.ts'
import { TEXT_FEATURES_SIZE } from '../../features/text-features.ts'
import { type ModelDeltas, zeroModelDeltas } from '../../learning/deltas.ts'
import { adagrad, classFit, type Steps, spamFit, stepOne } from '../../learning/fits.ts'
import { emptyModels } from '../../models/models.ts'
import { META_7, NO_META, words } from './corrections.ts'

const HAM = 0
const SPAM = 1

/** Position in CLASSES. */
const UPDATES = 2

function assertNear(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs(actual! - expected) < 1e-3, `${actual}`)
}

describe('spamFit', () => {
  /** A gradient of 1 moves a word by 1/√2, and a meta feature and the bias by a tenth of it. */
  const steps: Steps = {
    text: { rate: 1, initialSquare: 1, deltaMax: 10 },
    meta: { rate: 0.1, initialSquare: 1, deltaMax: 10 },
  }

  function start(author: 'operator' | 'crowd' = 'operator') {
    const deltas = zeroModelDeltas(emptyModels())
    return { deltas, fit: spamFit(emptyModels(), author, deltas, steps) }
  }

  it('moves words, meta features and the bias towards the label', () => {
    for (const [label, sign] of [
      [SPAM, 1],
      [HAM, -1],
    ] as const) {
      const { deltas, fit } = start()
      assert.equal(fit({ text: words(4), meta: META_7, label }), true)
      assertNear(deltas.text[4], sign * Math.SQRT1_2)
      assertNear(deltas.meta[7], (sign * Math.SQRT1_2) / 10)
      assertNear(deltas.meta.at(-1), (sign * Math.SQRT1_2) / 10)
      assert.equal(deltas.text.at(-1), 0)
    }
  })

  it('moves the words alone that it is given, and says whether there were any', () => {
    const { deltas, fit } = start()
    const example = { text: words(4, 5), meta: META_7, label: SPAM }
    const given = [words(), words(5)].map((some) => fit(example, () => some))
    assert.deepEqual(given, [false, true])
    assert.equal(deltas.text[4], 0)
    assert.ok(deltas.text[5]! > 0.7)
    assert.ok(deltas.meta.every((delta) => delta === 0))
  })

  it('moves nothing by what it is sure of already, and little where it is sure of the opposite', () => {
    const { deltas, fit } = start()
    deltas.text[4] = 6
    assert.equal(fit({ text: words(4), meta: META_7, label: SPAM }), false)
    assert.equal(deltas.text[4], 6)
    assert.equal(deltas.meta.at(-1), 0)
    // The error is 0.9975, which pulls by 4 · 0.9975 · 0.0025: a hundredth.
    assert.equal(fit({ text: words(4), meta: META_7, label: HAM }), true)
    assertNear(deltas.text[4], 5.99)
  })

  it('moves nothing more of a message that a crowd has moved as far as it may, but back', () => {
    for (const [moved, label, other] of [
      [0.5, SPAM, HAM],
      [-0.5, HAM, SPAM],
    ] as const) {
      const { deltas, fit } = start('crowd')
      const step = (said: number) =>
        fit({ text: words(4), meta: NO_META, label: said }, ({ text }) => text)
      deltas.text[4] = moved * 0.99
      assert.equal(step(label), true)
      deltas.text[4] = moved
      assert.equal(step(label), false)
      assert.equal(deltas.text[4], moved)
      assert.equal(step(other), true)
    }
  })
})

describe('classFit', () => {
  /** Squares that start high: a step is the gradient, times the rate, over a hundred. */
  const steps: Steps = {
    text: { rate: 100, initialSquare: 10_000, deltaMax: 10 },
    meta: { rate: 10, initialSquare: 10_000, deltaMax: 10 },
  }

  /** What was learned of a feature, class by class. */
  function row({ tabs }: ModelDeltas, feature: number): Float32Array {
    return tabs.subarray(feature * 4, feature * 4 + 4)
  }

  function assertRow(actual: Float32Array, expected: readonly number[]): void {
    expected.forEach((each, i) => {
      assertNear(actual[i], each)
    })
  }

  it('moves words, meta features and the bias towards the class, and away from the others', () => {
    const deltas = zeroModelDeltas(emptyModels())
    const fit = classFit(emptyModels(), 'operator', deltas, steps)
    assert.equal(fit({ text: words(4), meta: META_7, label: UPDATES }), true)
    // The error is 3/4, which pulls as strongly as it is large: 4 · 3/4 · 1/4.
    assertRow(row(deltas, 4), [-0.25, -0.25, 0.75, -0.25])
    const tenth = [-0.025, -0.025, 0.075, -0.025]
    assertRow(row(deltas, TEXT_FEATURES_SIZE + 7), tenth)
    assertRow(row(deltas, TEXT_FEATURES_SIZE + META_FEATURE_NAMES.length), tenth)
    assert.equal(deltas.tabs.filter((delta) => delta !== 0).length, 12)
  })

  it('moves nothing more of a message that a crowd has moved as far as it may', () => {
    const deltas = zeroModelDeltas(emptyModels())
    const fit = classFit(emptyModels(), 'crowd', deltas, steps)
    const step = () => fit({ text: words(4), meta: NO_META, label: UPDATES }, ({ text }) => text)
    row(deltas, 4).set([-0.3, -0.3, 0.3, -0.3])
    assert.equal(step(), false)
    row(deltas, 4).set([-0.1, -0.1, 0.3, -0.1])
    // 0.4 apart: the error is 0.668, which pulls by 4 · 0.668 · 0.332.
    assert.equal(step(), true)
    assertRow(row(deltas, 4), [-0.3957, -0.3957, 1.1872, -0.3957])
    assert.equal(step(), false)
  })
})

describe('a step', () => {
  const size = { rate: 0.5, initialSquare: 1, deltaMax: 3 }
  /** The delta after each step from `start` by a gradient. */
  const steps = (start: number, ...gradients: readonly number[]) => {
    const one = adagrad(Float32Array.of(start), size)
    return gradients.map((gradient) => {
      stepOne(one, 0, gradient, size)
      return one.deltas[0]!
    })
  }

  it('goes against the gradient, and less far each time', () => {
    // The squares are 1 before, and 2, 3 and 4 after: 0.5/√2, and 0.5/√3 and 0.5/√4 more. L2 takes a little off.
    const deltas = steps(0, -1, -1, -1)
    for (const [i, expected] of [0.35355, 0.64223, 0.89223].entries())
      assertNear(deltas[i], expected)
  })

  it('pulls towards zero where the example pulls not at all', () => {
    for (const sign of [1, -1]) {
      const [delta] = steps(2 * sign, 0)
      assert.ok(sign * delta! < 2 && sign * delta! > 1.999, `${delta}`)
    }
  })

  it('goes no further from zero than it may', () => {
    assert.deepEqual([steps(2.9, -10), steps(-2.9, 10)], [[3], [-3]])
  })
})
