/** The milter beside a real Tamis, asked by an MTA that is this test. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { linkSync, lstatSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../../test/temporary-folder.ts'
import type { Caller } from '../../../access/caller.ts'
import { bodyOctets } from '../../../admission/message-body.ts'
import type { Arriving } from '../../../admission/receive.ts'
import type { MilterSettings } from '../../../integrations/milter/session.ts'
import type { Judged, Request } from '../../../request.ts'
import { build, buildOnce, filterPartsOf, post } from '../../http/service.ts'
import { Mta, packet, testMilter, uint32s } from './milter.ts'

const app = buildOnce({ config: { learning: 'users' } })
const HELLO = [
  'From: Bob <bob@example.net>',
  'To: ann@example.com',
  'Subject: Saturday at the lake',
  'Date: Fri, 20 Nov 2026 12:00:00 +0000',
  'Message-ID: <lake-1@mail.example.net>',
  '',
  'Shall we meet at the boat house at ten? Bring the children and something warm to wear.',
  '',
]

/** Says in the name of `userId` that HELLO is spam, or is not. */
async function correct(userId: string, isSpam: boolean, service = app()): Promise<void> {
  const headers = { 'x-user-id': userId, 'x-is-spam': `${isSpam}` }
  const response = await post(service, '/feedback-stream', HELLO.join('\r\n'), headers)
  assert.equal(response.statusCode, 200)
}

async function connected(t: TestContext, changes: Parameters<typeof testMilter>[2] = {}) {
  const test = await testMilter(t, app(), changes)
  const mta = await Mta.ready(t, test.port)
  return { ...test, mta }
}

/** Recipients from `<user-0@example.com>` on, or from another number. */
function addresses(count: number, from = 0, domain = 'example.com'): string[] {
  return Array.from({ length: count }, (_, at) => `<user-${from + at}@${domain}>`)
}

/** Names and bodies of the fields in `i` replies, as they will stand from the top. */
function inserted(replies: readonly (readonly [string, string])[]): string[] {
  return replies
    .filter(([letter]) => letter === 'i')
    .map(([, data]) => data.slice(4, -1).replace('\0', ':'))
    .toReversed()
}

