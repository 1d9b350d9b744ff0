/** A user's own corrections, on the model that knows nothing: what they move, and what they leave as it was. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SparseVector } from '../../features/sparse-vector.ts'
import { emptyModels } from '../../learning/empty-models.ts'
import type { LearningExample } from '../../learning/learn-event.ts'
import { PersonalTraining } from '../../learning/personal-training.ts'
import type { CanaryMessage } from '../../models/canary.ts'
import { softmax } from '../../models/logit.ts'
import { CLASSES } from '../../models/prediction.ts'
import {
  PERSONAL_EXAMPLES_MAX,
  PERSONAL_FEATURES_MAX,
  PERSONAL_REACH,
  personalBytes,
  personalShift,
} from '../../personalization/personal-deltas.ts'
import { META_7, NO_META, words } from './corrections.ts'

/** The first meta feature, of value 1. */
const META_0: SparseVector = { ...META_7, indices: Uint32Array.of(0) }

const HAM = 0
const SPAM = 1

/** Positions in CLASSES. */
const PRIMARY = 0
const PROMOTIONS = 1
const UPDATES = 2

function lesson(label: number, text: SparseVector, meta = NO_META): LearningExample {
  return { text, meta, label }
}

function canaryHam(
  text: SparseVector,
  messageClass: CanaryMessage['messageClass'] = 'primary',
): CanaryMessage {
  return { text, meta: NO_META, spam: false, messageClass }
}

/** Asserts that numbers are as worked out by hand, to four digits. */
function assertClose(found: readonly number[], expected: readonly number[]): void {
  const rounded = found.map((each) => Math.round(each * 1e4) / 1e4)
  assert.deepEqual(rounded, expected)
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

  it('learns of each message by its own words alone', () => {
    const one = lesson(SPAM, words(1, 2))
    const deltas = trained([one, lesson(HAM, words(3, 4))])
    assert.equal(spamShift(deltas, words(1, 2)), spamShift(trained([one]), words(1, 2)))
  })

  it('learns the feature with the number 0', () => {
    const shift = spamShift(trained([lesson(SPAM, words(0, 2))]), words(0))
    assert.equal(shift, spamShift(trained([lesson(SPAM, words(1, 2))]), words(1)))
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

/**
 * Worked by hand: a weight w starts at 0 and its squares s at s0. Each of three passes finds an error
 * e, pulls by g = 4 e (1 - |e|), adds g² to s, and takes rate · g / √s from w.
 */
describe('PersonalTraining, step by step', () => {
  it('takes three steps for one word', () => {
    const deltas = trained([lesson(SPAM, words(1))])
    assertClose([spamShift(deltas, words(1))], [2.0164])
  })

  it('takes shorter steps the surer the models are of the label', () => {
    const models = emptyModels()
    const warned = { ...models, fusion: { ...models.fusion, bias: 1 } }
    const deltas = new PersonalTraining(warned, []).train({
      spam: [lesson(SPAM, words(1))],
      tabs: [],
    })
    assertClose([spamShift(deltas, words(1))], [1.7778])
  })

  it('takes shorter ones for how a message is made, from the first meta feature on', () => {
    const deltas = trained([lesson(SPAM, words(), META_0)])
    assertClose([spamShift(deltas, words(), META_0)], [0.1138])
  })

  it('divides the pull towards a class among all four', () => {
    const deltas = trained([], { tabs: [lesson(UPDATES, words(1))] })
    const { classes } = personalShift(deltas, { text: words(1), meta: NO_META })
    assertClose(classes, [-0.3572, -0.3572, 0.3573, -0.3572])
  })

  it('learns nothing from a class that the models are sure of, and goes on with the next', () => {
    const models = emptyModels()
    const integers = new Int16Array(models.tabs.weights.integers.length)
    integers[5 * CLASSES.length + UPDATES] = 100
    const sureOfFive = { ...models, tabs: { ...models.tabs, weights: { integers, scale: 1 } } }
    const training = new PersonalTraining(sureOfFive, [])
    const classes = (tabs: readonly LearningExample[]) =>
      personalShift(training.train({ spam: [], tabs }), { text: words(1), meta: NO_META }).classes
    const sure = lesson(UPDATES, words(1, 5))
    const unsure = lesson(UPDATES, words(1))
    assert.deepEqual(classes([sure]), [0, 0, 0, 0])
    assert.deepEqual(classes([sure, unsure]), classes([unsure]))
  })
})

describe('PersonalTraining, and the classes of the canary set', () => {
  const tabs = [lesson(UPDATES, words(1, 2)), lesson(UPDATES, words(1, 3))]
  const alone = trained([], { tabs })

  it('keeps them, where they would have become improbable', () => {
    const canary = Array.from({ length: 40 }, (_, i) => canaryHam(words(1, 10 + i)))
    const probabilityOfPrimary = (deltas: ReturnType<typeof trained>) => {
      const { classes } = personalShift(deltas, { text: words(1, 10), meta: NO_META })
      return softmax(classes)[PRIMARY]!
    }
    assert.ok(probabilityOfPrimary(alone) < 0.2)
    assert.ok(probabilityOfPrimary(trained([], { tabs, canary })) > 0.2)
  })

  it('steps back by each message alone', () => {
    const held = canaryHam(words(1, 10))
    const canary = [canaryHam(words(50)), held]
    assert.deepEqual(trained([], { tabs, canary }), trained([], { tabs, canary: [held] }))
    assert.notDeepEqual(trained([], { tabs, canary }), alone)
  })

  it('does not step back for one that has become less probable by little', () => {
    const little = canaryHam(words(1, ...Array.from({ length: 24 }, (_, i) => 10 + i)))
    assert.deepEqual(trained([], { tabs, canary: [little] }), alone)
  })

  it('does not step on for one that has become more probable', () => {
    assert.deepEqual(trained([], { tabs, canary: [canaryHam(words(1), 'updates')] }), alone)
  })
})
