/** The stream as a person would evaluate it: the whole command on twelve messages written here. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'

const ROOT = join(import.meta.dirname, '../../../..')

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
