/** Who has to say the same before a feature moves. Messages are a few words, labels 0 and 1. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { TEXT_FEATURES_SIZE } from '../../features/text-features.ts'
import { AGREEING_MIN, Agreement, agreeingOf, TextGroups } from '../../learning/agreement.ts'
import { words } from './corrections.ts'

const HAM = 0
const SPAM = 1

function agreement(): Agreement {
  return new Agreement(TEXT_FEATURES_SIZE, 2)
}

/** The words that are moved by the word of each voter, one after the other, each in a text of its own unless it is named. */
function moved(
  said: readonly (readonly [
    voter: number,
    label: number,
    words: readonly number[],
    text?: number,
  ])[],
  agreeing = AGREEING_MIN,
): number[][] {
  const among = agreement()
  return said.map(([voter, label, indices, text = voter]) => {
    return [...among.agreed(words(...indices), { label, voter, text }, agreeing).indices]
  })
}

describe('Agreement', () => {
  it('moves nothing for four users, what all have said with the fifth, and then from the beginning', () => {
    const said = [1, 2, 3, 4, 5, 6, 7].map((voter) => [voter, SPAM, [0, 10 + voter]] as const)
    assert.deepEqual(moved(said), [[], [], [], [], [0], [], []])
  })

  it('takes a user who says it ten times for one', () => {
    const said = [1, 1, 1, 1, 1, 1, 2, 3, 4, 1, 5].map((voter) => [voter, SPAM, [10]] as const)
    assert.deepEqual(moved(said).at(-2), [])
    assert.deepEqual(moved(said).at(-1), [10])
  })

  it('takes a text that ten users send for one', () => {
    const text = 7
    const said = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((voter) => [voter, SPAM, [10], text] as const)
    const others = [11, 12, 13, 14].map((voter) => [voter, SPAM, [10]] as const)
    const all = moved([...said, ...others])
    assert.ok(all.slice(0, -1).every((indices) => indices.length === 0))
    assert.deepEqual(all.at(-1), [10])
  })

  it('waits for as many as it is told', () => {
    const said = Array.from({ length: 24 }, (_, voter) => [voter, SPAM, [10]] as const)
    assert.equal(
      moved(said, 24).findIndex((indices) => indices.length > 0),
      23,
    )
    assert.equal(
      moved(said, 10).findIndex((indices) => indices.length > 0),
      9,
    )
  })

  it('counts each label apart', () => {
    const said = [1, 2, 3, 4].flatMap((voter) => [
      [voter, SPAM, [10]] as const,
      [voter + 10, HAM, [10]] as const,
    ])
    assert.ok(moved(said).every((indices) => indices.length === 0))
  })

  it('never moves anything for four users, whatever they say and however often', () => {
    const saying = fc.tuple(
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(HAM, SPAM),
      fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(saying, { maxLength: 60 }), (said) =>
        moved(said).every((indices) => indices.length === 0),
      ),
      { numRuns: 20 },
    )
  })
})

describe('agreeingOf', () => {
  it('is five up to 500 active users, then one in a hundred, and 24 at most', () => {
    assert.deepEqual(
      [0, 12, 500, 501, 1_000, 2_400, 1_000_000].map(agreeingOf),
      [5, 5, 5, 6, 10, 24, 24],
    )
  })
})

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
