/** What of a message its sender wrote for it; what is left out is in wanted mail of others as well. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bareSubject, ownText, PASSAGE_LENGTH_MAX, passagesOf } from '../../embedding/passages.ts'
import { NOTHING_COMMON, passageHash } from '../../features/common-text.ts'
import { parsed } from '../helpers/parsed.ts'

const own = (text: string) => ownText(text, NOTHING_COMMON)

const NOTICE =
  'This message and any attachments are confidential and intended solely\nfor the use of the individual to whom they are addressed. If you are\nnot the intended recipient, delete it.'

/** What mail clients write above somebody's message, in several languages. */
const HEADINGS = [
  '---------- Forwarded message ---------',
  'Begin forwarded message:',
  '-----Ursprüngliche Nachricht-----',
  '-------- Message transféré --------',
  'From: Ann <ann@example.com>\nSent: Monday, 1 June 2026 09:00\nTo: Bob',
  'Von: Ann <ann@example.com>\nGesendet: Montag, 1. Juni 2026 09:00\nAn: Bob',
]

describe('own text', () => {
  // biome-ignore format: a row each
  const cases: [what: string, text: string, own: string][] = [
    ['is without lines that are quoted', 'Yes, at noon.\n> Shall we meet?\nSee you there.', 'Yes, at noon.\nSee you there.\n'],
    ['goes on below a quotation that is marked line by line', 'On Monday, Ann wrote:\n> Shall we meet?\n\nYes, at noon.', 'Yes, at noon.\n'],
    ['ends where a quotation begins that is not marked', 'Yes.\n\nOn 1 June 2026, Ann wrote:\nShall we meet?\n\nAnn', 'Yes.\n'],
    ['goes on after a line that only reads like its heading', 'Our guests wrote:\nA fine place.\n', 'Our guests wrote:\nA fine place.\n'],
    ['goes on after a line that only begins like a header', 'From: the harbour to the hill.\nBring water.', 'From:\nthe harbour to the hill.\nBring water.\n'],
    ['ends at the signature mark', 'Yes.\n-- \nAnn\nExample Ltd', 'Yes.\n'],
    ['does not end at one above all lines', '-- \nYou have won.', '--\nYou have won.\n'],
    ['is without lines about unsubscribing, and not without what follows them', 'View in browser\nThe sale begins.\nUnsubscribe here', 'The sale begins.\n'],
    ['ends at a rule in the second half, and not in the first', 'Agenda\n----------\nFirst the budget, then the plan.\n__________\nThe list', 'Agenda\n----------\nFirst the budget, then the plan.\n'],
    ['is without the notice of an organisation', `Half past ten suits me.\n\n${NOTICE}`, 'Half past ten suits me.\n'],
    ['is without such a notice in one line', `Half past ten suits me.\n${NOTICE.replaceAll('\n', ' ')}`, 'Half past ten suits me.\n'],
    ['is without the footer of a virus scanner and of a telephone', 'See you.\nThis email has been checked for viruses by Example.\nSent from my phone', 'See you.\n'],
    ['is without the lines of a calendar', 'BEGIN:VEVENT\nDTSTART;TZID=Europe/Berlin:20261016T080000\nSUMMARY:Dentist\nSee you.', 'See you.\n'],
    ...HEADINGS.map((heading): [string, string, string] => [`ends at ${heading}`, `Is this real?\n\n${heading}\n\nYou have won.`, 'Is this real?\n']),
  ]
  for (const [what, text, expected] of cases) it(what, () => assert.equal(own(text), expected))

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
