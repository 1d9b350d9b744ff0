import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ListStatus } from '../../dns-lists/dns-lists.ts'
import { type ProcessState, stateOfAll } from '../../http/classifier.ts'

const STATE: ProcessState = {
  lists: undefined,
  scanner: undefined,
  checksSenders: true,
}

const ANSWERS: ListStatus = { list: 'a.example', resting: false, lastFailure: undefined }
const FAILED: ListStatus = { ...ANSWERS, lastFailure: 'NO_ANSWER' }
const RESTS: ListStatus = { ...ANSWERS, resting: true, lastFailure: 'REFUSED' }

describe('stateOfAll', () => {
  it('shows a list as the process that has most trouble with it', () => {
    const of = (status: ListStatus) => ({ ...STATE, lists: [status] })
    const all = (...statuses: readonly ListStatus[]) =>
      stateOfAll(of(ANSWERS), statuses.map(of)).lists
    assert.deepEqual(all(), [ANSWERS])
    assert.deepEqual(all(ANSWERS, FAILED), [FAILED])
    assert.deepEqual(all(FAILED, RESTS), [RESTS])
  })
})
