/** A user's own corrections, on the model that knows nothing: what they move, and what they leave as it was. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SparseVector } from '../../features/sparse-vector.ts'
import { emptyModels } from '../../learning/empty-models.ts'
import type { LearningExample } from '../../learning/learn-event.ts'
import { PersonalTraining } from '../../learning/personal-training.ts'
import type { CanaryMessage } from '../../models/canary.ts'
import {
  PERSONAL_EXAMPLES_MAX,
  PERSONAL_FEATURES_MAX,
  PERSONAL_REACH,
  personalBytes,
  personalShift,
} from '../../personalization/personal-deltas.ts'
import { META_7, NO_META, words } from './corrections.ts'

const HAM = 0
const SPAM = 1

/** Positions in CLASSES. */
const PROMOTIONS = 1
const UPDATES = 2

function lesson(label: number, text: SparseVector, meta = NO_META): LearningExample {
  return { text, meta, label }
}

function canaryHam(text: SparseVector): CanaryMessage {
  return { text, meta: NO_META, spam: false, messageClass: 'primary' }
}

function trained(
  spam: readonly LearningExample[],
  {
    tabs = [],
    canary = [],
  }: { tabs?: readonly LearningExample[]; canary?: readonly CanaryMessage[] } = {},
) {
  return new PersonalTraining(emptyModels(), canary).train({ spam, tabs })
}

/** What is added to the log-odds of spam of a message with these words. */
function spamShift(deltas: ReturnType<typeof trained>, text: SparseVector, meta = NO_META): number {
  return personalShift(deltas, { text, meta }).spam
}

describe('PersonalTraining', () => {
  it('moves mail with the words of a corrected message to its label, and other mail not', () => {
    const deltas = trained([lesson(SPAM, words(1, 2))])
    assert.ok(spamShift(deltas, words(1, 2)) > 1)
    assert.equal(spamShift(deltas, words(3, 4)), 0)
    assert.ok(spamShift(trained([lesson(HAM, words(1, 2))]), words(1, 2)) < -1)
  })

  it('learns how a message is made too', () => {
    const deltas = trained([lesson(SPAM, words(1), META_7)])
    assert.ok(spamShift(deltas, words(9), META_7) > 0)
  })

  it('moves no message by more than its reach, however often a user says the same', () => {
    const again = Array.from({ length: 200 }, (_, i) => lesson(SPAM, words(1, 2, 3 + (i % 7))))
    assert.equal(spamShift(trained(again), words(1, 2)), PERSONAL_REACH)
  })

  it('leaves ham of the canary set where it was, but for a little', () => {
    const spam = [lesson(SPAM, words(1, 2)), lesson(SPAM, words(1, 3))]
    assert.ok(spamShift(trained(spam), words(1)) > 1)
    const canary = Array.from({ length: 40 }, (_, i) => canaryHam(words(1, 10 + i)))
    const held = trained(spam, { canary })
    assert.ok(spamShift(held, words(1, 10)) < 0.5)
    assert.ok(spamShift(held, words(1, 2)) > 1)
    assert.equal(spamShift(held, words(10)), 0)
  })

  it('moves classes to the one that the user named, and away from the others', () => {
    const deltas = trained([], { tabs: [lesson(UPDATES, words(1, 2))] })
    const { spam, classes } = personalShift(deltas, { text: words(1, 2), meta: NO_META })
    assert.equal(spam, 0)
    assert.ok(classes[UPDATES]! > 0.3)
    assert.ok(classes[PROMOTIONS]! < 0)
  })

  it('learns from the newest corrections, so many', () => {
    const old = lesson(SPAM, words(1))
    const newer = Array.from({ length: PERSONAL_EXAMPLES_MAX }, () => lesson(SPAM, words(2)))
    const deltas = trained([old, ...newer])
    assert.equal(spamShift(deltas, words(1)), 0)
    assert.ok(spamShift(deltas, words(2)) > 1)
  })

  it('keeps the weights that matter most, so many', () => {
    const wide = Array.from({ length: 20 }, (_, i) =>
      lesson(SPAM, words(...Array.from({ length: 1_000 }, (_, j) => 1 + i * 1_000 + j))),
    )
    const deltas = trained(wide)
    const kept = deltas.spam!.keys.filter((key) => key !== 0).length
    assert.equal(kept, PERSONAL_FEATURES_MAX)
    assert.ok(personalBytes(deltas) <= 128 * 1024)
  })

  it('gives the same deltas for the same corrections, no matter what was learned before', () => {
    const spam = [lesson(SPAM, words(1, 2)), lesson(HAM, words(2, 3))]
    const tabs = [lesson(UPDATES, words(4))]
    const training = new PersonalTraining(emptyModels(), [canaryHam(words(1, 8))])
    const first = training.train({ spam, tabs })
    training.train({ spam: [lesson(SPAM, words(5, 6))], tabs: [] })
    assert.deepEqual(training.train({ spam, tabs }), first)
  })

  it('has nothing to add for a user who has corrected nothing', () => {
    assert.deepEqual(trained([]), {
      modelsVersion: 'empty',
      spam: undefined,
      classes: undefined,
    })
  })
})
