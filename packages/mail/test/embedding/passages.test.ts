/** What of a message its sender wrote for it; what is left out is in wanted mail of others as well. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bareSubject, ownText, PASSAGE_LENGTH_MAX, passagesOf } from '../../embedding/passages.ts'
import { NOTHING_COMMON, passageHash } from '../../features/common-text.ts'
import { parsed } from '../helpers/parsed.ts'

const own = (text: string) => ownText(text, NOTHING_COMMON)

describe('own text', () => {
  it('is without lines that are quoted', () => {
    assert.equal(
      own('Yes, at noon.\n> Shall we meet?\nSee you there.'),
      'Yes, at noon.\nSee you there.\n',
    )
  })

  it('goes on below a quotation that is marked line by line', () => {
    assert.equal(own('On Monday, Ann wrote:\n> Shall we meet?\n\nYes, at noon.'), 'Yes, at noon.\n')
  })

  it('ends where a quotation begins that is not marked', () => {
    assert.equal(own('Yes.\n\nOn 1 June 2026, Ann wrote:\nShall we meet?\n\nAnn'), 'Yes.\n')
    const text = 'Our guests wrote:\nA fine place.\n'
    assert.equal(own(text), text)
  })

  it('ends where a message is forwarded or repeated, in several languages', () => {
    for (const heading of [
      '---------- Forwarded message ---------',
      'Begin forwarded message:',
      '-----Ursprüngliche Nachricht-----',
      '-------- Message transféré --------',
      'From: Ann <ann@example.com>\nSent: Monday, 1 June 2026 09:00\nTo: Bob',
      'Von: Ann <ann@example.com>\nGesendet: Montag, 1. Juni 2026 09:00\nAn: Bob',
    ]) {
      assert.equal(own(`Is this real?\n\n${heading}\n\nYou have won.`), 'Is this real?\n', heading)
    }
  })

  it('goes on after a line that only begins like the header of a message', () => {
    assert.equal(own('From: the harbour to the hill.\nBring water.').split('\n')[2], 'Bring water.')
  })

  it('ends at the signature mark, below a line of its own', () => {
    assert.equal(own('Yes.\n-- \nAnn\nExample Ltd'), 'Yes.\n')
    assert.equal(own('-- \nYou have won.'), '--\nYou have won.\n')
  })

  it('is without lines about unsubscribing, and not without what follows them', () => {
    assert.equal(own('View in browser\nThe sale begins.\nUnsubscribe here'), 'The sale begins.\n')
  })

  it('ends at a rule in the second half, and not at one in the first', () => {
    const text = 'Agenda\n----------\nFirst the budget, then the plan.\n__________\nThe list'
    assert.equal(own(text), 'Agenda\n----------\nFirst the budget, then the plan.\n')
  })

  it('is without the notice of an organisation, wrapped or not', () => {
    const notice =
      'This message and any attachments are confidential and intended solely\nfor the use of the individual to whom they are addressed. If you are\nnot the intended recipient, delete it.'
    assert.equal(own(`Half past ten suits me.\n\n${notice}`), 'Half past ten suits me.\n')
    const unwrapped = notice.replaceAll('\n', ' ')
    assert.equal(own(`Half past ten suits me.\n${unwrapped}`), 'Half past ten suits me.\n')
  })

  it('is without the footer of a virus scanner and of a telephone', () => {
    const text = 'See you.\nThis email has been checked for viruses by Example.\nSent from my phone'
    assert.equal(own(text), 'See you.\n')
  })

  it('is without the lines of a calendar', () => {
    const text =
      'BEGIN:VEVENT\nDTSTART;TZID=Europe/Berlin:20261016T080000\nSUMMARY:Dentist\nSee you.'
    assert.equal(own(text), 'See you.\n')
  })

  it('is without passages that many senders share', () => {
    const passage = 'Forwarding this invitation could allow others to reply.'
    const common = { ...NOTHING_COMMON, passages: Uint32Array.of(passageHash(passage)!) }
    assert.equal(ownText(`Lunch on Friday.\n${passage}`, common), 'Lunch on Friday.\n')
  })

  it('is cut at its length, however the text is made', () => {
    for (const text of ['word '.repeat(5_000), 'a\n'.repeat(50_000), 'x'.repeat(100_000)]) {
      assert.ok(own(text).length <= PASSAGE_LENGTH_MAX.own)
    }
  })
})

describe('passagesOf', () => {
  it('gives nothing of a delivery report, which speaks of another message', () => {
    const report = `Subject: Undelivered Mail
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

Your message could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

--b--
`
    const message = parsed(report)
    assert.deepEqual(passagesOf(message, NOTHING_COMMON), { subject: '', own: '' })
    const named = report.replace('message/delivery-status', 'text/plain')
    const pretended = parsed(named)
    assert.equal(passagesOf(pretended, NOTHING_COMMON).subject, 'Undelivered Mail')
  })
})

describe('passageHash', () => {
  it('is the same whatever the numbers, addresses, links, case and punctuation', () => {
    const one = passageHash('Reply for ann@example.com: see https://example.com/1, until 5 May!')
    const same = 'reply for bob@example.net see https://example.net/2 until 16 may'
    assert.equal(passageHash(same), one)
    assert.notEqual(passageHash('Answer for ann@example.com: see until May'), one)
  })

  it('is of nothing where there are fewer than three words', () => {
    assert.equal(passageHash('Best regards, 12345'), undefined)
  })
})

describe('bareSubject', () => {
  const cases: [subject: string, expected: string][] = [
    ['Re: Invoice', 'Invoice'],
    ['AW: WG: Angebot', 'Angebot'],
    ['[PATCH v2] Re: mm: fix', 'mm: fix'],
    ['Regarding lunch', 'Regarding lunch'],
    ['', ''],
  ]
  for (const [subject, expected] of cases) {
    it(`of '${subject}' is '${expected}'`, () => assert.equal(bareSubject(subject), expected))
  }
})
