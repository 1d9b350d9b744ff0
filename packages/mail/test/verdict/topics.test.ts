/** Which reasons are listed, and that the sentence can be made from them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { SIGNAL_NAMES } from '../../signals/table.ts'
import { candidates, listedReasons, namedReasons, REASONS_MAX } from '../../verdict/topics.ts'

const NAMES = [...SIGNAL_NAMES, 'TAMIS_TEXT', 'TAMIS_FORM', 'TAMIS_USER_LEARNED']

/** Reasons of different names and weights. */
const REASONS = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), fc.integer({ min: -400, max: 400 })), {
    selector: ([name]) => name,
    maxLength: 30,
  })
  .map((pairs) => pairs.map(([name, share], at) => ({ name, points: share / 100 + at * 1e-6 })))

describe('listedReasons', () => {
  it('are at most five, from which the sentence names what it names from all', () => {
    fc.assert(
      fc.property(REASONS, fc.boolean(), (reasons, forSpam) => {
        const told = listedReasons(candidates(reasons), forSpam)
        assert.ok(told.length <= REASONS_MAX)
        assert.deepEqual(namedReasons(told, forSpam), namedReasons(reasons, forSpam))
      }),
    )
  })

  it('have a weaker reason of another topic in place of the fifth strongest', () => {
    const links = ['LINK_IP_HOST', 'LINK_PORT', 'LINK_DATA', 'LINK_FILE', 'LINK_SCRIPT']
    const reasons = [
      ...links.map((name) => ({ name, points: 2 })),
      { name: 'DKIM_NONE', points: 0.3 },
    ]
    assert.deepEqual(
      listedReasons(reasons, true).map(({ name }) => name),
      [...links.slice(0, 4), 'DKIM_NONE'],
    )
  })
})
