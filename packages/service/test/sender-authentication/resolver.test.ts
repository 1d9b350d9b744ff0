import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { DnsResolver, type MessageResolver } from '../../sender-authentication/resolver.ts'
import { startDnsServer, type Zone } from '../helpers/dns-server.ts'

const ZONE: Zone = {
  'example.com': {
    TXT: ['v=spf1 -all'],
    A: ['192.0.2.1'],
    MX: [[10, 'mx.example.com']],
  },
  'failing.example.com': 'SERVFAIL',
  'silent.example.com': 'SILENT',
}

/** Nothing takes as long on a busy machine: a question is sent again after half of it. */
const QUERY_TIMEOUT_MS = 2_000

/** For questions that get no answer. */
const SHORT_TIMEOUT_MS = 200

const MESSAGE_TIMEOUT_MS = 20_000

const HOUR_MS = 60 * 60_000

async function start(t: TestContext, zone = ZONE, queryTimeoutMs = QUERY_TIMEOUT_MS) {
  const server = await startDnsServer(t, zone)
  // The library takes an entry of the time 0 for one without a time to live.
  const clock = { nowMs: 1 }
  const resolver = new DnsResolver({
    servers: [server.address],
    queryTimeoutMs,
    now: () => clock.nowMs,
  })
  t.after(() => resolver.close())
  const message = (timeoutMs = MESSAGE_TIMEOUT_MS): MessageResolver => {
    const questions = resolver.forMessage(timeoutMs)
    t.after(() => questions.close())
    return questions
  }
  return { server, clock, resolver, message }
}

async function codeOf(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    () => 'answered',
    (error: NodeJS.ErrnoException) => error.code ?? 'no code',
  )
}

describe('DnsResolver', () => {
  it('answers as dns.resolve does', async (t) => {
    const { message } = await start(t)
    const { resolve } = message()
    assert.deepEqual(await resolve('example.com', 'TXT'), [['v=spf1 -all']])
    assert.deepEqual(await resolve('example.com', 'A'), ['192.0.2.1'])
    const [mx] = (await resolve('example.com', 'MX')) as { priority: number; exchange: string }[]
    assert.deepEqual([mx?.priority, mx?.exchange], [10, 'mx.example.com'])
    assert.equal(await codeOf(resolve('example.com', 'AAAA')), 'ENODATA')
    assert.equal(await codeOf(resolve('example.net', 'TXT')), 'ENOTFOUND')
    assert.equal(await codeOf(resolve('failing.example.com', 'TXT')), 'ESERVFAIL')
  })
  it('does not ask for what is no name', async (t) => {
    const { message, server } = await start(t)
    const { resolve } = message()
    for (const name of [
      '',
      'a..b',
      `${'x'.repeat(64)}.example.com`,
      'x.'.repeat(130),
      'a b',
      'é.example.com',
    ]) {
      assert.equal(await codeOf(resolve(name, 'TXT')), 'EBADNAME')
    }
    assert.deepEqual(server.questions, [])
  })
  it('asks once for a question that is under way, whatever its case', async (t) => {
    const { message, server } = await start(t)
    const { resolve } = message()
    await Promise.all([resolve('example.com', 'TXT'), message().resolve('Example.COM', 'TXT')])
    assert.deepEqual(server.questions, ['TXT example.com'])
  })
  it('remembers a text for five minutes, and addresses for their time to live', async (t) => {
    const { message, server, clock } = await start(t)
    const { resolve } = message()
    const askBoth = async () => {
      await resolve('example.com', 'TXT')
      await resolve('example.com', 'A')
    }
    await askBoth()
    clock.nowMs = 299_999
    await askBoth()
    assert.equal(server.questions.length, 2)
    clock.nowMs = 300_002
    await askBoth()
    assert.equal(server.questions.length, 4)
  })
  it('gives up a question after its time, and sends it twice before', async (t) => {
    const { message, server } = await start(t, ZONE, SHORT_TIMEOUT_MS)
    const { resolve } = message()
    assert.equal(await codeOf(resolve('silent.example.com', 'TXT')), 'ETIMEOUT')
    assert.equal(server.questions.length, 2)
  })
  it('gives up all questions of a message at its deadline, but still tells what it remembers', async (t) => {
    const { message } = await start(t, ZONE, HOUR_MS)
    await message().resolve('example.com', 'TXT')
    const { resolve, hasExpired } = message(50)
    assert.equal(await codeOf(resolve('silent.example.com', 'TXT')), 'ETIMEOUT')
    // The question itself has an hour.
    assert.ok(hasExpired())
    assert.equal(await codeOf(resolve('example.com', 'MX')), 'ETIMEOUT')
    assert.deepEqual(await resolve('example.com', 'TXT'), [['v=spf1 -all']])
  })
  it('takes a hundred questions of one message', async (t) => {
    const { message, server } = await start(t)
    const { resolve } = message()
    const codes: string[] = []
    for (let at = 0; at < 102; at++) codes.push(await codeOf(resolve(`h${at}.example.com`, 'A')))
    assert.deepEqual(codes.slice(99), ['ENOTFOUND', 'ETIMEOUT', 'ETIMEOUT'])
    assert.equal(server.questions.length, 100)
  })
})

describe('a DNS that never answers', () => {
  it('has 1,024 questions under way, the others fail at once', async (t) => {
    const silent = Object.fromEntries(
      Array.from({ length: 1_200 }, (_, at) => [`h${at}.example.com`, 'SILENT'] as const),
    )
    const { message, resolver } = await start(t, silent, SHORT_TIMEOUT_MS)
    const codes: string[] = []
    const messages = Array.from({ length: 12 }, () => message())
    const asked = Array.from({ length: 1_200 }, async (_, at) => {
      codes.push(await codeOf(messages[at % 12]!.resolve(`h${at}.example.com`, 'A')))
    })
    await new Promise(setImmediate)
    assert.deepEqual(resolver.load, { inFlight: 1_024, remembered: 0 })
    assert.equal(codes.length, 1_200 - 1_024)
    await Promise.all(asked)
    assert.deepEqual([...new Set(codes)], ['ETIMEOUT'])
    await eventually(() => resolver.load.inFlight === 0)
  })
})

describe('what is remembered', () => {
  it('is no answer of more than four thousand characters', async (t) => {
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(2_000))
    const { message, resolver } = await start(t, { 'long.example.com': { TXT: texts } })
    const records = (await message().resolve('long.example.com', 'TXT')) as string[][]
    assert.deepEqual(records.map((strings) => strings.join('')).sort(), texts)
    assert.equal(resolver.load.remembered, 0)
  })
})

describe('a text record of more than 4,096 characters', () => {
  it('is left out', async (t) => {
    const zone = { 'long.example.com': { TXT: ['x'.repeat(4_097), 'y'.repeat(4_096)] } }
    const { message } = await start(t, zone)
    const records = (await message().resolve('long.example.com', 'TXT')) as string[][]
    assert.deepEqual(
      records.map((strings) => strings.join('').charAt(0)),
      ['y'],
    )
  })
})