describe('a message', () => {
  it('gets fields with verdict, class and flag, below the field of the MTA', async (t) => {
    const { mta, lines } = await connected(t)
    const replies = await mta.message(HELLO)
    const [verdict, messageClass, reasons, ...others] = inserted(replies)
    assert.match(verdict!, /^X-Tamis-Verdict: ham; probability=0\.\d{4}(; escalate=yes)?$/)
    assert.equal(messageClass, 'X-Tamis-Class: primary')
    assert.match(
      reasons!.replaceAll('\n ', ' '),
      /^X-Tamis-Reasons: [A-Z][ -:<-~]+; [+-]\d+\.\d [A-Z0-9_]+ \([ -~]+\)/,
    )
    assert.deepEqual(others, ['X-Spam-Flag: NO'])
    assert.ok(replies.slice(0, 4).every(([, data]) => data.startsWith('\0\0\0\x01')))
    assert.equal(replies.at(-1)?.[0], 'c')
    const line = lines.find(({ msg }) => msg === 'message')
    assert.deepEqual(
      [line?.['verdict'], line?.['queueId'], line?.['recipients']],
      ['ham', '4F00', 1],
    )
    assert.deepEqual(
      [line?.['messageId'], line?.['senderDomain'], line?.['action']],
      ['lake-1@mail.example.net', 'example.net', 'accept'],
    )
    const told = line?.['reasons'] as string[]
    assert.ok(told.length > 0 && told.length <= 5)
    for (const reason of told) assert.match(reason, /^[+-]\d+\.\d [A-Z0-9_]+$/)
    assert.doesNotMatch(JSON.stringify(lines), /ann|bob|192\.0\.2|lake[^-]|boat/)
  })

  it('is one of many on a connection, some of them broken off', async (t) => {
    const { mta } = await connected(t)
    for (let round = 0; round < 3; round += 1) {
      assert.equal((await mta.message(HELLO)).length, 5)
      mta.envelope('<bob@example.net>', ['<ann@example.com>'])
      mta.send('L', 'X-Tamis-Verdict\0 ham\0')
      mta.send('A')
    }
    // A new SMTP session on the same connection.
    mta.send('K')
    mta.client()
    assert.equal((await mta.message(HELLO)).length, 5)
  })

  it('is judged as each recipient has corrected, once for all', async (t) => {
    await correct('ann@example.com', true)
    await correct('cy@example.com', true)
    const { mta } = await connected(t)
    const verdictFor = async (...to: string[]) =>
      inserted(await mta.message(HELLO, { to })).filter((field) => !/-Reasons:/.test(field))

    const spam = [
      'X-Tamis-Verdict: spam; probability=1.0000',
      'X-Tamis-Class: primary',
      'X-Spam-Flag: YES',
    ]
    assert.deepEqual(await verdictFor('<Ann@Example.com>'), spam)
    assert.deepEqual(await verdictFor('<ann@example.com>', '<cy@example.com>'), spam)
    const mixed = await verdictFor('<ann@example.com>', '<dan@example.com>')
    assert.match(mixed[0]!, /^X-Tamis-Verdict: mixed; probability=0\.\d{4}/)
    assert.equal(mixed[2], 'X-Spam-Flag: NO')
    // A recipient whose address no user can have counts as one who has corrected nothing.
    assert.match((await verdictFor('<ann@example.com>', '<"two words"@example.com>'))[0]!, /mixed/)
  })

  it('loses every field that looks like ours, the last of a name first, and no other', async (t) => {
    const { mta } = await connected(t)
    const forged = [
      'X-Spam-Flag: NO',
      'X-Tamis-Verdict: ham; probability=0.0000',
      'x-tamis-verdict: ham',
      'X-Spam-Flagged: no field of ours',
      'X-SPAM-FLAG : NO',
      'X-Tamis-Anything: 1',
      'X-Spam-Status: No',
    ]
    const replies = await mta.message([...forged, ...HELLO])
    const removed = replies.filter(([letter]) => letter === 'm').map(([, data]) => data)
    assert.deepEqual(removed, [
      '\0\0\0\x02x-spam-flag\0\0',
      '\0\0\0\x01x-spam-flag\0\0',
      '\0\0\0\x02x-tamis-verdict\0\0',
      '\0\0\0\x01x-tamis-verdict\0\0',
      '\0\0\0\x01x-tamis-anything\0\0',
      '\0\0\0\x01x-spam-status\0\0',
    ])
    assert.equal(replies[6]?.[0], 'i', 'its own fields come after')
  })

  it('is refused with more forged fields than an MTA takes out in its time, and the log says so', async (t) => {
    const { mta, lines } = await connected(t)
    const forged = Array.from({ length: 5_000 }, () => 'X-Spam-Flag: NO')
    const [refusal, ...others] = await mta.message([...forged, ...HELLO])
    const told = 'Too many header fields that only the receiving host may write'
    assert.deepEqual(refusal, ['y', `550 5.7.1 ${told}\0`])
    assert.deepEqual(others, [])
    const line = lines.find(({ msg }) => msg === 'message')
    assert.deepEqual([line?.['action'], line?.['foreignFieldsLeft']], ['reject', 4_000])
    // The next message is somebody else's.
    assert.equal(inserted(await mta.message(HELLO)).length, 4)
  })

  it('is of no user whose address is not UTF-8, and not of one whose address looks the same', async (t) => {
    // Header values are UTF-8, a byte a character.
    await correct(Buffer.from('gr\ufffd\ufffdn@example.com').toString('latin1'), true)
    const { mta } = await connected(t)
    mta.send('M', '<bob@example.net>\0')
    mta.send('R', Buffer.from('<gr\xff\xfen@example.com>\0', 'latin1'))
    for (const line of HELLO.slice(0, HELLO.indexOf(''))) {
      mta.send('L', `${line.replace(':', '\0')}\0`)
    }
    mta.send('B', HELLO.at(-2))
    assert.match(inserted(await mta.end())[0]!, /: ham;/)
  })
})

