/** How long a sender has been received. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { heardAgain, isLongReceived } from '../../personalization/correspondents.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

describe('a sender who is heard again', () => {
  const first = heardAgain(undefined, 0)!

  it('counts for the first message, and then for one a day', () => {
    assert.deepEqual(first, { times: 1, firstAt: 0, lastAt: 0 })
    assert.equal(heardAgain(first, DAY_MS - 1), undefined)
    assert.deepEqual(heardAgain(first, DAY_MS), { times: 2, firstAt: 0, lastAt: DAY_MS })
  })

  it('is long received from the third time on, if that is two weeks after the first', () => {
    const heard = (times: number, days: number) => ({ times, firstAt: 0, lastAt: days * DAY_MS })
    assert.ok(isLongReceived(heard(3, 14)))
    assert.ok(!isLongReceived(heard(2, 100)))
    assert.ok(!isLongReceived(heard(100, 13.99)))
  })
})
