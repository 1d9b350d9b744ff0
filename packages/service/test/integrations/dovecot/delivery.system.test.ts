/** Delivery by LMTP with the Sieve scripts of deploy/dovecot/: mail is filed by the fields that the milter writes. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { buildOnce, listen } from '../../http/service.ts'
import { type Dovecot, noDovecot, startDovecotOnce } from './dovecot.ts'

/** In these a message is looked for. */
const FOLDERS = ['INBOX', 'Junk', 'Promotions', 'Updates', 'Transactions', 'Archive']

function message(...fields: string[]): string {
  return [...fields, 'From: news@museum.example.org', 'Subject: December', '', 'Hello', ''].join(
    '\r\n',
  )
}

/** Header fields of a message, and the folder in which a user finds it. */
const CASES: readonly (readonly [folder: string, ...fields: string[]])[] = [
  ['Junk', 'X-Tamis-Verdict: spam; probability=0.9990', 'X-Tamis-Class: promotions'],
  ['Junk', 'X-Tamis-Verdict: spam; probability=1.0000;\r\n\treason=phishtank_match'],
  ['Promotions', 'X-Tamis-Verdict: ham; probability=0.1200', 'X-Tamis-Class: promotions'],
  ['Updates', 'X-Tamis-Verdict: ham; probability=0.1200', 'X-Tamis-Class: updates'],
  ['Transactions', 'X-Tamis-Verdict: ham; probability=0.1200', 'X-Tamis-Class: transactions'],
  ['INBOX', 'X-Tamis-Verdict: ham; probability=0.1200', 'X-Tamis-Class: primary'],
  ['Updates', 'X-Tamis-Verdict: mixed; probability=0.1200', 'X-Tamis-Class: updates'],
  ['INBOX', 'X-Tamis-Verdict: unscanned; cause=timeout'],
  ['INBOX'],
]

describe('delivery by LMTP', { skip: noDovecot }, () => {
  const dovecot = startDovecotOnce(() => ({ url: 'http://127.0.0.1:1' }))

  it('files spam, and leaves all other mail in the inbox, where no folders of classes are wanted', async () => {
    const user = 'one-inbox@example.com'
    await dovecot().deliver(user, message('X-Tamis-Verdict: ham', 'X-Tamis-Class: updates'))
    await dovecot().deliver(user, message('X-Tamis-Verdict: spam', 'X-Tamis-Class: updates'))
    const session = await dovecot().login(user)
    assert.deepEqual([await session.count('INBOX'), await session.count('Junk')], [1, 1])
    assert.doesNotMatch((await session.command('LIST "" "*"')).join('\n'), /Updates|Promotions/)
    await session.close()
  })
})

describe('delivery by LMTP to folders of classes', { skip: noDovecot }, () => {
  const recipe = "sed -i 's/^#classes //'"
  const dovecot = startDovecotOnce(() => ({ url: 'http://127.0.0.1:1', recipe }))

  CASES.forEach(([folder, ...fields], i) => {
    it(`files to ${folder} what has ${JSON.stringify(fields)}`, async () => {
      const user = `user-${i}@example.com`
      await dovecot().deliver(user, message(...fields))
      assert.deepEqual(await foldersOf(dovecot(), user), [folder])
    })
  })

  it("files what a user's own script has left, and spam before it", async () => {
    const user = 'scripted@example.com'
    script(
      dovecot(),
      user,
      'require "fileinto"; if header :is "Subject" "December" { fileinto "Archive"; }',
    )
    await dovecot().deliver(user, message('X-Tamis-Class: updates'))
    assert.deepEqual(await foldersOf(dovecot(), user), ['Archive'])
    await dovecot().deliver(user, message('X-Tamis-Verdict: spam; probability=0.9990'))
    assert.deepEqual(await foldersOf(dovecot(), user), ['Junk', 'Archive'])
  })
})

describe('delivery by LMTP that asks Tamis', { skip: noDovecot }, () => {
  const app = buildOnce({ config: { learning: 'off' } })
  let url: string
  before(async () => {
    ;({ url } = await listen(app()))
  })
  const dovecot = startDovecotOnce(() => ({ url, recipe: "sed -i 's/^#judge //'" }))

  it('files by the verdict for the user', async () => {
    const [ann, bo] = ['ann@example.com', 'bo@example.com']
    const rule = {
      userId: ann,
      ruleType: 'Sender',
      label: 'spam',
      pattern: 'news@museum.example.org',
    }
    await app().inject({ method: 'POST', url: '/personalization/rules', payload: rule })
    for (const [user, inbox, junk] of [
      [ann, 0, 1],
      [bo, 1, 0],
    ] as const) {
      await dovecot().deliver(user, message())
      const session = await dovecot().login(user)
      assert.deepEqual([await session.count('INBOX'), await session.count('Junk')], [inbox, junk])
      await session.close()
    }
  })
})

async function foldersOf(dovecot: Dovecot, user: string): Promise<string[]> {
  const session = await dovecot.login(user)
  const found: string[] = []
  for (const folder of FOLDERS) if ((await session.count(folder)) > 0) found.push(folder)
  await session.close()
  return found
}

/** Gives `user` a Sieve script of their own. */
function script(dovecot: Dovecot, user: string, text: string): void {
  const home = join(dovecot.folder, 'home', user)
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, '.dovecot.sieve'), text)
}
