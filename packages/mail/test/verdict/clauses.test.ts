/** Signals as clauses: each reads on after a colon. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SIGNAL_NAMES } from '../../signals/table.ts'
import { signalClause as clauseOf } from '../../verdict/reasons.ts'
import type { SenderStanding } from '../../verdict/texts.ts'

function signalClause(name: string, standing?: SenderStanding, domain?: string): string {
  return clauseOf(name, standing, domain)!
}

describe('signalClause', () => {
  it('tells a claim as a claim, with what checks say of it', () => {
    const claim = (standing: SenderStanding) =>
      signalClause('KNOWN_FROM_SIGNED', standing, 'amazon.com')
    assert.equal(claim('unchecked'), 'it claims to come from amazon.com (not checked)')
    assert.equal(
      claim('unproved'),
      'it claims to come from amazon.com, which checks do not confirm',
    )
    assert.equal(claim('proved'), 'it comes from amazon.com')
    assert.equal(
      signalClause('FROM_NAME_OWN_BRAND'),
      'it claims to come from a well-known company (not checked)',
    )
  })

  it('begins with a small letter or the name of a field, and has no stop, for every signal', () => {
    const odd = SIGNAL_NAMES.map((name) => signalClause(name)).filter(
      (clause) => !/^(?:[a-z]|From |To |Reply-To )/.test(clause) || clause.endsWith('.'),
    )
    assert.deepEqual(odd, [])
  })
})
