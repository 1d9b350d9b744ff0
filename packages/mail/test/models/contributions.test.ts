/** What adds to the logit of a message, as values. Worked by hand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Contribution, spanName, summarise } from '../../models/contributions.ts'

const PRIZE = { view: 'message', kind: 'word', text: 'prize' } as const

const terms: Contribution[] = [
  { kind: 'text', span: PRIZE, value: 0.5, logit: 2 },
  { kind: 'meta', name: 'DATE_MISSING', value: 1, logit: -1 },
  { kind: 'meta', name: 'links 2-3', value: 1, logit: 0.5 },
  { kind: 'reading', logit: -0.25 },
  { kind: 'baseline', logit: -3 },
]

describe('summarise', () => {
  it('keeps the largest and the baseline, and has one term for the rest, so that the sum stays', () => {
    assert.deepEqual(summarise(terms, 2), [
      { kind: 'text', span: PRIZE, value: 0.5, logit: 2 },
      { kind: 'meta', name: 'DATE_MISSING', value: 1, logit: -1 },
      { kind: 'rest', count: 2, logit: 0.25 },
      { kind: 'baseline', logit: -3 },
    ])
  })

  it('changes nothing where there are no more', () => {
    assert.deepEqual(summarise(terms, 4), terms)
  })
})

describe('spanName', () => {
  it('says which text it is of, and what it is', () => {
    assert.equal(spanName(PRIZE), 'message word "prize"')
  })
})
