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
    text?: number | undefined,
  ])[],
  agreeing = AGREEING_MIN,
): number[][] {
  const among = agreement()
  return said.map(([voter, label, indices, text = voter]) => {
    return [...among.agreed(words(...indices), { label, voter, text }, agreeing).indices]
  })
}

const all = (voters: readonly number[], text?: number) =>
  voters.map((voter) => [voter, SPAM, [10], text] as const)
const upTo = (count: number, first = 1) => Array.from({ length: count }, (_, i) => first + i)

describe('Agreement', () => {
  it('moves nothing for four users, what all have said with the fifth, and then from the beginning', () => {
    const said = upTo(7).map((voter) => [voter, SPAM, [0, 10 + voter]] as const)
    assert.deepEqual(moved(said), [[], [], [], [], [0], [], []])
  })

  // biome-ignore format: a row each
  const cases: [what: string, said: Parameters<typeof moved>[0], agreeing: number | undefined, first: number][] = [
    ['takes a user who says it ten times for one', all([1, 1, 1, 1, 1, 1, 2, 3, 4, 1, 5]), undefined, 10],
    ['takes a text that ten users send for one', [...all(upTo(10), 7), ...all(upTo(4, 11))], undefined, 13],
    ['waits for as many as it is told', all(upTo(24)), 10, 9],
    ['waits for 24 at most', all(upTo(24)), 24, 23],
    ['counts each label apart', upTo(4).flatMap((voter) => [[voter, SPAM, [10]] as const, [voter + 10, HAM, [10]] as const]), undefined, -1],
  ]
  for (const [what, said, agreeing, first] of cases) {
    it(what, () => {
      const found = moved(said, agreeing)
      assert.equal(
        found.findIndex((indices) => indices.length > 0),
        first,
      )
    })
  }

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
  const groupsOf = (numbers: readonly number[], shared: number, textsMax?: number) => {
    const groups = new TextGroups(textsMax)
    return numbers.map((number) => groups.groupOf(text(number, shared)))
  }

  it('takes texts of which a fifth are other words for one, and the same text again', () => {
    assert.deepEqual(groupsOf([1, 2, 3, 1, 4, 5], 80), [0, 0, 0, 0, 0, 0])
  })

  it('tells texts apart that have a fifth of their words in common', () => {
    assert.deepEqual(groupsOf(upTo(500), 20), upTo(500, 0))
  })

  it('remembers as many texts as it is told, and forgets the oldest first', () => {
    assert.deepEqual(groupsOf([0, 1, 2, 0, 3, 0], 0, 3), [0, 1, 2, 0, 3, 4])
  })
})
