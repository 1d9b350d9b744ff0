/** The whole way of mail: Postfix, tamis milter, LMTP, Sieve, a correction over IMAP, the next mail. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { build, listen } from '../../http/service.ts'
import { testMilter } from '../milter/milter.ts'
import { postfixMissing, startPostfix } from '../milter/postfix.ts'
import { type Dovecot, noDovecot, openToPostfix, startDovecot, withClasses } from './dovecot.ts'

const FOLDERS = ['INBOX', 'Junk', 'Promotions', 'Updates', 'Transactions']

const DELIVERY_MS_MAX = 60_000

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

describe('mail by Postfix and the milter to Dovecot', {
  skip: noDovecot || postfixMissing() || false,
}, () => {
  it('is filed as one user has said of mail like it, and for the other as before', async (t) => {
    const { app } = await build(t, { config: { learning: 'off' } })
    const { url } = await listen(app)
    const dovecot = await startDovecot(t, { url, edit: withClasses })
    const milter = await testMilter(t, url)
    const postfix = await startPostfix(
      `inet:127.0.0.1:${milter.port}`,
      `virtual_transport = lmtp:unix:${openToPostfix(dovecot)}`,
    )
    t.after(() => postfix.close())
    const send = (month: string, user: string) =>
      postfix.swaks('--from', 'list@museum.example.org', '--to', user, '--data', newsletter(month))

    for (const user of ['anna@example.com', 'ben@example.com']) await send('december', user)
    const [folder = ''] = await foldersOf(dovecot, 'anna@example.com', 1)
    assert.notEqual(folder, 'Junk')
    const session = await dovecot.login('anna@example.com')
    await session.move(folder, 'Junk')
    await session.close()
    await dovecot.allSent()

    for (const user of ['anna@example.com', 'ben@example.com']) await send('january', user)
    assert.deepEqual(await foldersOf(dovecot, 'anna@example.com', 2), ['Junk', 'Junk'])
    assert.deepEqual(await foldersOf(dovecot, 'ben@example.com', 2), [folder, folder])
  })
})

/** The folders of the user's messages, once there are `count`; one with two messages stands there twice. */
async function foldersOf(dovecot: Dovecot, user: string, count: number): Promise<string[]> {
  const end = performance.now() + DELIVERY_MS_MAX
  const session = await dovecot.login(user)
  try {
    for (;;) {
      const found: string[] = []
      for (const folder of FOLDERS) {
        found.push(...Array<string>(await session.count(folder)).fill(folder))
      }
      if (found.length >= count) return found
      if (performance.now() > end) throw new Error(`Not delivered: ${dovecot.log()}`)
      await sleep(50)
    }
  } finally {
    await session.close()
  }
}
