import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ListStatus } from '../../dns-lists/dns-lists.ts'
import { type ProcessState, stateOfAll } from '../../http/process-state.ts'
import type { ScannerStatus } from '../../scanner/scanner.ts'

const STATE: ProcessState = {
  queueDepth: 0,
  lists: undefined,
  scanner: undefined,
  checksSenders: true,
}

const ANSWERS: ListStatus = { list: 'a.example', resting: false, lastFailure: undefined }
const FAILED: ListStatus = { ...ANSWERS, lastFailure: 'NO_ANSWER' }
const RESTS: ListStatus = { ...ANSWERS, resting: true, lastFailure: 'REFUSED' }

describe('stateOfAll', () => {
  it('adds up the requests that wait', () => {
    const waiting = (queueDepth: number) => ({ ...STATE, queueDepth })
    assert.deepEqual(stateOfAll(waiting(1), [waiting(2), waiting(4)]), waiting(7))
  })

  it('shows a list as the process that has most trouble with it', () => {
    const of = (status: ListStatus) => ({ ...STATE, lists: [status] })
    const all = (...statuses: readonly ListStatus[]) =>
      stateOfAll(of(ANSWERS), statuses.map(of)).lists
    assert.deepEqual(all(), [ANSWERS])
    assert.deepEqual(all(ANSWERS, FAILED), [FAILED])
    assert.deepEqual(all(FAILED, RESTS), [RESTS])
  })

  it('shows the lists of the process that is asked', () => {
    const own = { ...STATE, lists: [ANSWERS] }
    const others = [{ ...own, lists: [{ ...RESTS, list: 'b.example' }] }]
    assert.deepEqual(stateOfAll(own, others).lists, [ANSWERS])
  })

  it('shows the virus scanner as the process that has most trouble with it', () => {
    const of = (scanner: ScannerStatus) => ({ ...STATE, scanner })
    const answers = { resting: false, lastFailure: undefined }
    const fails = { resting: false, lastFailure: 'REFUSED' } as const
    const rests = { resting: true, lastFailure: 'NO_ANSWER' } as const
    assert.deepEqual(stateOfAll(of(answers), [of(answers)]).scanner, answers)
    assert.deepEqual(stateOfAll(of(answers), [of(answers), of(fails)]).scanner, fails)
    assert.deepEqual(stateOfAll(of(fails), [of(rests)]).scanner, rests)
    assert.equal(stateOfAll(STATE, [STATE]).scanner, undefined)
  })

  it('says that senders are checked where they are in all processes', () => {
    const unchecked = { ...STATE, checksSenders: false }
    assert.equal(stateOfAll(STATE, [STATE]).checksSenders, true)
    assert.equal(stateOfAll(STATE, [unchecked]).checksSenders, false)
    assert.equal(stateOfAll(unchecked, [STATE]).checksSenders, false)
  })
})
