/** Answers of the service as the reference shows them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readable } from '../docs/readable.ts'

describe('readable', () => {
  it('puts JSON on many lines', () => {
    assert.equal(readable('{"isSpam":true}'), '{\n  "isSpam": true\n}')
  })

  it('keeps a row of numbers on one line', () => {
    assert.equal(readable('{"embedding":[0.5,-1e-7,2]}'), '{\n  "embedding": [0.5, -1e-7, 2]\n}')
  })

  it('leaves text as it is, also text that looks like a row of numbers', () => {
    assert.equal(readable('tamis_verdicts_total 3\n'), 'tamis_verdicts_total 3\n')
    assert.equal(readable('"[\\n  1,\\n  2\\n]"'), '"[\\n  1,\\n  2\\n]"')
  })
})
