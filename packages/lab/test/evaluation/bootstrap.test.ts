import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bootstrapInterval } from '../../evaluation/bootstrap.ts'
import { meanOf } from '../../evaluation/metrics.ts'

interface Item {
  readonly group: string
  readonly stratum: string
  readonly value: number
}

const item = (group: string, value: number, stratum = ''): Item => ({ group, stratum, value })
const mean = (items: readonly Item[]) => meanOf(items.map(({ value }) => value))
const byGroup = { groupOf: ({ group }: Item) => group }

describe('bootstrapInterval', () => {
  const tossed = Array.from({ length: 100 }, (_, i) => item(String(i), i % 2))

  it('comes to two standard errors on a hundred coins', () => {
    // Standard error sqrt(0.5 · 0.5 / 100) = 0.05; 500 resamples leave some 0.01 of noise.
    const { low, high } = bootstrapInterval(tossed, mean, byGroup)
    assert.ok(Math.abs(low - 0.4) <= 0.02, `low ${low}`)
    assert.ok(Math.abs(high - 0.6) <= 0.02, `high ${high}`)
  })

  it('is wider when messages come in groups that are alike', () => {
    const alike = tossed.map((each, i) => ({ ...each, group: String(i % 4) }))
    const single = bootstrapInterval(tossed, mean, byGroup)
    const grouped = bootstrapInterval(alike, mean, byGroup)
    assert.ok(grouped.high - grouped.low > 2 * (single.high - single.low))
  })

  it('draws as many groups from a stratum as it has', () => {
    const items = [item('a', 0, 'x'), item('b', 0, 'x'), item('c', 1, 'y')]
    const { low, high } = bootstrapInterval(items, mean, {
      ...byGroup,
      stratumOf: ({ stratum }) => stratum,
    })
    assert.equal(low, 1 / 3)
    assert.equal(high, 1 / 3)
  })

  it('passes over resamples that have no figure', () => {
    const items = [item('a', 1), item('b', Number.NaN)]
    const { low, high } = bootstrapInterval(items, mean, byGroup)
    assert.equal(low, 1)
    assert.equal(high, 1)
  })
})
