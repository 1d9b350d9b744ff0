/** What is learned from the operator and a crowd at the same time, and what is counted of it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { zeroDeltas } from '../../learning/deltas.ts'
import { emptyModels } from '../../learning/empty-models.ts'
import { OnlineLearning } from '../../learning/online-learning.ts'
import type { Canary } from '../../models/canary.ts'
import { correction, NO_META, ownWords, words } from './corrections.ts'

/** Two hundred messages of a word each, none spam: those with three called spam are too many. */
const CANARY: Canary = Array.from({ length: 200 }, (_, i) => ({
  text: words(10_000 + i),
  meta: NO_META,
  spam: false,
  messageClass: 'primary',
}))

/** Five users call messages spam that have these words in common, each with words of its own. */
function callSpam(training: OnlineLearning, indices: readonly number[]): void {
  for (const [i, user] of ['ann', 'bob', 'cid', 'dan', 'eve'].entries()) {
    const said = correction({ id: user, user, words: [...indices, ...ownWords(i)] })
    training.train(said, { by: 'users', agreeing: 5 })
  }
}

describe('OnlineLearning', () => {
  it('counts what was promoted, of the operator and of a crowd, and what was refused', () => {
    const training = new OnlineLearning(emptyModels(), CANARY)
    assert.deepEqual(training.promotions, { promoted: 0, refused: 0 })
    training.train(correction({ id: '1' }), { by: 'operator' })
    assert.deepEqual(training.promotions, { promoted: 1, refused: 0 })
    callSpam(training, [1, 2])
    assert.deepEqual(training.promotions, { promoted: 2, refused: 0 })
    callSpam(training, [10_000, 10_001, 10_002])
    assert.deepEqual(training.promotions, { promoted: 2, refused: 1 })
  })

  it('keeps apart what was learned from both', () => {
    const training = new OnlineLearning(emptyModels(), CANARY)
    training.train(correction({ id: '1', words: [1] }), { by: 'operator' })
    callSpam(training, [1])
    const deltas = zeroDeltas(emptyModels())
    training.copyPromoted(deltas)
    assert.ok(Math.abs(deltas.operator.text[1]! - 1) < 1e-3, `${deltas.operator.text[1]}`)
    assert.ok(Math.abs(deltas.crowd.text[1]! - 0.2) < 1e-3, `${deltas.crowd.text[1]}`)
  })
})
