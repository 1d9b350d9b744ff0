/** Who has to say the same before a feature moves. Messages are a few words, labels 0 and 1. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { TEXT_FEATURES_SIZE } from '../../features/text-features.ts'
import { Agreement, voterOf } from '../../learning/agreement.ts'
import { words } from './corrections.ts'

const HAM = 0
const SPAM = 1

function agreement(): Agreement {
  return new Agreement(TEXT_FEATURES_SIZE, 2)
}

/** The words that are moved by the word of each voter, one after the other. */
function moved(
  said: readonly (readonly [voter: number, label: number, words: readonly number[]])[],
): number[][] {
  const among = agreement()
  return said.map(([voter, label, indices]) => {
    return [...among.agreed(words(...indices), label, voter).indices]
  })
}

describe('Agreement', () => {
  it('moves nothing for four users, what all have said with the fifth, and then from the beginning', () => {
    const said = [1, 2, 3, 4, 5, 6, 7].map((voter) => [voter, SPAM, [10, 10 + voter]] as const)
    assert.deepEqual(moved(said), [[], [], [], [], [10], [], []])
  })

  it('takes a user who says it ten times for one', () => {
    const said = [1, 1, 1, 1, 1, 1, 2, 3, 4, 1, 5].map((voter) => [voter, SPAM, [10]] as const)
    assert.deepEqual(moved(said).at(-2), [])
    assert.deepEqual(moved(said).at(-1), [10])
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

  it('keeps the values of what is moved', () => {
    const among = agreement()
    const example = words(1, 2, 3, 4)
    for (const voter of [1, 2, 3, 4]) among.agreed(example, SPAM, voter)
    assert.deepEqual(among.agreed(example, SPAM, 5), example)
  })
})

describe('voterOf', () => {
  it('is the same for the same user, and from 1 to 65,535', () => {
    const voters = Array.from({ length: 10_000 }, (_, i) => voterOf(`user ${i}`))
    assert.deepEqual(voters[7], voterOf('user 7'))
    assert.ok(voters.every((voter) => Number.isInteger(voter) && voter >= 1 && voter <= 65_535))
    assert.ok(new Set(voters).size > 9_000)
    // Hashes that divided by 65,537 leave 65,535 and 65,536: a voter of 16 bits more would be nobody.
    for (const user of ['user 48007', 'user 45666']) assert.ok(voterOf(user) <= 65_535)
  })
})
