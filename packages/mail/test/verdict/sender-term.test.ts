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

describe('checks of the sender', () => {
  // biome-ignore format: a row each
  const cases: [sender: SenderFinding | undefined, Record<FromDomain, number>][] = [
    [{ result: 'passed' }, { known: -1.5, own: 0, mailbox: 0, other: 0 }],
    [{ result: 'failed', policy: 'reject' }, { known: 5, own: 5, mailbox: 5, other: 2 }],
    [{ result: 'failed', policy: 'quarantine' }, { known: 4, own: 4, mailbox: 4, other: 1.5 }],
    [{ result: 'failed', policy: 'none' }, { known: 1.5, own: 1.5, mailbox: 1.5, other: 0 }],
    [{ result: 'failed' }, { known: 1.5, own: 1.5, mailbox: 1.5, other: 0 }],
    [{ result: 'unknown', excuse: 'list' }, { known: 0, own: 0, mailbox: 0, other: 0 }],
    [undefined, { known: 0, own: 0, mailbox: 0, other: 0 }],
  ]
  for (const [sender, logits] of cases) {
    it(`weigh as stated: ${JSON.stringify(sender)}`, () => {
      for (const [fromDomain, logit] of Object.entries(logits)) {
        assert.equal(senderLogit(fromDomain as FromDomain, sender), logit)
      }
    })
  }

  // biome-ignore format: a row each
  const taken: [what: string, sender: SenderFinding, ownMail: { outside?: number; links?: number }, logit: number][] = [
    ['the suspicion of a forged own domain', { result: 'passed' }, { outside: 1.5, links: 0.8 }, -1.5],
    ['nothing where they fail', { result: 'failed', policy: 'reject' }, { outside: 1.5 }, 5],
    ['nothing where they find nothing', { result: 'unknown' }, { outside: 1.5 }, 0],
    ['what links to the own domain weigh, for a recipient there', { result: 'passed', isOwn: true }, { links: 0.8 }, -0.8],
    ['nothing of that for another', { result: 'passed', isOwn: false }, { links: 0.8 }, 0],
  ]
  for (const [what, sender, ownMail, logit] of taken) {
    it(`take back ${what}`, () => assert.equal(senderLogit('own', sender, ownMail), logit))
  }
})

describe('the domain in From', () => {
  const facts = { now: new Date('2026-06-01T12:00:00Z') }
  for (const [from, expected, to = 'ada@example.org'] of [
    ['Amazon <order-update@amazon.com>', 'known'],
    ['Google <desk@gmail.com>', 'mailbox'],
    ['Desk <desk@hotmail.co.uk>', 'mailbox'],
    ['Desk <desk@posteo.net>', 'other'],
    ['Desk <desk@yahoo.co.jp>', 'other'],
    ['Ben <ben@example.org>', 'own'],
    ['Ben <ben@mail.example.org>', 'own', 'Ada <ada@example.org>, x@example.net'],
    ['Ben <ben@gmail.com>', 'mailbox', 'ada@gmail.com'],
    // That of the author whose name counts most, whatever stands beside.
    ['x@example.net, Bank <desk@bank.example>', 'known'],
    ['x@example.net, Ben <ben@example.org>', 'own'],
    ['x@example.net, Desk <desk@gmail.com>', 'mailbox'],
    ['Ben <ben@example.net>', 'other'],
    ['', 'other'],
  ] as const) {
    it(`of '${from}' is ${expected} to ${to}`, () => {
      const message = parsed(`From: ${from}\nTo: ${to}\nSubject: Hello\n\nHello\n`)
      assert.equal(fromDomainOf(message, signals(message, facts, TEST_KNOWLEDGE)), expected)
    })
  }
})
