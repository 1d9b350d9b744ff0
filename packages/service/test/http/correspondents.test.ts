/**
 * Correspondents over HTTP, on a whole service: how they are learned, what they say of a message, and what
 * whoever forges, floods or steals gets out of them. A trusted host says who is authenticated.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import type { Config } from '../../config.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { build, buildOnce, post } from './service.ts'

const CONFIG: Partial<Config> = { learning: 'users', trustedAuthservIds: ['mx.example.com'] }

const app = buildOnce({ config: CONFIG })

let users = 0
const newUser = () => `user-${++users}@example.com`

type Result = 'pass' | 'fail' | 'none'

/** Bob's letter as the trusted host has delivered it; `more` are fields. */
function letter({
  from = 'Bob <bob@example.net>',
  result = 'pass' as Result,
  more = [] as readonly string[],
  body = 'Shall we meet at the boat house at ten? Bring the children and something warm to wear.',
} = {}): string {
  const domain = /@([a-z.-]+)/i.exec(from)?.[1]
  return [
    `Authentication-Results: mx.example.com; dmarc=${result} header.from=${domain}`,
    'Received: from mail.example.net by mx.example.com; Fri, 20 Nov 2026 12:00:00 +0000',
    `From: ${from}`,
    'To: ann@example.com',
    'Subject: Saturday at the lake',
    'Message-ID: <lake-1@mail.example.net>',
    ...more,
    '',
    body,
    '',
  ].join('\r\n')
}

/** Ann's own mail. */
function outgoing(to: string, more: readonly string[] = []): string {
  return [
    'From: Ann <ann@example.com>',
    `To: ${to}`,
    'Subject: Saturday at the lake',
    'Message-ID: <mine-1@example.com>',
    ...more,
    '',
    'I shall bring the boat and the sails, and you bring what we eat. Until Saturday.',
    '',
  ].join('\r\n')
}

async function correspondentIn(message: string, userId: string, service = app()) {
  const answer = await post(service, '/classify/diagnostic-stream', message, {
    'x-user-id': userId,
  })
  assert.equal(answer.statusCode, 200)
  const { personalization, explanation } = answer.json()
  const terms = [...explanation.for, ...explanation.against] as { kind: string; logit: number }[]
  const term = terms.find(({ kind }) => kind === 'correspondent')
  assert.equal(term?.logit ?? 0, personalization.correspondent?.logit ?? 0)
  return personalization.correspondent
}

function send(method: 'POST' | 'DELETE', payload: object, service: FastifyInstance = app()) {
  return service.inject({ method, url: '/personalization/correspondents', payload })
}

async function stated(
  userId: string,
  addresses: readonly string[],
  messageIds?: readonly string[],
) {
  const answer = await send('POST', { userId, addresses, ...(messageIds && { messageIds }) })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().added
}

async function kindsOf(userId: string, service = app()): Promise<string[]> {
  const url = `/personalization/correspondents?userId=${encodeURIComponent(userId)}`
  const { correspondents } = (await service.inject(url)).json()
  return correspondents.map(({ kind }: { kind: string }) => kind)
}

describe('whom a user writes to', () => {
  it('is not the user: a message to oneself does not open the way to who forges it', async () => {
    const userId = newUser()
    assert.equal(await stated(userId, [userId.toUpperCase(), 'bob@example.net']), 1)
    assert.equal(await correspondentIn(letter({ from: userId, result: 'none' }), userId), null)
  })
})

describe('a reply', () => {
  const reply = (id: string, from = 'Desk <desk@example.org>') =>
    letter({ from, more: [`In-Reply-To: ${id}`, `References: <other@example.org> ${id}`] })

  it('to a message of the user is expected, whoever writes it', async () => {
    const userId = newUser()
    await stated(userId, [], ['<mine-7@example.com>'])
    const found = await correspondentIn(reply('<mine-7@example.com>'), userId)
    assert.deepEqual(found, { tie: 'reply', authentication: 'pass', logit: -3 })
  })
})

