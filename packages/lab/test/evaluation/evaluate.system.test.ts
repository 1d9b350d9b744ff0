/**
 * The whole command in little: eighteen messages written here, in the folders that
 * corpora/unpack makes, evaluated by the process that a person would start.
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Figure } from '../../evaluation/headline.ts'
import { evaluate as evaluateWith, type WrittenFile, writeMessages } from './command.ts'

const MESSAGES: readonly WrittenFile[] = [
  ['household_2025/ham/1.eml', 'ann@one.example', 'Lunch on Friday', 'See you at noon?'],
  ['household_2025/ham/2.eml', 'shop@two.example', 'Your order 1001', 'Shipped today.'],
  ['household_2025/ham/3.eml', 'bank@three.example', 'Your statement', 'It is ready to read.'],
  ['household_2025/spam/4.eml', 'win@four.example', 'You won a prize', 'Claim your reward now!'],
  [
    'household_2025/spam/5.eml',
    'pay@five.example',
    'Account suspended',
    'Verify your account now!',
  ],
  ['lists/ham_firstpost/6.eml', 'dev@six.example', 'Question on locks', 'Why is this lock held?'],
  ['lists/ham_patch/7.eml', 'dev@seven.example', '[PATCH] fix leak', 'Free the buffer.'],
  ['lists/ham_discussion/8.eml', 'dev@eight.example', 'Re: fix leak', 'Looks good to me.'],
  ['lists/updates_bot/9.eml', 'bot@nine.example', 'Build failed', 'Build 12 failed.'],
  ['lists/updates_bugzilla/10.eml', 'bugs@ten.example', '[Bug 1] New', 'A bug was filed.'],
  ['lists/spam/11.eml', 'seo@eleven.example', 'Rank first', 'Claim first place now!'],
  ['lists/spam/12.eml', 'loan@twelve.example', 'Loan approved', 'Money for you, claim it now!'],
  [
    'phishing_pot/phishing/13.eml',
    'x@thirteen.example',
    'Verify now',
    'Your account is suspended!',
  ],
  ['phishing_pot/phishing/14.eml', 'x@thirteen.example', 'Fwd: Verify now', 'Look at this.'],
  ['phishing_pot/phishing/15.eml', 'news@fourteen.example', 'This week', 'All that is new.'],
]

const WRITTEN = [
  written('a', false, 'transactions', 'en', 'Receipt', 'You paid 12.00 for order 55.'),
  written('b', true, 'promotions', 'en', 'Prize', 'Claim your prize now!'),
  written('c', false, 'primary', 'fr', 'Bonjour', 'On se voit demain ?'),
]

function written(
  id: string,
  spam: boolean,
  messageClass: string,
  lang: string,
  subject: string,
  body: string,
): object {
  return {
    id,
    spam,
    class: messageClass,
    lang,
    kind: `kind ${id}`,
    from_name: 'A Sender',
    from_addr: `sender@${id}.example`,
    reply_to: null,
    to_name: null,
    subject,
    bulk: messageClass !== 'primary',
    body,
  }
}

/** The sets that the reader finds by their folders; an empty label folder is one without mail. */
function writeCorpora(folder: string): void {
  writeMessages(folder, MESSAGES)
  writeFileSync(
    join(folder, 'household_2025/CLASSES.tsv'),
    'file\tclass\talso_acceptable\nham/1.eml\tprimary\t\nham/2.eml\ttransactions\tupdates\nham/3.eml\tupdates\t\n',
  )
  // Two more honeypot messages, which are no spam: they stand in no figure.
  writeFileSync(
    join(folder, 'phishing_pot_excluded.tsv'),
    'file\twhy\n14.eml\tforwarded by the collector\n15.eml\tgenuine newsletter\n',
  )
  mkdirSync(join(folder, 'written'))
  writeFileSync(
    join(folder, 'written/few.jsonl'),
    `${WRITTEN.map((message) => JSON.stringify(message)).join('\n')}\n`,
  )
}

const corpora = mkdtempSync(join(tmpdir(), 'tamis-evaluate-'))
after(() => rmSync(corpora, { recursive: true }))
writeCorpora(corpora)

const evaluate = (...options: string[]) => evaluateWith('--corpora', corpora, ...options)

describe('tamis-lab evaluate', () => {
  it('measures what is asked for, and writes a report with its figures', () => {
    const out = join(corpora, 'report')
    const { status, stdout, stderr } = evaluate(
      '--only',
      'household_2025,lists,languages',
      '--report',
      out,
    )
    assert.equal(status, 0, stderr)
    assert.match(stderr, /^phishing_pot: 2 messages left out, by phishing_pot_excluded\.tsv$/m)
    assert.deepEqual(readdirSync(out).sort(), ['README.md', 'report.json'])
    const { headline } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))
    assert.deepEqual(
      headline.find(({ measure }: Figure) => measure.startsWith('lists: 1-AUC')).messages,
      4,
    )
    const readme = readFileSync(join(out, 'README.md'), 'utf8')
    assert.equal(stdout, readme)
    assert.match(readme, /--only household_2025,lists,languages`/)
    assert.match(readme, /\| household_2025: 1-AUC, spam against ham \| 5 \|/)
    assert.match(readme, /\| lists: 1-AUC, spam against first posts and patches \| 4 \|/)
  })

  it('refuses a measure that there is not', () => {
    const { status, stderr } = evaluate('--only', 'nothing')
    assert.equal(status, 64)
    assert.match(stderr, /"nothing" is none of household_2025/)
  })
})
