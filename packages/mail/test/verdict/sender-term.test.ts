/** What checks of the sender weigh, by whose domain From is at. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sumOf } from '../../models/prediction.ts'
import { signals } from '../../signals/signals.ts'
import type { SenderFinding } from '../../verdict/evidence.ts'
import { type FromDomain, fromDomainOf, senderTerms } from '../../verdict/sender-term.ts'
import { TEST_KNOWLEDGE } from '../helpers/knowledge.ts'
import { parsed } from '../helpers/parsed.ts'

const senderLogit = (...asked: Parameters<typeof senderTerms>) => sumOf(senderTerms(...asked))

describe('senderTerms', () => {
  const cases: [SenderFinding, Record<FromDomain, number>][] = [
    [{ result: 'passed' }, { known: -1.5, own: 0, mailbox: 0, other: 0 }],
    [
      { result: 'failed', policy: 'reject' },
      { known: 5, own: 5, mailbox: 5, other: 2 },
    ],
    [
      { result: 'failed', policy: 'quarantine' },
      { known: 4, own: 4, mailbox: 4, other: 1.5 },
    ],
    [
      { result: 'failed', policy: 'none' },
      { known: 1.5, own: 1.5, mailbox: 1.5, other: 0 },
    ],
    [{ result: 'failed' }, { known: 1.5, own: 1.5, mailbox: 1.5, other: 0 }],
    [{ result: 'unknown' }, { known: 0, own: 0, mailbox: 0, other: 0 }],
    [
      { result: 'unknown', excuse: 'list' },
      { known: 0, own: 0, mailbox: 0, other: 0 },
    ],
  ]
  for (const [sender, logits] of cases) {
    it(`is for ${Object.values(sender).join(', ')} as stated`, () => {
      for (const [fromDomain, logit] of Object.entries(logits)) {
        assert.equal(senderLogit(fromDomain as FromDomain, sender), logit)
      }
    })
  }
  it('takes back the suspicion of a forged own domain where something vouches for it', () => {
    const ownMail = { outside: 1.5, links: 0.8 }
    assert.equal(senderLogit('own', { result: 'passed' }, ownMail), -1.5)
    assert.equal(senderLogit('own', { result: 'failed', policy: 'reject' }, ownMail), 5)
    assert.equal(senderLogit('own', { result: 'unknown' }, ownMail), 0)
  })
  it('takes back what links to the own domain weigh only for a recipient there', () => {
    const ownMail = { links: 0.8 }
    assert.equal(senderLogit('own', { result: 'passed', isOwn: true }, ownMail), -0.8)
    assert.equal(senderLogit('own', { result: 'passed', isOwn: false }, ownMail), 0)
    assert.equal(senderLogit('own', { result: 'passed' }, ownMail), 0)
  })
  it('is 0 where nothing was checked', () => {
    assert.equal(senderLogit('known', undefined), 0)
  })
})

describe('fromDomainOf', () => {
  const of = (from: string, to = 'ada@example.org'): FromDomain => {
    const text = `From: ${from}\nTo: ${to}\nSubject: Hello\n\nHello\n`
    const message = parsed(text)
    const facts = { now: new Date('2026-06-01T12:00:00Z') }
    return fromDomainOf(message, signals(message, facts, TEST_KNOWLEDGE))
  }

  it('is known for a company at its own domain', () => {
    assert.equal(of('Amazon <order-update@amazon.com>'), 'known')
  })
  it('is not known for a mailbox that anybody may have: of a provider that signs all mail, or of another', () => {
    assert.equal(of('Google <desk@gmail.com>'), 'mailbox')
    assert.equal(of('Desk <desk@hotmail.co.uk>'), 'mailbox')
    assert.equal(of('Desk <desk@posteo.net>'), 'other')
    assert.equal(of('Desk <desk@yahoo.co.jp>'), 'other')
  })
  it('is own for a domain of a recipient, and for one below it', () => {
    assert.equal(of('Ben <ben@example.org>'), 'own')
    assert.equal(of('Ben <ben@mail.example.org>', 'Ada <ada@example.org>, x@example.net'), 'own')
  })
  it('is not own for a free-mail provider', () => {
    assert.equal(of('Ben <ben@gmail.com>', 'ada@gmail.com'), 'mailbox')
  })
  it('is that of the author whose name counts most, whatever stands beside', () => {
    assert.equal(of('x@example.net, Bank <desk@bank.example>'), 'known')
    assert.equal(of('x@example.net, Ben <ben@example.org>'), 'own')
    assert.equal(of('x@example.net, Desk <desk@gmail.com>'), 'mailbox')
  })
  it('is other for the rest, and without a From', () => {
    assert.equal(of('Ben <ben@example.net>'), 'other')
    assert.equal(of(''), 'other')
  })
})
