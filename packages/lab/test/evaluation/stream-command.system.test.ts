/** The stream as a person would evaluate it: the whole command on twelve messages written here. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { evaluate, type WrittenFile, writeMessages } from './command.ts'

const MESSAGES: readonly WrittenFile[] = [
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

describe('tamis-lab evaluate stream', () => {
  it('judges and corrects the stream, and writes a report', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tamis-stream-'))
    after(() => rmSync(folder, { recursive: true }))
    writeMessages(folder, MESSAGES)
    const out = join(folder, 'report')
    const { status, stderr } = evaluate('stream', '--corpora', folder, '--report', out)
    assert.equal(status, 0, stderr)
    assert.deepEqual(readdirSync(out).sort(), ['README.md'])
    const readme = readFileSync(join(out, 'README.md'), 'utf8')
    assert.match(readme, /\| 3 ham, 2 spam \| \(1-ROCA\)% \|/)
  })
})
