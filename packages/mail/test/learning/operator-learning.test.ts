import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OperatorLearning } from '../../learning/learn.ts'
import { emptyModels } from '../../models/models.ts'
import { correction, META_7, NO_META, words } from './corrections.ts'

const HAM = 0
const SPAM = 1

describe('OperatorLearning', () => {
  it('moves a word by 1 at first, and a meta feature and the bias by a twentieth', () => {
    const training = new OperatorLearning(emptyModels())
    training.train(correction({ id: '1' }), { text: words(1), meta: META_7, label: SPAM })
    const { text, meta } = training.deltas
    for (const [delta, expected] of [
      [text[1], 1],
      [meta[7], 0.05],
      [meta.at(-1), 0.05],
    ] as const) {
      assert.ok(Math.abs(delta! - expected) < 1e-3, `${delta}`)
    }
  })

  it('repeats what was corrected before, so that it is not unlearned', () => {
    const training = new OperatorLearning(emptyModels())
    const say = (id: string, label: number) =>
      training.train(correction({ id }), { text: words(1, label + 2), meta: NO_META, label })
    say('spam', SPAM)
    for (let i = 0; i < 40; i++) say(`ham ${i}`, HAM)
    const { text } = training.deltas
    // Its own word holds the first against forty of the other, with which it shares word 1.
    assert.ok(text[1]! + text[3]! > 0, `${text[1]! + text[3]!}`)
    assert.ok(text[1]! + text[2]! < 0, `${text[1]! + text[2]!}`)
  })
})
