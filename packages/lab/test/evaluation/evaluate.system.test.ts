/** The whole command in little: messages written here, in the folders that corpora/unpack makes, and the process a person starts. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import { WRITTEN } from '../rendering/written-messages.ts'

const MESSAGES = `
household_2025/ham/1.eml Lunch on Friday, see you at noon?
household_2025/ham/2.eml Your order was shipped today.
household_2025/spam/3.eml You won a prize, claim your reward now!
household_2025/spam/4.eml Account suspended, verify it now!
lists/ham_firstpost/5.eml Question on locks: why is this lock held?
lists/ham_patch/6.eml [PATCH] free the buffer.
lists/ham_discussion/7.eml Re: free the buffer, looks good to me.
lists/updates_bot/8.eml Build 12 failed.
lists/updates_bugzilla/9.eml [Bug 1] was filed.
lists/spam/10.eml Rank first, claim first place now!
lists/spam/11.eml Loan approved, claim it now!
phishing_pot/phishing/12.eml Your account is suspended!
phishing_pot/phishing/13.eml Look at what I was sent.
`

it('tamis-lab evaluate measures what is asked for, and writes a report with its figures', (t) => {
  const corpora = mkdtempSync(join(tmpdir(), 'tamis-evaluate-'))
  t.after(() => rmSync(corpora, { recursive: true }))
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(corpora, file)), { recursive: true })
    writeFileSync(join(corpora, file), text)
  }
  MESSAGES.trim()
    .split('\n')
    .forEach((line, i) => {
      const [, file = '', text] = /^(\S+) (.*)$/.exec(line)!
      write(file, `From: a@sender-${i}.example\r\nSubject: ${text}\r\n\r\n${text}\r\n`)
    })
  // No spam: it stands in no figure.
  write('phishing_pot_excluded.tsv', 'file\twhy\n13.eml\tforwarded by the collector\n')
  const written = [
    WRITTEN.NOTICE,
    { ...WRITTEN.SALE, spam: true },
    { ...WRITTEN.LETTER, lang: 'fr' },
  ]
  write('written/few.jsonl', written.map((each) => `${JSON.stringify(each)}\n`).join(''))

  const command = `evaluate --corpora ${corpora} --only household_2025,lists,languages --report ${corpora}/out`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['packages/lab/cli/tamis-lab.ts', ...command.split(' ')],
    { cwd: join(import.meta.dirname, '../../../..'), encoding: 'utf8' },
  )
  assert.equal(status, 0, stderr)
  assert.match(stderr, /^phishing_pot: 1 messages left out, by phishing_pot_excluded\.tsv$/m)
  const { headline } = JSON.parse(readFileSync(join(corpora, 'out/report.json'), 'utf8'))
  assert.deepEqual(
    headline
      .map(({ name, messages }: Record<string, unknown>) => `${name} ${messages}`)
      .slice(0, 4),
    ['household-auc 4', 'household-caught 4', 'phishing-auc 3', 'lists-auc 4'],
  )
  assert.equal(stdout, readFileSync(join(corpora, 'out/README.md'), 'utf8'))
  assert.match(stdout, /--only household_2025,lists,languages`/)
  assert.match(stdout, /\| lists: 1-AUC, spam against first posts and patches \| 4 \|/)
})
