import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { ConnectionShares } from '../../http/connection-shares.ts'
import { siblings } from '../helpers/siblings.ts'

/** Two processes, of which requests came to the one on `first` connections and to the other on `second`. */
function sharesAfter(first: number, second: number, busy = 0.9) {
  const both = siblings(2).map((sibling) => new ConnectionShares(sibling, () => busy))
  for (const [i, count] of [first, second].entries()) {
    for (let n = 0; n < count; n++) both[i]!.request(new Socket())
  }
  // What the second tells the first knows in the interval after.
  both[1]!.endInterval()
  both[0]!.endInterval()
  for (const each of both) each.end()
  return both[0]!
}

/** How many of 100 answers close their connection. */
function closed(shares: ConnectionShares): number {
  return Array.from({ length: 100 }, () => shares.closes()).filter(Boolean).length
}

describe('connections of several processes', () => {
  it('are closed where there are more than a share of them', () => {
    assert.equal(closed(sharesAfter(8, 0)), 4)
    assert.equal(closed(sharesAfter(7, 2)), 2)
  })

  it('stay where there are not', () => {
    assert.equal(closed(sharesAfter(4, 4)), 0)
    assert.equal(closed(sharesAfter(4, 3)), 0)
    assert.equal(closed(sharesAfter(1, 8)), 0)
  })

  it('stay with a process that has little to do', () => {
    assert.equal(closed(sharesAfter(8, 0, 0.3)), 0)
  })

  it('count once, however many requests come', () => {
    const [first] = siblings(2)
    const shares = new ConnectionShares(first!, () => 0.9)
    const socket = new Socket()
    for (let i = 0; i < 10; i++) shares.request(socket)
    shares.endInterval()
    shares.end()
    assert.equal(closed(shares), 0)
  })

  it('stay with a process that is alone', () => {
    const [only] = siblings(1)
    const shares = new ConnectionShares(only!, () => 0.9)
    for (let i = 0; i < 10; i++) shares.request(new Socket())
    shares.endInterval()
    shares.end()
    assert.equal(closed(shares), 0)
  })
})
