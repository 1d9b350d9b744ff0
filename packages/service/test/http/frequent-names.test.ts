import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FrequentNames } from '../../http/frequent-names.ts'

const NAMES_MAX = 4

function countsOf(names: readonly string[]): Map<string, number> {
  const frequent = new FrequentNames(NAMES_MAX, () => ({ messages: 0 }))
  for (const name of names) frequent.meet(name).messages++
  return new Map([...frequent].map(([name, { messages }]) => [name, messages]))
}

describe('FrequentNames', () => {
  it('counts each name where all have a place', () => {
    assert.deepEqual(
      countsOf(['a', 'b', 'a', 'c']),
      new Map([
        ['a', 2],
        ['b', 1],
        ['c', 1],
      ]),
    )
  })

  it('gives the place of the name met least to a new one, which begins at nothing', () => {
    assert.deepEqual(
      countsOf(['a', 'a', 'b', 'b', 'c', 'd', 'd', 'e']),
      new Map([
        ['a', 2],
        ['b', 2],
        ['d', 2],
        ['e', 1],
      ]),
    )
  })

  it('counts never too high, too low by a share at most, and keeps every name above that share', () => {
    const names = fc.array(
      fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.integer({ max: 50 }).map(String)),
      { maxLength: 300 },
    )
    fc.assert(
      fc.property(names, (met) => {
        const counts = countsOf(met)
        assert.ok(counts.size <= NAMES_MAX)
        for (const [name, all] of Map.groupBy(met, (each) => each)) {
          const counted = counts.get(name) ?? 0
          assert.ok(counted <= all.length)
          assert.ok(all.length - counted <= met.length / NAMES_MAX, `${name}: ${counted}`)
        }
      }),
    )
  })
})
