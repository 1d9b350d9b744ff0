/** Figures are against values worked by hand; where they are sums of fractions, to 1e-9. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bootstrapInterval } from '../../evaluation/bootstrap.ts'
import {
  calibrationError,
  macroF1,
  meanOf,
  oneMinusAuc,
  type Scored,
  spamCaughtAt,
} from '../../evaluation/metrics.ts'

const scored = (ham: number[], spam: number[]): Scored[] => [
  ...ham.map((score) => ({ score, spam: false })),
  ...spam.map((score) => ({ score, spam: true })),
]

function assertNear(actual: number, expected: number): void {
  const isEqual = Object.is(actual, expected) || Math.abs(actual - expected) < 1e-9
  assert.ok(isEqual, `${actual} is not ${expected}`)
}

it('oneMinusAuc counts inverted pairs, a tie as half', () => {
  assertNear(oneMinusAuc(scored([0.8, 0.9], [0.1])), 1)
  assertNear(oneMinusAuc(scored([0.1, 0.5], [0.4, 0.6, 0.7])), 1 / 6)
  assertNear(oneMinusAuc(scored([0.5], [0.5])), 0.5)
  assertNear(oneMinusAuc(scored([0.1], [])), Number.NaN)
})

it('spamCaughtAt counts the spam above the threshold that loses so much ham', () => {
  const ham = Array.from({ length: 100 }, (_, i) => i / 100)
  assertNear(spamCaughtAt(scored(ham, [0.5, 0.985, 0.995]), 0.01), 2 / 3)
  // None of a hundred may be lost when it is one in a thousand, and a tie with ham is not caught.
  assertNear(spamCaughtAt(scored(ham, [0.985, 0.995]), 0.001), 1 / 2)
  assertNear(spamCaughtAt(scored([0.2, 0.9], [0.9]), 0), 0)
})

it('calibrationError weighs ham and spam alike, however many there are', () => {
  assertNear(calibrationError(scored([0.25, 0.25, 0.25, 0.75], [0.75, 0.75, 0.75, 0.25])), 0)
  assertNear(calibrationError(scored([1], [1])), 0.5)
  // Both bins hold half of the weight: |0 - 0.2| / 2 + |1 - 0.9| / 2.
  assertNear(calibrationError(scored([0.2, 0.2, 0.2], [0.9])), 0.15)
  assertNear(calibrationError(scored([0.1], [])), Number.NaN)
})

it('macroF1 weighs a rare class as much as a common one', () => {
  const pairs = ['a', 'a', 'a', 'b'].map((label) => ({ label, predicted: 'a' }))
  // a: precision 3/4, recall 1, F1 6/7; b: 0
  assertNear(macroF1(pairs), 3 / 7)
})

describe('bootstrapInterval', () => {
  interface Item {
    readonly group: string
    readonly stratum: string
    readonly value: number
  }
  const item = (group: string, value: number, stratum = ''): Item => ({ group, stratum, value })
  const mean = (items: readonly Item[]) => meanOf(items.map(({ value }) => value))
  const drawing = {
    groupOf: ({ group }: Item) => group,
    stratumOf: ({ stratum }: Item) => stratum,
  }
  const tossed = Array.from({ length: 100 }, (_, i) => item(String(i), i % 2))

  it('comes to two standard errors on a hundred coins, to more when they come in groups', () => {
    // Standard error sqrt(0.5 · 0.5 / 100) = 0.05; 500 resamples leave some 0.01 of noise.
    const single = bootstrapInterval(tossed, mean, drawing)
    assert.ok(Math.abs(single.low - 0.4) <= 0.02 && Math.abs(single.high - 0.6) <= 0.02)
    const alike = tossed.map((each, i) => ({ ...each, group: String(i % 4) }))
    const grouped = bootstrapInterval(alike, mean, drawing)
    assert.ok(grouped.high - grouped.low > 2 * (single.high - single.low))
  })

  it('draws as many groups from a stratum as it has, and passes over those without a figure', () => {
    const strata = [item('a', 0, 'x'), item('b', 0, 'x'), item('c', 1, 'y')]
    assert.deepEqual(bootstrapInterval(strata, mean, drawing), { low: 1 / 3, high: 1 / 3 })
    const undefinedToo = [item('a', 1), item('b', Number.NaN)]
    assert.deepEqual(bootstrapInterval(undefinedToo, mean, drawing), { low: 1, high: 1 })
  })
})