describe('actions', () => {
  /** A milter of a service that has the operator's `rules`, where ann has called HELLO spam. */
  async function ruled(t: TestContext, rules: string) {
    const { app: service } = await build(t, { config: { learning: 'users' } })
    await service.inject({ method: 'PUT', url: '/rules', payload: { text: rules } })
    await correct('ann@example.com', true, service)
    const { port } = await testMilter(t, service)
    return await Mta.ready(t, port)
  }

  const lettersOf = (replies: readonly (readonly [string, string])[]) =>
    replies.map(([letter]) => letter).join('')

  it('refuse what is spam for all recipients, and only that', async (t) => {
    const mta = await ruled(t, 'reject-at 0.9\nquarantine-at 0.5')
    assert.deepEqual(await mta.message(HELLO), [['y', '550 5.7.1 This message looks like spam\0']])
    const mixed = await mta.message(HELLO, { to: ['<ann@example.com>', '<dan@example.com>'] })
    assert.equal(lettersOf(mixed), 'iiiic')
  })

  it('hold it with its fields where it is not to be refused', async (t) => {
    const mta = await ruled(t, 'quarantine-at 1 for example.com')
    const replies = await mta.message(HELLO)
    assert.equal(lettersOf(replies), 'iiiiqc')
    assert.equal(replies.at(-2)![1], 'Tamis: spam\0')
  })

  it('are the mildest that the rules have for any of the recipients', async (t) => {
    const rules = 'reject-at never for cy@example.com\nquarantine-at 0.9\nreject-at 0.9'
    const mta = await ruled(t, `block from bob@example.net\n${rules}`)
    assert.equal(lettersOf(await mta.message(HELLO, { to: ['<dan@example.com>'] })), 'y')
    const to = ['<dan@example.com>', '<cy@example.com>']
    assert.equal(lettersOf(await mta.message(HELLO, { to })), 'iiiiqc')
  })
})

describe('mail that is not judged', () => {
  it('comes from senders who have logged in; forged fields are removed from it', async (t) => {
    const { mta, lines } = await connected(t)
    mta.send('D', 'M{auth_authen}\0bob\0')
    const replies = await mta.message(['X-Spam-Flag: NO', ...HELLO])
    assert.deepEqual(
      replies.map(([letter]) => letter),
      ['m', 'c'],
    )
    assert.equal(lines.find(({ msg }) => msg === 'message')?.['verdict'], 'skipped')
    // The next message on the connection is somebody else's.
    assert.equal(inserted(await mta.message(HELLO)).length, 4)
  })
})

describe('a failure', () => {
  it('of the service lets the message pass and says so', async (t) => {
    const { app: full } = await build(t, { config: { bufferBytes: 10 } })
    const { port } = await testMilter(t, full)
    const mta = await Mta.ready(t, port)
    const fields = inserted(await mta.message(['X-Spam-Flag: NO', ...HELLO]))
    assert.deepEqual(fields, ['X-Tamis-Verdict: unscanned; cause=busy'])
  })

  it('in the middle of a large message leaves no file open', async (t) => {
    const limits = { memoryBytesMax: 100_000, bufferBytes: 1_200_000 }
    const { app: small, temporaryFiles } = await build(t, { config: limits })
    const { port } = await testMilter(t, small)
    for (let round = 0; round < 5; round += 1) {
      const mta = await Mta.ready(t, port)
      mta.envelope('<bob@example.net>', ['<ann@example.com>'])
      for (let sent = 0; sent < 60; sent += 1) mta.send('B', 'x'.repeat(60_000))
      await eventually(async () => (await temporaryFiles()).length > 0)
      mta.leave()
      await eventually(async () => (await temporaryFiles()).length === 0)
    }
  })
})

/** A message that an MTA sends, as it is judged, and what is told of it. */
async function asked(
  t: TestContext,
  service: FastifyInstance,
  speak: (mta: Mta) => Promise<unknown>,
  settings: Partial<MilterSettings> = {},
): Promise<Pick<Request, 'metadata' | 'users'> & { body: string }> {
  const { services } = filterPartsOf(service)
  const { classifier } = services
  let body = Buffer.alloc(0)
  const receiver = Object.create(classifier.receiver, {
    receive: {
      value: async (arriving: Arriving) => {
        const received = await classifier.receiver.receive(arriving)
        const octets = bodyOctets(received)
        body = Buffer.from(octets.slice(0, octets.length))
        return received
      },
    },
    messageBytesMax: { value: classifier.receiver.messageBytesMax },
  })
  let request: Request | undefined
  const onJudged = (_caller: Caller, judged: Judged) => {
    request = judged.request
  }
  const parts = { services: { ...services, classifier: { ...classifier, receiver, onJudged } } }
  const { port } = await testMilter(t, service, { settings, parts })
  const mta = await Mta.connect(t, { port })
  await mta.negotiate()
  await speak(mta)
  return { ...request!, body: body.toString('latin1') }
}

describe('a message to more than a thousand users', () => {
  it('is judged for a thousand of them', async (t) => {
    const { mta, lines } = await connected(t)
    await mta.message(HELLO, { to: addresses(1_050) })
    assert.equal(lines.find(({ msg }) => msg === 'message')?.['usersLeft'], 50)
  })
})

