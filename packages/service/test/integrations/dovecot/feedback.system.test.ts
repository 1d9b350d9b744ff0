/**
 * What users do over IMAP corrects Tamis: a real Dovecot with the files of deploy/dovecot/, a real
 * service, mail delivered by LMTP and moved, copied and marked by a client.
 */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { TcpProxy } from '../../helpers/tcp-proxy.ts'
import { buildOnce, listen } from '../../http/service.ts'
import type { ImapSession } from './clients.ts'
import { noDovecot, startDovecot, startDovecotOnce, withClasses } from './dovecot.ts'

const NEWSLETTER = [
  'From: Harbour Museum <news@museum.example.org>',
  'To: anna@example.com',
  'Subject: What is on at the museum in December',
  'Date: Fri, 20 Nov 2026 12:00:00 +0000',
  'Message-ID: <4711@museum.example.org>',
  '',
  'The new exhibition on lighthouses opens on Sunday. Guided tours at two and at four.',
  '',
].join('\r\n')

/** What a user did, from which mailbox, and what Tamis was learned by it. */
interface Case {
  readonly name: string
  readonly from: string
  readonly act: (session: ImapSession) => Promise<void>
  readonly learned: readonly string[]
}

const moved = (from: string, to: string, ...learned: string[]): Case => ({
  name: `moved from ${from} to ${to}`,
  from,
  act: (session) => session.move(from, to),
  learned,
})

const marked = (change: '+' | '-', keyword: string, ...learned: string[]): Case => ({
  name: `${change === '+' ? 'marked' : 'no longer marked'} ${keyword}`,
  from: 'INBOX',
  act: async (session) => {
    if (change === '-') await session.append('INBOX', NEWSLETTER, keyword)
    await session.mark(change, keyword)
  },
  learned,
})

const CASES: readonly Case[] = [
  moved('INBOX', 'Junk', 'spam'),
  moved('Trash', 'Junk', 'spam'),
  moved('Junk', 'INBOX', 'ham'),
  moved('Junk', 'Archive', 'ham'),
  moved('Junk', 'Promotions', 'ham', 'promotions'),
  moved('Junk', 'Trash'),
  moved('INBOX', 'Quarantine', 'spam'),
  moved('Quarantine', 'INBOX', 'ham'),
  moved('Quarantine', 'Junk', 'spam'),
  moved('Junk', 'Quarantine', 'spam'),
  moved('Quarantine', 'Trash'),
  moved('INBOX', 'Trash'),
  moved('Trash', 'INBOX'),
  moved('INBOX', 'Archive'),
  moved('Archive', 'INBOX'),
  moved('Sent', 'Junk'),
  moved('INBOX', 'Promotions', 'promotions'),
  moved('Promotions', 'Updates', 'updates'),
  moved('INBOX', 'Transactions', 'transactions'),
  moved('Updates', 'INBOX', 'primary'),
  {
    name: 'copied to Junk and deleted, by a client that cannot move',
    from: 'INBOX',
    act: (session) => session.copyAndDelete('INBOX', 'Junk'),
    learned: ['spam'],
  },
  {
    name: 'deleted for good in Junk',
    from: 'Junk',
    act: async (session) => {
      await session.command('SELECT Junk')
      await session.command('STORE 1 +FLAGS (\\Deleted)')
      await session.command('EXPUNGE')
    },
    learned: [],
  },
  marked('+', '$Junk', 'spam'),
  marked('+', '$NotJunk', 'ham'),
  marked('-', '$Junk'),
  marked('+', 'NonJunk'),
  marked('+', '\\Seen'),
  marked('+', '$Promotions', 'promotions'),
  marked('+', '$Primary', 'primary'),
]

describe('a message in a mailbox of Dovecot', { skip: noDovecot }, () => {
  const app = buildOnce()
  let url: string
  before(async () => {
    ;({ url } = await listen(app()))
  })
  const dovecot = startDovecotOnce(() => ({
    url,
    recipe: "sed -i 's/^#quarantine //'",
    edit: withClasses,
  }))

  CASES.forEach(({ name, from, act, learned }, i) => {
    it(`${name} corrects ${learned.join(' and ') || 'nothing'}`, async () => {
      const user = `user-${i}@example.com`
      const session = await dovecot().login(user)
      await session.append(from, NEWSLETTER)
      await act(session)
      await session.close()
      await dovecot().allSent()
      assert.deepEqual(await correctionsOf(app(), user), learned)
    })
  })
})

describe('a correction over IMAP', { skip: noDovecot }, () => {
  const app = buildOnce({ config: { learning: 'off' } })
  let url: string
  before(async () => {
    ;({ url } = await listen(app()))
  })

  it('that is made while Tamis is down waits for it', async (t) => {
    const proxy = await TcpProxy.open(url)
    t.after(() => proxy.close())
    const dovecot = await startDovecot(t, { url: proxy.url })
    await proxy.cut()
    await dovecot.deliver('carl@example.com', NEWSLETTER)
    const session = await dovecot.login('carl@example.com')
    await session.move('INBOX', 'Junk')
    await session.move('Junk', 'INBOX')
    assert.equal(await session.count('INBOX'), 1)
    await session.close()
    assert.equal(dovecot.spooled().length, 2)
    await dovecot.logged(/tamis-dovecot: corrections are kept: Tamis at \S+ answered 000/)
    assert.deepEqual(await correctionsOf(app(), 'carl@example.com'), [])

    await proxy.restore()
    await dovecot.flush()
    await dovecot.allSent()
    assert.deepEqual(
      await correctionsOf(app(), 'carl@example.com'),
      ['ham'],
      'the later one counts',
    )
  })
})

/** Labels and classes that the user's memory holds, the oldest first. */
async function correctionsOf(app: FastifyInstance, userId: string): Promise<string[]> {
  const answer = await app.inject({ url: '/personalization/memory', query: { userId } })
  const items: { label: string; createdAt: string }[] = answer.json().items
  return items
    .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
    .map(({ label }) => label)
}
