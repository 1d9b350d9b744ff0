/** What people expect of signals. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EXPECTATIONS } from '../../signals/expectations.ts'
import { SIGNAL_NAMES } from '../../signals/signals.ts'

describe('EXPECTATIONS', () => {
  it('has a row for every signal, in the order of the signals', () => {
    assert.deepEqual(Object.keys(EXPECTATIONS), SIGNAL_NAMES)
  })
})
