/** Algorithm R with its chances given: which item an addition takes the place of is worked by hand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Reservoir } from '../../learning/reservoir.ts'

/** A reservoir of two to which these were added, each with its chance. */
function reservoirOf(...added: readonly (readonly [item: string, chance: number])[]) {
  const reservoir = new Reservoir<string>(2)
  for (const [item, chance] of added) reservoir.add(item, chance)
  return reservoir
}

describe('Reservoir', () => {
  it('gives nothing while it is empty', () => {
    assert.deepEqual(reservoirOf().draw([0, 0.5]), [])
  })

  it('keeps all until it is full, and draws each by its share of the chances', () => {
    const two = reservoirOf(['ann', 0.9], ['bob', 0.9])
    assert.deepEqual(two.draw([0, 0.49, 0.5, 0.99]), ['ann', 'ann', 'bob', 'bob'])
  })

  it('puts the third in the place of one of two by a chance of two thirds', () => {
    const drawn = (chance: number) =>
      reservoirOf(['ann', 0], ['bob', 0], ['cid', chance]).draw([0, 0.4, 0.6, 0.99])
    assert.deepEqual(drawn(0.3), ['cid', 'cid', 'bob', 'bob'])
    assert.deepEqual(drawn(0.6), ['ann', 'ann', 'cid', 'cid'])
    assert.deepEqual(drawn(0.7), ['ann', 'ann', 'bob', 'bob'])
  })
})
