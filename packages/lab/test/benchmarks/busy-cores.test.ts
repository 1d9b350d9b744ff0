import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { busyShare, coreTicks } from '../../benchmarks/machine/busy-cores.ts'

const BEFORE = `cpu  300 0 100 700 20 0 0 0 0 0
cpu0 100 0 50 300 10 0 0 0 0 0
cpu1 200 0 50 400 10 0 0 0 0 0
intr 12345
`

/** cpu0 worked 60 ticks of 100, 10 of them for its host's other guests; cpu1 worked them all. */
const AFTER = `cpu  450 0 110 735 25 0 0 10 0 0
cpu0 150 0 50 335 15 0 0 10 0 0
cpu1 300 0 60 400 10 0 0 0 0 0
intr 23456
`

describe('busyShare', () => {
  it('counts idle time and waiting for a disk as idle', () => {
    assert.equal(busyShare(coreTicks('0', BEFORE), coreTicks('0', AFTER)), 0.6)
  })

  it('takes several cores together', () => {
    const share = 1 - 40 / 210
    assert.equal(busyShare(coreTicks('0-1', BEFORE), coreTicks('0-1', AFTER)), share)
    assert.equal(busyShare(coreTicks('0,1', BEFORE), coreTicks('0,1', AFTER)), share)
  })

  it('leaves other cores out', () => {
    assert.equal(busyShare(coreTicks('1', BEFORE), coreTicks('1', AFTER)), 1)
  })
})