describe('what is judged', () => {
  it('is the message byte for byte, below the field that the MTA is about to write', async (t) => {
    const { body } = await asked(t, app(), async (mta) => {
      mta.send('D', 'Cj\0mx.example.com\0')
      mta.send('C', 'host.example.net\x004\0\x19192.0.2.25\0')
      mta.send('H', 'client.example.net\0')
      mta.envelope('<bob@example.net>', ['<ann@example.com>'])
      for (const field of [
        'Subject\0 Caf\xe9\n\tfolded\0',
        'No-Space\0one\0',
        'Two-Spaces\0  two\0',
        'Spaced \0 x\0',
        'Empty\0\0',
      ]) {
        mta.send('L', Buffer.from(field, 'latin1'))
      }
      mta.send('N')
      mta.send('B', 'Hello\r\n')
      mta.send('B', '.\r\n\r\nthe end')
      await mta.end()
    })
    const [received, ...message] = body.split(/(?<=\+0000\r\n)/)
    assert.match(
      received!,
      /^Received: from client\.example\.net \(host\.example\.net \[192\.0\.2\.25\]\)\r\n\tby mx\.example\.com with ESMTP;\r\n\t\w{3}, \d\d \w{3} \d{4} [\d:]{8} \+0000\r\n$/,
    )
    assert.equal(
      message.join(''),
      'Subject: Caf\xe9\r\n\tfolded\r\nNo-Space:one\r\nTwo-Spaces:  two\r\nSpaced : x\r\nEmpty:\r\n\r\nHello\r\n.\r\n\r\nthe end',
    )
  })

  it('has who sent it from where, and for whom', async (t) => {
    const { metadata, users } = await asked(
      t,
      app(),
      async (mta) => {
        mta.client('IPv6:2001:DB8::25')
        const to = ['<Ann+shop@Example.com>', '<ann@example.com>', '<bj\u00f8rn@example.com>']
        await mta.message(HELLO, { from: '<Bob@EXAMPLE.net>', to })
      },
      { userOf: 'address+' },
    )
    assert.deepEqual(metadata, {
      senderIp: '2001:db8::25',
      mailFrom: 'Bob@example.net',
      queueId: '4F00',
    })
    assert.deepEqual(users, ['ann@example.com', 'bj\u00f8rn@example.com'])
  })

  it('is the beginning of a message that is too large, from a file without a name, and the field says so', async (t) => {
    const limits = { memoryBytesMax: 100_000, messageBytesMax: 300_000 }
    const { app: small, temporaryFiles } = await build(t, { config: limits })
    const { body } = await asked(t, small, async (mta) => {
      mta.envelope('<bob@example.net>', ['<ann@example.com>'])
      mta.send('L', 'Subject\0 large\0')
      mta.send('N')
      for (let sent = 0; sent < 10; sent += 1) mta.send('B', `${sent}`.repeat(60_000))
      assert.match(inserted(await mta.end())[0]!, /judged=beginning/)
    })
    assert.equal(body.length, 300_000)
    assert.ok(body.endsWith('4'))
    await eventually(async () => (await temporaryFiles()).length === 0)
  })

  it('may have 20,000 short fields', async (t) => {
    const { mta } = await connected(t)
    const many = Array.from({ length: 20_000 }, () => 'A: b')
    assert.match(inserted(await mta.message([...many, ...HELLO]))[0]!, /: (ham|spam);/)
  })
})

