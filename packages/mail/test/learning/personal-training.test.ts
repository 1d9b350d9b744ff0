/** A user's own corrections, on the model that knows nothing: what they move, and what they leave as it was. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { packTerm, type SparseTerms } from '../../embedding/sparse-terms.ts'
import type { SparseVector } from '../../features/sparse-vector.ts'
import { type PersonalExample, PersonalTraining } from '../../learning/personal-training.ts'
import type { CanaryMessage } from '../../models/canary.ts'
import { emptyModels } from '../../models/models.ts'
import { CLASSES } from '../../models/prediction.ts'
import {
  PERSONAL_EXAMPLES_MAX,
  PERSONAL_SHIFT_MAX,
  PERSONAL_TERMS_MAX,
  personalBytes,
  personalShift,
  TERM_SHIFT_MAX,
} from '../../personalization/personal-deltas.ts'
import { NO_META, words } from './corrections.ts'

const HAM = 0
const SPAM = 1

/** Positions in CLASSES. */
const PROMOTIONS = 1
const UPDATES = 2

/** The terms of a message with these words, all of them particular: a text vector of length 1. */
function termsOf({ indices, values }: SparseVector): SparseTerms {
  return Uint32Array.from(indices, (index, i) => packTerm(index, values[i]!)).sort()
}

/** Twenty words from `first` on: the text of a sender. */
function text(first: number, count = 20): SparseVector {
  return words(...Array.from({ length: count }, (_, i) => first + i))
}

function lesson(label: number, of: SparseVector): PersonalExample {
  return { text: of, meta: NO_META, terms: termsOf(of), label }
}

function reference(of: SparseVector): CanaryMessage {
  return { text: of, meta: NO_META, spam: false, messageClass: 'primary' }
}

function trained(
  spam: readonly PersonalExample[],
  {
    tabs = [],
    canary = [],
  }: { tabs?: readonly PersonalExample[]; canary?: readonly CanaryMessage[] } = {},
) {
  return new PersonalTraining(emptyModels(), canary).train({ spam, tabs })
}

/** What is added to the log-odds of spam of a message with these words. */
function spamShift(deltas: ReturnType<typeof trained>, of: SparseVector): number {
  return personalShift(deltas, termsOf(of)).spam
}

describe('PersonalTraining', () => {
  it('moves mail with the words of a corrected message to its label, and other mail not', () => {
    const deltas = trained([lesson(SPAM, text(1))])
    assert.ok(spamShift(deltas, text(1)) > 0.4)
    assert.equal(spamShift(deltas, text(100)), 0)
    assert.ok(spamShift(trained([lesson(HAM, text(1))]), text(1)) < -0.4)
  })

  it('moves nothing by more than 0.45 for one correction, and more for several that agree', () => {
    assert.ok(spamShift(trained([lesson(SPAM, text(1))]), text(1)) <= 0.45)
    const three = [0, 1, 2].map((i) => lesson(SPAM, text(1 + i)))
    assert.ok(spamShift(trained(three), text(1)) > 1)
  })

  it('moves no message by more than its bound, however often a user says the same', () => {
    const again = Array.from({ length: 200 }, (_, i) => lesson(SPAM, text(1 + (i % 7), 60)))
    assert.ok(spamShift(trained(again), text(1, 60)) <= PERSONAL_SHIFT_MAX)
  })

  it('moves a message that shares one word by no more than one word may', () => {
    const again = Array.from({ length: 20 }, (_, i) => lesson(SPAM, words(1, 100 + i)))
    const shift = spamShift(trained(again), words(1))
    assert.ok(Math.abs(shift - TERM_SHIFT_MAX) < 1e-6, String(shift))
  })

  it('learns less from a message the surer the models are of its label', () => {
    const models = emptyModels()
    const warned = { ...models, fusion: { ...models.fusion, bias: 4 } }
    const of = (base: typeof models) =>
      new PersonalTraining(base, []).train({ spam: [lesson(SPAM, text(1))], tabs: [] })
    assert.ok(spamShift(of(warned), text(1)) < 0.3 * spamShift(of(models), text(1)))
  })

  it('moves mail of the reference set by no more than 0.4, and other mail with its words as far', () => {
    const spam = Array.from({ length: 5 }, (_, i) => lesson(SPAM, text(1 + i, 40)))
    assert.ok(spamShift(trained(spam), text(1)) > 1)
    const held = trained(spam, { canary: [reference(text(1))] })
    assert.ok(spamShift(held, text(1)) <= 0.4)
    assert.ok(spamShift(held, text(21)) > 0.5)
  })

  it('moves the reference set by no more than 0.05 on average', () => {
    const canary = Array.from({ length: 10 }, (_, i) => reference(text(1 + 2 * i)))
    const deltas = trained([lesson(SPAM, text(1)), lesson(SPAM, text(15))], { canary })
    const shifts = canary.map((message) => spamShift(deltas, message.text))
    assert.ok(shifts.reduce((sum, shift) => sum + shift, 0) / canary.length <= 0.051)
  })

  it('moves classes to the one that the user named, and away from the others', () => {
    const deltas = trained([], { tabs: [lesson(UPDATES, text(1))] })
    const { spam, classes } = personalShift(deltas, termsOf(text(1)))
    assert.equal(spam, 0)
    assert.equal(classes.length, CLASSES.length)
    assert.ok(classes[UPDATES]! > 0.3)
    assert.ok(classes[PROMOTIONS]! < 0)
  })

  it('learns from the newest corrections, so many', () => {
    const newer = Array.from({ length: PERSONAL_EXAMPLES_MAX }, () => lesson(SPAM, text(100)))
    const deltas = trained([lesson(SPAM, text(1)), ...newer])
    assert.equal(spamShift(deltas, text(1)), 0)
    assert.ok(spamShift(deltas, text(100)) > 1)
  })

  it('keeps the weights that matter most, so many', () => {
    const wide = Array.from({ length: 40 }, (_, i) => lesson(SPAM, text(1 + 250 * i, 250)))
    const deltas = trained(wide)
    const kept = deltas.spam!.keys.filter((key) => key !== 0).length
    assert.equal(kept, PERSONAL_TERMS_MAX)
    assert.ok(personalBytes(deltas) <= 128 * 1024)
  })

  it('gives what would be had a correction never been made, once it is taken back', () => {
    const spam = [lesson(SPAM, text(1)), lesson(HAM, text(10))]
    const tabs = [lesson(UPDATES, text(4))]
    const training = new PersonalTraining(emptyModels(), [reference(text(8))])
    const first = training.train({ spam, tabs })
    assert.notDeepEqual(training.train({ spam: [...spam, lesson(SPAM, text(5))], tabs }), first)
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
