/**
 * Streams of messages made of a few words, and the whole command on twelve messages written here,
 * run by the process that a person would start.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { emptyModels } from '../../../mail/learning/empty-models.ts'
import { NO_META, words } from '../../../mail/test/learning/corrections.ts'
import { deliveryOf, inOrderOfArrival } from '../../evaluation/stream/delivery.ts'
import { AT_ONCE, replay } from '../../evaluation/stream/replay.ts'

const ROOT = join(import.meta.dirname, '../../../..')

/** Every other message is spam; each label has two words of its own and all share one. */
function stream(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    id: `message ${i}`,
    spam: i % 2 === 1,
    domain: 'one.example',
    at: new Date(i * 1_000),
    text: i % 2 === 1 ? words(1, 10, 11) : words(1, 20, 21),
    meta: NO_META,
  }))
}

describe('deliveryOf', () => {
  it('reads the topmost Received time, for the sender may lie about the Date', () => {
    const bytes = Buffer.from(`Received: from b by a; Tue, 2 Jul 2002 10:00:00 +0200
Received: from c by b; Mon, 1 Jul 2002 09:00:00 +0000
From: Ann <ann@mail.one.example>
Date: Sun, 1 Jan 2040 00:00:00 +0000

Hello
`)
    assert.deepEqual(deliveryOf({ bytes }), {
      at: new Date('2002-07-02T08:00:00Z'),
      domain: 'one.example',
    })
  })

  it('reads the Date where nothing was received', () => {
    const bytes = Buffer.from('Date: Mon, 1 Jul 2002 09:00:00 +0000\n\nHello\n')
    assert.deepEqual(deliveryOf({ bytes }).at, new Date('2002-07-01T09:00:00Z'))
  })
})

describe('inOrderOfArrival', () => {
  it('is by time, then by id', () => {
    const at = new Date(0)
    const messages = [
      { id: 'c', at: new Date(1), domain: '' },
      { id: 'b', at, domain: '' },
      { id: 'a', at, domain: '' },
    ]
    assert.deepEqual(
      inOrderOfArrival(messages).map(({ id }) => id),
      ['a', 'b', 'c'],
    )
  })
})

describe('replay', () => {
  const scores = (delay: number, share: number) =>
    replay(emptyModels(), stream(8), { delay, share }).map(({ score }) => score)

  it('judges each message before it is corrected', () => {
    const verdicts = replay(emptyModels(), stream(40), AT_ONCE)
    assert.equal(verdicts[0]!.score, 0)
    assert.ok(verdicts.slice(10).every(({ spam, calledSpam }) => spam === calledSpam))
  })

  it('learns nothing before a correction that is late', () => {
    assert.deepEqual(scores(4, 1).slice(0, 5), [0, 0, 0, 0, 0])
    assert.notDeepEqual(scores(4, 1).slice(5), [0, 0, 0])
  })

  it('learns nothing when nobody corrects', () => {
    assert.deepEqual(scores(0, 0), [0, 0, 0, 0, 0, 0, 0, 0])
  })
})

const MESSAGES: readonly (readonly [file: string, from: string, subject: string, text: string])[] =
  [
    ['spamassassin/easy_ham/1.eml', 'dev@one.example', 'Question on locks', 'Why is it held?'],
    ['spamassassin/easy_ham_2/2.eml', 'dev@two.example', 'Re: locks', 'It looks good to me.'],
    ['spamassassin/hard_ham/3.eml', 'news@three.example', 'News', 'What happened this week.'],
    ['spamassassin/spam/4.eml', 'win@four.example', 'You won', 'Claim your reward now!'],
    ['spamassassin/spam_2/5.eml', 'loan@five.example', 'Loan', 'Money for you, claim it now!'],
    ['household_2025/ham/6.eml', 'ann@six.example', 'Lunch on Friday', 'See you at noon?'],
    ['household_2025/ham/7.eml', 'shop@seven.example', 'Your order 1001', 'Shipped today.'],
    ['household_2025/spam/8.eml', 'win@eight.example', 'A prize', 'Claim your prize now!'],
    ['household_2025/spam/9.eml', 'pay@nine.example', 'Suspended', 'Verify your account now!'],
    ['bounces/updates/10.eml', 'mailer@ten.example', 'Undelivered', 'It could not be delivered.'],
  ]

function writeCorpora(folder: string): void {
  for (const [file, from, subject, text] of MESSAGES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(
      join(folder, file),
      `From: ${from}\r\nTo: reader@example.org\r\nSubject: ${subject}\r\nDate: Sun, 1 Jun 2025 12:00:00 +0000\r\nMessage-ID: <${file}@example.org>\r\n\r\n${text}\r\n`,
    )
  }
}

describe('tamis-lab evaluate stream', () => {
  it('judges and corrects the stream and the household, and writes a report with its plot', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tamis-stream-'))
    after(() => rmSync(folder, { recursive: true }))
    writeCorpora(folder)
    const out = join(folder, 'report')
    const args = [
      'packages/lab/cli/tamis-lab.ts',
      'evaluate',
      'stream',
      '--corpora',
      folder,
      '--report',
      out,
    ]
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.deepEqual(readdirSync(out).sort(), ['README.md', 'learning-curve.svg'])
    const readme = readFileSync(join(out, 'README.md'), 'utf8')
    assert.match(readme, /\| 3 ham, 2 spam \| \(1-ROCA\)% \|/)
    assert.match(readme, /\| 40 verdicts \| errors \|/)
  })
})
