/** On the model that knows nothing. A message is held out by its key: of these, number 21 and 22 are. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { emptyModels } from '../../learning/empty-models.ts'
import { OperatorLearning } from '../../learning/operator-learning.ts'
import { correction, META_7, NO_META, words } from './corrections.ts'

const HAM = 0
const SPAM = 1
const HELD_OUT = 'message 21'
const ALSO_HELD_OUT = 'message 22'

function startTraining(): OperatorLearning {
  return new OperatorLearning(emptyModels())
}

/** Says that a message of word 1 has this label; gives whether the candidate was promoted with it. */
function say(training: OperatorLearning, message: string, label: number): boolean {
  const said = correction({ id: message, message })
  return training.train(said, { text: words(1), meta: NO_META, label })
}

describe('OperatorLearning', () => {
  it('moves a word by 1 at first, and a meta feature and the bias by a twentieth', () => {
    const training = startTraining()
    const example = { text: words(1), meta: META_7, label: SPAM }
    assert.equal(training.train(correction({ id: '1' }), example), true)
    const { text, meta } = training.promoted
    for (const [delta, expected] of [
      [text[1], 1],
      [meta[7], 0.05],
      [meta.at(-1), 0.05],
    ] as const) {
      assert.ok(Math.abs(delta! - expected) < 1e-3, `${delta}`)
    }
  })

  it('promotes what makes the held-out better', () => {
    const training = startTraining()
    assert.equal(say(training, HELD_OUT, SPAM), true)
    assert.equal(training.candidate.text[1], 0)
    assert.equal(say(training, '1', SPAM), true)
    assert.ok(training.promoted.text[1]! > 0.9)
  })

  it('does not promote what makes them worse, and does once it is undone', () => {
    const training = startTraining()
    for (const message of [HELD_OUT, ALSO_HELD_OUT]) say(training, message, SPAM)
    assert.equal(say(training, '1', HAM), false)
    assert.ok(training.candidate.text[1]! < -0.9)
    assert.equal(training.promoted.text[1], 0)
    const outcomes = Array.from({ length: 8 }, (_, i) => say(training, `${i}`, SPAM))
    assert.equal(outcomes.at(-1), true)
    assert.ok(training.promoted.text[1]! > 0)
  })
})