describe('a correspondent whose account was taken over', () => {
  const parts = (name: string) => [
    '--b',
    '',
    'The invoice that you asked for is attached. Please pay it this week.',
    '--b',
    `Content-Type: application/octet-stream; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    'TVqQAAMAAAAEAAAA',
    '--b--',
  ]
  const withFile = (name: string) =>
    letter({
      more: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
      body: parts(name).join('\r\n'),
    })

  it('gets nothing for invoice.pdf.exe, which is no spam and for a person to see', async () => {
    const [ann, stranger] = [newUser(), newUser()]
    await stated(ann, ['bob@example.net'], ['<mine-7@example.com>'])
    const { logit, ...found } = await correspondentIn(withFile('invoice.pdf.exe'), ann)
    assert.ok(logit < 0)
    assert.deepEqual(found, {
      tie: 'written_to',
      authentication: 'pass',
      unsafe: 'ATTACHMENT_EXECUTABLE',
      isHeld: true,
    })
    const of = async (userId: string) =>
      (
        await post(app(), '/classify-stream', withFile('invoice.pdf.exe'), { 'x-user-id': userId })
      ).json()
    const held = await of(ann)
    assert.deepEqual([held.isSpam, held.shouldEscalate], [false, true])
    assert.equal((await of(stranger)).isSpam, true)
  })

  it('is ended by a correction as spam, and is back when the correction is withdrawn', async () => {
    const userId = newUser()
    await stated(userId, ['bob@example.net'])
    const headers = { 'x-user-id': userId, 'x-is-spam': 'true' }
    const phish = letter({ body: 'Your mailbox is full. Sign in at https://login.example now.' })
    const { feedbackId } = (await post(app(), '/feedback-stream', phish, headers)).json()
    assert.equal(await correspondentIn(letter(), userId), null)
    // Neither does writing to it again change that.
    await stated(userId, ['bob@example.net'])
    assert.equal(await correspondentIn(letter(), userId), null)
    await app().inject({ method: 'DELETE', url: `/feedback/${feedbackId}` })
    assert.equal((await correspondentIn(letter(), userId)).logit, -3)
  })

  it('is not ended by a complaint of a message that only claims to be from it', async () => {
    const userId = newUser()
    await stated(userId, ['bob@example.net'])
    const headers = { 'x-user-id': userId, 'x-is-spam': 'true' }
    await post(app(), '/feedback-stream', letter({ result: 'none', body: 'Buy pills' }), headers)
    assert.equal((await correspondentIn(letter(), userId)).logit, -3)
    // What nothing vouches for may be as forged as that one.
    assert.equal(await correspondentIn(letter({ result: 'none' }), userId), null)
  })
})

describe('outgoing mail', () => {
  const told = { 'x-direction': 'outgoing' }

  it('teaches whom its user writes to, and which replies are expected', async () => {
    const userId = newUser()
    const to = 'Bob <bob@example.net>'
    const answer = await post(app(), '/classify-stream', outgoing(to), {
      ...told,
      'x-user-id': userId,
    })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.json().isSpam, false)
    await eventually(async () => (await kindsOf(userId)).length === 2)
    assert.deepEqual(await kindsOf(userId), ['sent', 'written'])
    assert.equal((await correspondentIn(letter(), userId)).tie, 'written_to')
    const reply = letter({ from: 'cid@example.org', more: ['In-Reply-To: <mine-1@example.com>'] })
    assert.equal((await correspondentIn(reply, userId)).tie, 'reply')
  })

  const silent: [why: string, message: string][] = [
    ['answers while away', outgoing('spam@example.org', ['Auto-Submitted: auto-replied'])],
    [
      'is spam, which another may send in the name of the user',
      outgoing('bob@example.net').replace(
        'I shall bring',
        'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X\r\nI shall bring',
      ),
    ],
  ]
  for (const [why, message] of silent) {
    it(`teaches nothing that ${why}`, async () => {
      const userId = newUser()
      const headers = { ...told, 'x-user-id': userId }
      await post(app(), '/classify-stream', message, headers)
      // What follows is written after it.
      await post(app(), '/classify-stream', outgoing('last@example.net'), headers)
      await eventually(async () => (await kindsOf(userId)).length > 0)
      assert.deepEqual(await kindsOf(userId), ['sent', 'written'])
      assert.equal(await correspondentIn(letter({ from: 'spam@example.org' }), userId), null)
    })
  }
})

describe('received mail', () => {
  it('of an authenticated sender is counted once a day, and that of others not', async (t) => {
    const dataDir = temporaryFolder()
    const { app: service } = await build(t, { config: { ...CONFIG, dataDir } })
    const userId = newUser()
    for (let i = 0; i < 50; i++) {
      await post(service, '/classify-stream', letter(), { 'x-user-id': userId })
    }
    const others = [
      letter({ from: 'forged@example.org', result: 'fail' }),
      letter({ from: 'unknown@example.org', result: 'none' }),
      letter({ from: 'service@paypal.com' }),
    ]
    for (const other of others) {
      await post(service, '/classify-stream', other, { 'x-user-id': userId })
    }
    await eventually(async () => (await kindsOf(userId, service)).length > 0)
    const url = `/personalization/correspondents?userId=${encodeURIComponent(userId)}`
    const { correspondents } = (await service.inject(url)).json()
    assert.equal(correspondents.length, 1)
    assert.deepEqual([correspondents[0].kind, correspondents[0].times], ['received', 1])
    assert.equal(await correspondentIn(letter(), userId, service), null)

    // Two weeks later, as the store sees it.
    const store = await openStoreHere({ dataDir })
    t.after(() => store.close())
    const key = new Uint8Array(Buffer.from(correspondents[0].key, 'base64url'))
    for (const days of [7, 15]) {
      const at = new Date(Date.now() + days * 24 * 60 * 60 * 1_000)
      await store.learnCorrespondents([{ userId, kind: 'received', key, at }])
    }
    await eventually(async () => (await correspondentIn(letter(), userId, service)) !== null)
    assert.deepEqual(await correspondentIn(letter(), userId, service), {
      tie: 'received',
      authentication: 'pass',
      logit: -1.5,
    })
  })
})

describe('what is stored', () => {
  it('is hashes and times: no address, and not the same hash for two users', async (t) => {
    const dataDir = temporaryFolder()
    const { app: service } = await build(t, { config: { ...CONFIG, dataDir } })
    const [ann, eve] = [newUser(), newUser()]
    for (const userId of [ann, eve]) {
      const body = { userId, addresses: ['bob@example.net'], messageIds: ['<mine-7@example.com>'] }
      await send('POST', body, service)
    }
    const store = await openStoreHere({ dataDir })
    t.after(() => store.close())
    const rows = await Promise.all([ann, eve].map((userId) => store.correspondentsOf(userId)))
    const keys = rows.flat().map(({ key }) => Buffer.from(key).toString('hex'))
    assert.equal(new Set(keys).size, 4)
    assert.ok(keys.every((key) => key.length === 32))
  })

  it('is shown, counted, removed by address or whole, and forgotten with the user', async (t) => {
    const { app: service } = await build(t, { config: CONFIG })
    const userId = newUser()
    const addresses = Array.from({ length: 1_000 }, (_, i) => `a${i}@example.net`)
    const added = await send('POST', { userId, addresses }, service)
    assert.deepEqual(added.json(), { status: 'recorded', userId, added: 1_000 })
    const again = await send('POST', { userId, addresses: addresses.slice(0, 5) }, service)
    assert.equal(again.json().added, 0)

    const url = `/personalization/correspondents?userId=${encodeURIComponent(userId)}`
    const { correspondents } = (await service.inject(url)).json()
    assert.equal(new Set(correspondents.map(({ key }: { key: string }) => key)).size, 1_000)

    const stats = (await service.inject('/stats')).json()
    assert.deepEqual(stats.correspondents, { written: 1_000, sent: 0, received: 0 })
    const listed = (await service.inject('/users')).json().users
    assert.deepEqual(listed, [{ userId, rules: 0, corrections: 0, correspondents: 1_000 }])

    const one = await send('DELETE', { userId, addresses: ['A7@example.net', 'x@y.org'] }, service)
    assert.deepEqual(one.json(), { status: 'removed', userId, removed: 1 })
    const payload = { userId }
    const gone = await service.inject({ method: 'DELETE', url: '/personalization/data', payload })
    assert.equal(gone.json().deleted.correspondents, 999)
    assert.deepEqual(await kindsOf(userId, service), [])
    assert.equal((await send('DELETE', { userId }, service)).json().removed, 0)
  })
})

describe('a wrong request', () => {
  const userId = 'ann@example.com'
  const cases: [what: string, body: object, field: string][] = [
    ['a name for an address', { userId, addresses: ['bob@example.net', 'Bob'] }, 'addresses/1'],
    ['a mailbox with its name', { userId, addresses: ['Bob <bob@example.net>'] }, 'addresses/0'],
    ['no Message-ID', { userId, addresses: [], messageIds: ['<a> <b>'] }, 'messageIds/0'],
  ]
  for (const [what, body, field] of cases) {
    it(`is refused with the field: ${what}`, async () => {
      const answer = await send('POST', body)
      const { code, error } = answer.json()
      assert.deepEqual(
        [answer.statusCode, code, answer.json().field],
        [400, 'FIELD_INVALID', field],
      )
      assert.doesNotMatch(error, /bob|Bob|smith/)
    })
  }
})

/** Whoever reads the log learns of no address. */
it('no address is in the log', async (t: TestContext) => {
  const lines: string[] = []
  const log = {
    level: 'trace',
    stream: { write: (line: string) => void lines.push(line) },
  } as const
  const { app: service } = await build(t, { config: CONFIG, log: log as never })
  await send('POST', { userId: 'ann', addresses: ['bob@example.net', 'Bob <x>'] }, service)
  await send('POST', { userId: 'ann', addresses: ['bob@example.net'] }, service)
  await service.inject('/personalization/correspondents?userId=ann')
  assert.ok(lines.length >= 3)
  assert.doesNotMatch(lines.join(''), /bob|ann\b/i)
})
