/** Which texts are nearly the same. Texts are a hundred features each. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TextGroups } from '../../learning/agreement.ts'
import { words } from './corrections.ts'

/** `own` features that no other number gives, after the first `shared` of those that all have. */
function text(number: number, shared: number, own = 100 - shared) {
  const common = Array.from({ length: shared }, (_, i) => i)
  return words(...common, ...Array.from({ length: own }, (_, i) => 1_000 + number * 100 + i))
}

describe('TextGroups', () => {
  it('takes texts of which a fifth are other words for one, and the same text again', () => {
    const groups = new TextGroups()
    const found = [1, 2, 3, 1, 4, 5].map((number) => groups.groupOf(text(number, 80)))
    assert.deepEqual(found, [0, 0, 0, 0, 0, 0])
  })

  it('tells texts apart that have a fifth of their words in common', () => {
    const groups = new TextGroups()
    const found = Array.from({ length: 500 }, (_, i) => groups.groupOf(text(i, 20)))
    assert.deepEqual(
      found,
      found.map((_, i) => i),
    )
  })

  it('remembers as many texts as it is told, and forgets the oldest first', () => {
    const groups = new TextGroups(3)
    const found = [0, 1, 2, 0, 3, 0].map((number) => groups.groupOf(text(number, 0)))
    assert.deepEqual(found, [0, 1, 2, 0, 3, 4])
  })

  it('takes all texts without a feature for one', () => {
    const groups = new TextGroups()
    assert.deepEqual(
      [words(), text(1, 0), words()].map((each) => groups.groupOf(each)),
      [0, 1, 0],
    )
  })
})
