/** Signals as clauses: each reads on after a colon. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SIGNAL_NAMES } from '../../signals/table.ts'
import type { SenderStanding } from '../../verdict/clauses.ts'
import { signalClause as clauseOf } from '../../verdict/reason-descriptions.ts'

function signalClause(name: string, standing?: SenderStanding, domain?: string): string {
  return clauseOf(name, standing, domain)!
}

describe('signalClause', () => {
  it('is short for the strongest signals', () => {
    assert.equal(signalClause('LINK_IP_HOST'), 'a link leads to a bare IP address')
    assert.equal(signalClause('RECIPIENTS_UNDISCLOSED'), 'the recipients are hidden')
  })

  it('begins with a name of a header field as that is written', () => {
    assert.equal(signalClause('DATE_REPEATED'), 'the header has more than one Date field')
    assert.equal(
      signalClause('SENDER_NULL'),
      'the envelope sender is null, as for bounces and automatic replies',
    )
    assert.equal(signalClause('REPLY_TO_UNREADABLE'), 'no address can be read from Reply-To')
    assert.equal(signalClause('FROM_SEVERAL'), 'From names several mailboxes')
  })

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
