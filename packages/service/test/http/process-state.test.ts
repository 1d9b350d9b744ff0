import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ListStatus } from '../../dns-lists/dns-lists.ts'
import { type ReaderState, stateOfAll } from '../../http/process-state.ts'

const READS: ReaderState = { mode: 'doubtful', available: true, failure: null }
const FAILS: ReaderState = { ...READS, available: false, failure: 'ENCODER_UNAVAILABLE' }

const ANSWERS: ListStatus = { list: 'a.example', resting: false, lastFailure: undefined }
const FAILED: ListStatus = { ...ANSWERS, lastFailure: 'NO_ANSWER' }
const RESTS: ListStatus = { ...ANSWERS, resting: true, lastFailure: 'REFUSED' }

describe('stateOfAll', () => {
  it('adds up the requests that wait', () => {
    const waiting = (queueDepth: number) => ({ queueDepth, lists: undefined, reader: READS })
    assert.deepEqual(stateOfAll(waiting(1), [waiting(2), waiting(4)]), waiting(7))
  })

  it('shows a list as the process that has most trouble with it', () => {
    const of = (status: ListStatus) => ({ queueDepth: 0, lists: [status], reader: READS })
    const all = (...statuses: readonly ListStatus[]) =>
      stateOfAll(of(ANSWERS), statuses.map(of)).lists
    assert.deepEqual(all(), [ANSWERS])
    assert.deepEqual(all(ANSWERS, FAILED), [FAILED])
    assert.deepEqual(all(FAILED, RESTS), [RESTS])
  })

  it('shows the lists of the process that is asked', () => {
    const own = { queueDepth: 0, lists: [ANSWERS], reader: READS }
    const others = [{ ...own, lists: [{ ...RESTS, list: 'b.example' }] }]
    assert.deepEqual(stateOfAll(own, others).lists, [ANSWERS])
  })

  it('calls the reader available where it is in all processes', () => {
    const of = (reader: ReaderState) => ({ queueDepth: 0, lists: undefined, reader })
    assert.deepEqual(stateOfAll(of(READS), [of(READS), of(FAILS)]).reader, FAILS)
    assert.deepEqual(stateOfAll(of(FAILS), [of(READS)]).reader, FAILS)
    assert.deepEqual(stateOfAll(of(READS), [of(READS)]).reader, READS)
  })
})
