/** Single steps on the model that knows nothing, to which each class is one in four; worked by hand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { META_FEATURE_NAMES } from '../../features/meta-features.ts'
import { TEXT_FEATURES_SIZE } from '../../features/text-features.ts'
import { ClassLearning } from '../../learning/class-learning.ts'
import { type ModelDeltas, zeroModelDeltas } from '../../learning/deltas.ts'
import { emptyModels } from '../../learning/empty-models.ts'
import type { Steps } from '../../learning/model-learning.ts'
import { META_7, NO_META, words } from './corrections.ts'

/** Position in CLASSES. */
const UPDATES = 2

/** Squares that start high: a step is the gradient, times the rate, over a hundred. */
const STEPS: Steps = {
  text: { rate: 100, initialSquare: 10_000, deltaMax: 10 },
  meta: { rate: 10, initialSquare: 10_000, deltaMax: 10 },
}

function startLearning() {
  const candidate = zeroModelDeltas(emptyModels())
  return { candidate, fit: new ClassLearning(emptyModels(), 'operator', candidate, STEPS) }
}

/** What was learned of a feature, class by class. */
function row({ tabs }: ModelDeltas, feature: number): Float32Array {
  return tabs.subarray(feature * 4, feature * 4 + 4)
}

function assertNear(actual: Float32Array, expected: readonly number[]): void {
  assert.ok(
    expected.every((each, i) => Math.abs(actual[i]! - each) < 1e-3),
    `${actual}`,
  )
}

describe('ClassLearning', () => {
  it('moves words, meta features and the bias towards the class, and away from the others', () => {
    const { candidate, fit } = startLearning()
    assert.equal(fit.step({ text: words(4), meta: META_7, label: UPDATES }), true)
    // The error is 3/4, which pulls as strongly as it is large: 4 · 3/4 · 1/4.
    assertNear(row(candidate, 4), [-0.25, -0.25, 0.75, -0.25])
    const tenth = [-0.025, -0.025, 0.075, -0.025]
    assertNear(row(candidate, TEXT_FEATURES_SIZE + 7), tenth)
    assertNear(row(candidate, TEXT_FEATURES_SIZE + META_FEATURE_NAMES.length), tenth)
    assert.equal(candidate.tabs.filter((delta) => delta !== 0).length, 12)
  })

  it('is as wrong as the class is improbable with the deltas it is asked about', () => {
    const { fit } = startLearning()
    const deltas = zeroModelDeltas(emptyModels())
    const example = { text: words(4), meta: NO_META, label: UPDATES }
    assert.equal(fit.loss(example, deltas), 0.75)
    // As likely as the three others together.
    row(deltas, 4)[UPDATES] = Math.log(3)
    assert.ok(Math.abs(fit.loss(example, deltas) - 0.5) < 1e-6)
  })

  it('moves nothing more of a message that a crowd has moved as far as it may', () => {
    const candidate = zeroModelDeltas(emptyModels())
    const fit = new ClassLearning(emptyModels(), 'crowd', candidate, STEPS)
    const step = () =>
      fit.step({ text: words(4), meta: NO_META, label: UPDATES }, ({ text }) => text)
    row(candidate, 4).set([-0.3, -0.3, 0.3, -0.3])
    assert.equal(step(), false)
    row(candidate, 4).set([-0.1, -0.1, 0.3, -0.1])
    // 0.4 apart: the error is 0.668, which pulls by 4 · 0.668 · 0.332.
    assert.equal(step(), true)
    assertNear(row(candidate, 4), [-0.3957, -0.3957, 1.1872, -0.3957])
    assert.equal(step(), false)
  })
})
