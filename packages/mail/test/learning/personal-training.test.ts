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

const times = <Made>(count: number, make: (i: number) => Made) =>
  Array.from({ length: count }, (_, i) => make(i))

describe('what a user has corrected', () => {
  const spam = (of: SparseVector) => lesson(SPAM, of)
  const five = times(5, (i) => spam(text(1 + i, 40)))
  const one = [spam(text(1))]
  const held = { canary: [reference(text(1))] }
  // biome-ignore format: a row each
  const cases: [what: string, lessons: PersonalExample[], of: SparseVector, min: number, max: number, more?: Parameters<typeof trained>[1]][] = [
    ['moves mail with its words to its label, by 0.45 at most', one, text(1), 0.4, 0.45],
    ['moves mail with its words to "not spam"', [lesson(HAM, text(1))], text(1), -0.45, -0.4],
    ['moves no other mail', one, text(100), 0, 0],
    ['moves mail further where several agree', times(3, (i) => spam(text(1 + i))), text(1), 1, PERSONAL_SHIFT_MAX],
    ['moves no message further than the bound, however often it is said', times(200, (i) => spam(text(1 + (i % 7), 60))), text(1, 60), 1, PERSONAL_SHIFT_MAX],
    ['moves a message that shares one word as far as one word may', times(20, (i) => spam(words(1, 100 + i))), words(1), TERM_SHIFT_MAX - 1e-6, TERM_SHIFT_MAX + 1e-6],
    ['moves what is unlike the reference set', five, text(1), 1, PERSONAL_SHIFT_MAX],
    ['moves no message of the reference set by more than 0.4', five, text(1), 0, 0.4, held],
    ['moves other mail with its words as far, beside the reference set', five, text(21), 0.5, PERSONAL_SHIFT_MAX, held],
    ['is forgotten where it is older than the newest', [...one, ...times(PERSONAL_EXAMPLES_MAX, () => spam(text(100)))], text(1), 0, 0],
  ]
  for (const [what, lessons, of, min, max, more] of cases) {
    it(what, () => {
      const shift = spamShift(trained(lessons, more), of)
      assert.ok(shift >= min && shift <= max, String(shift))
    })
  }

  it('moves the reference set by no more than 0.05 on average', () => {
    const canary = times(10, (i) => reference(text(1 + 2 * i)))
    const deltas = trained([spam(text(1)), spam(text(15))], { canary })
    const shifts = canary.map((message) => spamShift(deltas, message.text))
    assert.ok(shifts.reduce((sum, shift) => sum + shift, 0) / canary.length <= 0.051)
  })

  it('moves less the surer the models are of its label', () => {
    const models = emptyModels()
    const warned = { ...models, fusion: { ...models.fusion, bias: 4 } }
    const [sure, unsure] = [warned, models].map((base) =>
      spamShift(new PersonalTraining(base, []).train({ spam: one, tabs: [] }), text(1)),
    )
    assert.ok(sure! < 0.3 * unsure!)
  })

  it('moves classes to the one that the user named, and away from the others', () => {
    const deltas = trained([], { tabs: [lesson(UPDATES, text(1))] })
    const { spam: ofSpam, classes } = personalShift(deltas, termsOf(text(1)))
    assert.deepEqual([ofSpam, classes.length], [0, CLASSES.length])
    assert.ok(classes[UPDATES]! > 0.3 && classes[PROMOTIONS]! < 0)
  })

  it('is kept by the weights that matter most, so many', () => {
    const deltas = trained(times(40, (i) => spam(text(1 + 250 * i, 250))))
    assert.equal(deltas.spam!.keys.filter((key) => key !== 0).length, PERSONAL_TERMS_MAX)
    assert.ok(personalBytes(deltas) <= 128 * 1024)
  })

  it('gives what would be had a correction never been made, once it is taken back', () => {
    const tabs = [lesson(UPDATES, text(4))]
    const training = new PersonalTraining(emptyModels(), [reference(text(8))])
    const first = training.train({ spam: one, tabs })
    assert.notDeepEqual(training.train({ spam: [...one, spam(text(5))], tabs }), first)
    assert.deepEqual(training.train({ spam: one, tabs }), first)
    assert.deepEqual(trained([]), { spam: undefined, classes: undefined })
  })
})
