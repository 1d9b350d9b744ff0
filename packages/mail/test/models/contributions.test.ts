/** Names of features for people. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { spanName } from '../../models/contributions.ts'

describe('spanName', () => {
  it('says which text it is of, and what it is', () => {
    assert.equal(spanName({ view: 'message', kind: 'word', text: 'prize' }), 'message word "prize"')
  })
})
