/** Spam in a folder of its own, by the recipe of docs/integrations/dovecot.md: what is filed there, and what a move out of it does. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../../../test/eventually.ts'
import { build, listen } from '../../http/service.ts'
import { testMilter } from '../milter/milter.ts'
import { postfixMissing, startPostfix } from '../milter/postfix.ts'
import {
  type Dovecot,
  noDovecot,
  openToPostfix,
  startDovecot,
  startDovecotOnce,
  withClasses,
} from './dovecot.ts'

const FOLDERS = ['INBOX', 'Junk', 'Quarantine', 'Promotions', 'Updates', 'Transactions']

const RECIPE = "sed -i 's/^#quarantine //'"

function newsletter(month: string): string {
  return [
    'From: Harbour Museum <news@museum.example.org>',
    'To: friends@example.com',
    `Subject: What is on at the museum in ${month}`,
    `Message-ID: <${month}@museum.example.org>`,
    '',
    'The new exhibition on lighthouses opens on Sunday. Guided tours at two and at four.',
    '',
  ].join('\n')
}

/** Verdicts, and where a message with each is found. */
const CASES = [
  ['Quarantine', 'spam; probability=0.9800'],
  ['Quarantine', 'spam; probability=0.9990; escalate=yes'],
  ['Quarantine', 'spam; probability=1.0000;\r\n\treason=user_rule'],
  ['Junk', 'spam; probability=0.9799'],
  ['Junk', 'spam; probability=0.0980'],
  ['Junk', 'spam'],
  ['INBOX', 'ham; probability=0.9900'],
  ['INBOX', 'mixed; probability=1.0000'],
  ['INBOX', 'unscanned; cause=timeout'],
] as const

describe('delivery by LMTP with a quarantine', { skip: noDovecot }, () => {
  const dovecot = startDovecotOnce(() => ({
    url: 'http://127.0.0.1:1',
    recipe: RECIPE,
    edit: withClasses,
  }))

  CASES.forEach(([folder, verdict], at) => {
    it(`files to ${folder} what is ${JSON.stringify(verdict)}`, async () => {
      const user = `user-${at}@example.com`
      const message = newsletter('december').replaceAll('\n', '\r\n')
      await dovecot().deliver(user, `X-Tamis-Verdict: ${verdict}\r\n${message}`)
      assert.deepEqual(await foldersOf(dovecot(), user), [folder])
    })
  })

  it('has the folder before there is anything in it', async () => {
    const session = await dovecot().login('new@example.com')
    assert.match((await session.command('LIST "" "*"')).join('\n'), /Quarantine/)
    await session.close()
  })
})

describe('mail by Postfix and the milter to a quarantine of Dovecot', {
  skip: noDovecot || postfixMissing() || false,
}, () => {
  it('comes to where it came before, once a message like it was moved out of there', async (t) => {
    const { app } = await build(t, { config: { learning: 'off' } })
    const { url } = await listen(app)
    const dovecot = await startDovecot(t, { url, recipe: RECIPE, edit: withClasses })
    const milter = await testMilter(t, url)
    const postfix = await startPostfix(
      `inet:127.0.0.1:${milter.port}`,
      `virtual_transport = lmtp:unix:${openToPostfix(dovecot)}`,
    )
    t.after(() => postfix.close())
    const user = 'anna@example.com'
    /** Where the message of that month comes to; then the user moves it to `to`, and throws it away. */
    const received = async (month: string, to: string) => {
      const from = ['--from', 'list@museum.example.org', '--to', user]
      await postfix.swaks(...from, '--data', newsletter(month))
      const folder = await eventually(async () => (await foldersOf(dovecot, user))[0])
      const session = await dovecot.login(user)
      await session.move(folder, to)
      await session.move(to, 'Trash')
      await session.close()
      await dovecot.allSent()
      return folder
    }
    const first = await received('november', 'Junk')
    assert.notEqual(first, 'Quarantine')
    assert.equal(await received('december', 'INBOX'), 'Quarantine')
    assert.equal(await received('january', 'Archive'), first)
  })
})

async function foldersOf(dovecot: Dovecot, user: string): Promise<string[]> {
  const session = await dovecot.login(user)
  const found: string[] = []
  for (const folder of FOLDERS) {
    const count = await session.count(folder).catch(() => 0)
    if (count > 0) found.push(folder)
  }
  await session.close()
  return found
}
