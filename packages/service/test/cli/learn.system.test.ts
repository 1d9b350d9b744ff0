/** `tamis learn` as a person runs it: on folders of sorted mail, into a store of its own. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { OPERATOR_ID } from '../../../mail/personalization/kinds.ts'
import { halfOf } from '../../cli/held-out.ts'
import { openStore } from '../../store/open.ts'
import { tamis } from '../helpers/tamis.ts'

function message(sender: string, id: string, text: string): string {
  return `From: ${sender}\r\nSubject: ${text}\r\nMessage-ID: <${id}@example.com>\r\n\r\n${text}\r\n`
}

/** Two messages of spam and one of ham, and a data folder. */
function makeFolders() {
  const folder = temporaryFolder()
  for (const name of ['spam', 'ham', 'data']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'spam/1.eml'), message('win@example.net', '1', 'Claim your prize now'))
  writeFileSync(join(folder, 'spam/2.eml'), message('win@example.net', '2', 'Your prize waits'))
  writeFileSync(join(folder, 'ham/1.eml'), message('ann@example.org', '3', 'Saturday at the lake'))
  return { folder, dataDir: join(folder, 'data') }
}

/** In the mode `operator`, in which the operator's word moves the shared model at once. */
function learn(folder: string, dataDir: string, ...args: string[]) {
  const env = { TAMIS_DATA_DIR: dataDir, TAMIS_LEARNING: 'operator' }
  return tamis(['learn', ...args, '--spam', 'spam', '--ham', 'ham'], env, folder)
}

async function correctionsIn(dataDir: string) {
  const store = await openStore({ dataDir })
  const log = await store.correctionsInOrder(0, 100)
  const rules = (await store.userProfile('user-4711', 10)).automaticRules
  await store.close()
  return {
    log: log.map(({ userId, authority, label }) => ({ userId, authority, label })),
    rules: rules.length,
  }
}

describe('tamis learn', () => {
  it('corrects a user, and again nothing of what is known', async () => {
    const { folder, dataDir } = makeFolders()
    const first = learn(folder, dataDir, '--user', 'user-4711')
    assert.equal(first.stdout, 'success\t3\n')
    assert.equal(first.status, 0)
    assert.equal(learn(folder, dataDir, '--user', 'user-4711').stdout, 'already_recorded\t3\n')
    assert.deepEqual(await correctionsIn(dataDir), {
      log: [
        { userId: 'user-4711', authority: 'operator', label: 'spam' },
        { userId: 'user-4711', authority: 'operator', label: 'spam' },
        { userId: 'user-4711', authority: 'operator', label: 'ham' },
      ],
      rules: 0,
    })
  })

  it('withdraws corrections of messages', async () => {
    const { folder, dataDir } = makeFolders()
    learn(folder, dataDir, '--user', 'user-4711')
    const env = { TAMIS_DATA_DIR: dataDir }
    const withdraw = () =>
      tamis(['learn', '--user', 'user-4711', '--withdraw', 'spam', 'ham/1.eml'], env, folder)
    assert.equal(withdraw().stdout, 'removed\t3\n')
    assert.equal(withdraw().stdout, 'not corrected\t3\n')
    assert.deepEqual((await correctionsIn(dataDir)).log, [])
  })

  it('makes a Sender rule of a message whose sender a trusted host vouches for, and of no other', async (t) => {
    const { folder, dataDir } = makeFolders()
    const vouched = 'Authentication-Results: mx.example.com; dmarc=pass header.from=example.org\r\n'
    const forged = vouched.replace('mx.example.com', 'mx.example.net')
    writeFileSync(
      join(folder, 'ham/2.eml'),
      vouched + message('bo@example.org', '4', 'The lake is frozen'),
    )
    writeFileSync(
      join(folder, 'ham/3.eml'),
      forged + message('eve@example.org', '5', 'The lake is deep'),
    )
    process.env['TAMIS_TRUSTED_AUTHSERV_IDS'] = 'mx.example.com'
    t.after(() => delete process.env['TAMIS_TRUSTED_AUTHSERV_IDS'])
    assert.equal(learn(folder, dataDir, '--user', 'user-4711').stdout, 'success\t5\n')
    const { log, rules } = await correctionsIn(dataDir)
    assert.deepEqual([log.length, rules], [5, 1])
  })

  it('corrects the shared model alone, in the name of no user', async () => {
    const { folder, dataDir } = makeFolders()
    assert.equal(learn(folder, dataDir, '--global').stdout, 'success\t3\n')
    const { log, rules } = await correctionsIn(dataDir)
    assert.deepEqual(
      log.map(({ userId }) => userId),
      [OPERATOR_ID, OPERATOR_ID, OPERATOR_ID],
    )
    assert.equal(rules, 0)
  })

  it('records nothing with --dry-run, and tells what it would change', async () => {
    const { folder, dataDir } = makeFolders()
    const { stdout, status } = learn(folder, dataDir, '--user', 'user-4711', '--dry-run')
    const rows = stdout.split('\n')
    assert.match(rows.at(-3)!, /^ham\t1\t[01]\t[01]$/)
    assert.match(rows.at(-2)!, /^spam\t2\t[0-2]\t[0-2]$/)
    assert.equal(status, 0)
    assert.deepEqual((await correctionsIn(dataDir)).log, [])
  })

  describe('of mail that contradicts itself', () => {
    const NOTES = `Thank you for the notes of the last meeting. The board has read them and agrees with the plan for
the garden behind the school: the old fence goes first, then the beds along the wall are dug, and the children plant
in May. The timber comes from the mill at the lake, and the mill wants to know by Friday how many planks we need.`

    /** One letter, called spam of the senders of one half and ham of the others: what is learned of each half is wrong of the other. */
    const contradicting = () => {
      const made = makeFolders()
      const domains = Array.from({ length: 80 }, (_, i) => `n${i}.example`)
      for (const [i, domain] of domains.entries()) {
        const mail = message(`ann@${domain}`, `n${i}`, 'Notes').replace(/Notes\r\n$/, NOTES)
        const label = halfOf(Buffer.from(mail)) === 0 ? 'spam' : 'ham'
        writeFileSync(join(made.folder, label, `n-${i}.eml`), mail)
      }
      return made
    }

    it('is refused with the figures, and records nothing', async () => {
      const { folder, dataDir } = contradicting()
      const { stderr, stdout, status } = learn(folder, dataDir, '--user', 'user-4711')
      assert.match(
        stderr,
        /tamis: Learning from half of this mail makes verdicts on the other half worse: spam missed \d+ -> \d+ of \d+, ham lost \d+ -> \d+ of \d+\. Nothing was recorded.*\(LEARNING_HARMS\)\n$/,
      )
      assert.equal(stdout, '')
      assert.equal(status, 65)
      assert.deepEqual((await correctionsIn(dataDir)).log, [])
    })
  })
})