describe('a connection', () => {
  it('that speaks another protocol is closed, and others go on', async (t) => {
    const { mta, port } = await connected(t)
    for (const bytes of [
      Buffer.from('EHLO example.net\r\n'),
      packet('?', 'what'),
      packet('O', uint32s(1, 0, 0)),
      packet('C', 'no family'),
      uint32s(0xff_ff_ff_ff),
      Buffer.alloc(100),
    ]) {
      const hostile = await Mta.connect(t, { port })
      hostile.raw(bytes)
      assert.equal(await hostile.reply(), undefined)
    }
    assert.equal((await mta.message(HELLO)).length, 5)
  })

  it('without a reader gets no more replies than a socket holds', async (t) => {
    const { port } = await testMilter(t, app())
    const mta = await Mta.connect(t, { port })
    await mta.negotiate({ version: 2, actions: 0x3f, steps: 0 })
    mta.raw(Buffer.concat(Array.from({ length: 20_000 }, () => packet('H', 'x\0'))))
    for (let replies = 0; replies < 20_000; replies += 1) {
      assert.equal((await mta.reply())?.[0], 'c')
    }
  })

  it('without anything agreed gets a reply to each step, and nothing is changed', async (t) => {
    const { port } = await testMilter(t, app())
    const mta = await Mta.connect(t, { port })
    for (const [command, data] of [
      ['C', 'mx\0U'],
      ['H', 'mx\0'],
      ['M', '<>\0'],
      ['R', '<ann@example.com>\0'],
      ['T', ''],
      ['U', 'VRFY\0'],
      ['L', 'Subject\0Hello\0'],
      ['N', ''],
      ['B', 'Hello'],
    ] as const) {
      mta.send(command, data)
      assert.deepEqual(await mta.reply(), ['c', ''], command)
    }
    assert.deepEqual(await mta.end(), [['c', '']])
  })
})

describe('a Unix socket', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'milter.sock')
  const address = `unix:${path}`

  it('is for owner and group, and is gone at the end', async (t) => {
    const { milter } = await testMilter(t, app(), { address })
    assert.equal(lstatSync(path).mode & 0o777, 0o660)
    const mta = await Mta.connect(t, { path })
    assert.equal((await mta.negotiate())[0], 6)
    await milter.close()
    assert.equal(lstatSync(path, { throwIfNoEntry: false }), undefined)
  })

  it('takes the place of one whose process has ended, and of no other file', async (t) => {
    // Node removes the file of a socket that it closes; under another name it stays, as after a kill.
    const ended = createServer().listen(`${path}.ended`)
    await once(ended, 'listening')
    linkSync(`${path}.ended`, path)
    ended.close()
    await once(ended, 'close')
    assert.ok(lstatSync(path).isSocket())
    const { milter } = await testMilter(t, app(), { address })
    await milter.close()
    writeFileSync(path, 'a letter')
    await assert.rejects(testMilter(t, app(), { address }), /the file is not a socket/)
  })
})

describe('a message that a user sends', () => {
  /** What Tamis has of the correspondents of `userId`. */
  async function kindsOf(userId: string): Promise<string[]> {
    const url = `/personalization/correspondents?userId=${userId}`
    const { correspondents } = (await app().inject(url)).json()
    return correspondents.map(({ kind }: { kind: string }) => kind)
  }

  interface Sent {
    readonly login?: string
    readonly from?: string
    readonly to?: readonly string[]
    readonly fields?: readonly string[]
  }

  /** Sends a message, and then one of another user, which is told of after it. */
  async function send(t: TestContext, { login, from, to, fields = [] }: Sent) {
    const { port } = await testMilter(t, app())
    const mta = await Mta.connect(t, { port })
    await mta.negotiate()
    mta.client()
    if (login !== undefined) mta.send('D', `M{auth_authen}\0${login}\0`)
    mta.envelope(from ?? '<ann@example.com>', to ?? ['<bob@example.net>'])
    const all = ['From: ann@example.com', 'Message-ID: <mine-9@example.com>', ...fields]
    for (const field of all) mta.send('L', `${field.replace(/: ?/, '\0')}\0`)
    mta.send('N')
    mta.send('B', 'Until Saturday, at ten.\r\n')
    assert.equal((await mta.end()).at(-1)?.[0], 'c')
    const last = `last-${++sent}@example.com`
    mta.send('D', `M{auth_authen}\0${last}\0`)
    await mta.message(['From: last@example.com', '', 'x'], { from: `<${last}>` })
    await eventually(async () => (await kindsOf(last)).length > 0)
  }

  let sent = 0
  let users = 0
  const newUser = () => `sender-${++users}@example.com`

  it('tells Tamis whom the user writes to, though it is not judged', async (t) => {
    const userId = newUser()
    const to = ['<bob@example.net>', '<hidden@example.org>', `<${userId}>`]
    await send(t, { login: userId, from: `<${userId}>`, to })
    assert.deepEqual(await kindsOf(userId), ['sent', 'written', 'written'])
  })

  it('is of the user who has logged in, and not of whom MAIL FROM names', async (t) => {
    const [ann, eve] = [newUser(), newUser()]
    await send(t, { login: eve, from: `<${ann}>` })
    assert.deepEqual(await kindsOf(ann), [])
    assert.deepEqual(await kindsOf(eve), ['sent', 'written'])
  })
})
