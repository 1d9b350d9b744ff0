import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readTime } from '../../cli/history.ts'

/** In the zone of this process, as are the times below. */
const NOW = new Date(2026, 10, 24, 15, 30)

describe('readTime', () => {
  for (const [text, time] of [
    ['today', new Date(2026, 10, 24)],
    ['yesterday', new Date(2026, 10, 23)],
    ['Yesterday', new Date(2026, 10, 23)],
    ['90m', new Date(2026, 10, 24, 14, 0)],
    ['3h', new Date(2026, 10, 24, 12, 30)],
    ['3 hours ago', new Date(2026, 10, 24, 12, 30)],
    ['1 hour', new Date(2026, 10, 24, 14, 30)],
    ['5 minutes ago', new Date(2026, 10, 24, 15, 25)],
    ['2026-11-22', new Date(2026, 10, 22)],
    ['2026-11-22 14:30', new Date(2026, 10, 22, 14, 30)],
    ['2026-11-22T14:30:05Z', new Date(Date.UTC(2026, 10, 22, 14, 30, 5))],
    ['2026-11-22T14:30+02:00', new Date(Date.UTC(2026, 10, 22, 12, 30))],
  ] as const) {
    it(`understands ${text}`, () => assert.equal(readTime(text, NOW), time.toISOString()))
  }

  it('counts days and weeks by the clock', () => {
    const day = 24 * 60 * 60 * 1_000
    const ago = (days: number) => new Date(NOW.getTime() - days * day).toISOString()
    const read = ['7d', '2 days ago', '1w'].map((text) => readTime(text, NOW))
    assert.deepEqual(read, [ago(7), ago(2), ago(7)])
  })

  for (const text of ['', 'noon', '2', '3y', 'last 2', '-1d', '2026-13-01', '22.11.2026', 'May']) {
    it(`does not guess what "${text}" means, and says what is allowed`, () => {
      assert.throws(
        () => readTime(text, NOW),
        /Allowed: today, yesterday, 90m, .* 2026-11-22T14:30/,
      )
    })
  }
})
