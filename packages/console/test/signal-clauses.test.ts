/** Signals as clauses: each reads on after a colon. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SIGNALS } from '../../mail/signals/signals.ts'
import { setSignalDescriptions, signalClause } from '../try/signal-clauses.ts'

setSignalDescriptions(
  Object.fromEntries(Object.entries(SIGNALS).map(([name, { description }]) => [name, description])),
)

describe('signalClause', () => {
  it('is short for the strongest signals', () => {
    assert.equal(signalClause('LINK_IP_HOST'), 'a link leads to a bare IP address')
    assert.equal(signalClause('RECIPIENTS_UNDISCLOSED'), 'the recipients are hidden')
  })

  it('is the description in lower case for others, but for names of header fields', () => {
    assert.equal(signalClause('DATE_REPEATED'), 'the header has more than one Date field')
    assert.equal(
      signalClause('SENDER_NULL'),
      'the envelope sender is null, as for bounces and automatic replies',
    )
    assert.equal(signalClause('REPLY_TO_UNREADABLE'), 'no address can be read from Reply-To')
    assert.equal(signalClause('FROM_SEVERAL'), 'From names several mailboxes')
  })

  it('begins with a small letter or the name of a field, and has no stop, for every signal', () => {
    const odd = Object.keys(SIGNALS)
      .map((name) => signalClause(name))
      .filter((clause) => !/^(?:[a-z]|From |To |Reply-To )/.test(clause) || clause.endsWith('.'))
    assert.deepEqual(odd, [])
  })
})
