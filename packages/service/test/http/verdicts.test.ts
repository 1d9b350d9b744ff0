/** The verdicts of the interface: full, class alone, diagnostic, with reasons, for several recipients. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SIGNALS } from '../../../mail/signals/table.ts'
import { readRows } from '../../../mail/test/helpers/rows.ts'
import { TEXTS } from '../../../mail/verdict/texts.ts'
import { reasonsLines } from '../../http/message-line.ts'
import { metadataFromHeaders } from '../../http/metadata.ts'
import { reasonsResult } from '../../http/results.ts'
import { summaryOf } from '../../on-judged.ts'
import { buildOnce, judged, LOTTERY, ORDER, post, STREAM_FORMS } from './service.ts'

/** What the stream forms take and refuse, and what their answers say. */
describe('interface', () => {
  const app = buildOnce()
  const strict = buildOnce({ config: { messageBytesMax: 900 } })

  const CLASSES = ['primary', 'promotions', 'updates', 'transactions']

  it('says parse_error and asks for a look where a limit stopped the reading', async () => {
    const message = `From: a@example.com\n${'X: 1\n'.repeat(5_000)}\nHello`
    const verdict = (await post(app(), '/classify-stream', message)).json()
    assert.equal(verdict.bypassReason, 'parse_error')
    assert.equal(verdict.shouldEscalate, true)
  })

  it('gives each class its probability, and answers the most probable', async () => {
    const result = (await post(app(), '/tabs/classify-stream', ORDER)).json()
    const probabilities: Record<string, number> = result.classificationProbabilities
    assert.deepEqual(Object.keys(probabilities).toSorted(), CLASSES.toSorted())
    const sum = Object.values(probabilities).reduce((total, each) => total + each, 0)
    assert.ok(Math.abs(sum - 1) < 1e-6, `${sum}`)
    assert.equal(result.confidence, Math.max(...Object.values(probabilities)))
    assert.equal(result.confidence, probabilities[result.classification])
    assert.ok(result.elapsedMs >= 1)
  })

  it('judges the smallest message', async () => {
    for (const path of STREAM_FORMS) {
      assert.equal((await post(app(), path, 'Subject:\n')).statusCode, 200, path)
    }
  })

  it('says where the time went, stage by stage', async () => {
    const { timing } = (await post(app(), '/classify/diagnostic-stream', ORDER)).json()
    const { total, sender, ...inTurn } = timing
    const stages = ['parse', 'signals', 'features', 'models', 'queue', 'worker', 'decision']
    assert.deepEqual(Object.keys(inTurn).toSorted(), stages.toSorted())
    const sum = stages.reduce((ms, stage) => ms + timing[stage], 0)
    assert.ok(Object.values<number>(timing).every((ms) => ms >= 0))
    assert.ok(sum <= total && sender <= total, JSON.stringify(timing))
  })

  it('is asked with a Content-Type of any parameters, and all metadata', async () => {
    const headers = {
      'content-type': 'Message/RFC822; charset=utf-8',
      'x-sender-ip': '[IPv6:2001:db8::1]',
      'x-sender-email': '<orders@shop.example.com>',
      'x-user-id': 'user-4711',
    }
    for (const path of STREAM_FORMS) {
      assert.equal((await post(app(), path, ORDER, headers)).statusCode, 200, path)
    }
  })

  const TYPE = 'CONTENT_TYPE_UNSUPPORTED'
  const IMAGE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

  for (const [what, status, code, body, headers] of [
    ['nothing', 400, 'NOT_A_MESSAGE', '', {}],
    ['a text', 400, 'NOT_A_MESSAGE', 'Hello, this is no message.\n', {}],
    ['an empty line', 400, 'NOT_A_MESSAGE', '\r\n', {}],
    ['an image', 400, 'NOT_A_MESSAGE', IMAGE, {}],
    ['JSON', 415, TYPE, '{}', { 'content-type': 'application/json' }],
    ['another type', 415, TYPE, ORDER, { 'content-type': 'message/rfc822x' }],
    ['no type', 415, TYPE, ORDER, { 'content-type': '' }],
    ['a compressed body', 415, TYPE, ORDER, { 'content-encoding': 'gzip' }],
    ['more than the limit', 413, 'MESSAGE_TOO_LARGE', 'A: b\n'.repeat(200), {}],
  ] as const) {
    it(`refuses ${what} with ${status}`, async () => {
      const response = await post(strict(), '/classify-stream', body, headers)
      const { error, ...rest } = response.json()
      assert.deepEqual([response.statusCode, rest], [status, { code }])
      assert.equal(typeof error, 'string')
    })
  }

  it('answers other methods with 405 and those it takes', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'] as const) {
      const url = '/classify-stream?userId=a'
      const response = await app().inject({ method, url, payload: 'a' })
      assert.equal(response.statusCode, 405, method)
      assert.equal(response.headers['allow'], 'OPTIONS, POST')
    }
    const { error, code } = (await app().inject('/classify-stream')).json()
    assert.deepEqual([error, code], ['/classify-stream does not accept GET', 'METHOD_NOT_ALLOWED'])
  })
})

/** The verdict in points with its reasons, for one and for several recipients, and corrections taken back by their message. */
describe('reasons', () => {
  const app = buildOnce({ config: { learning: 'off' } })

  const reasonsFor = async (message: string, userId = 'nobody-yet') =>
    reasonsResult(await judged(app(), message, [userId]))

  async function classify(message: string, headers: Record<string, string>) {
    return (await post(app(), '/classify-stream', message, headers)).json()
  }

  async function correct(
    path: string,
    userId: string,
    headers: Record<string, string> = {},
    message = LOTTERY,
  ) {
    const response = await post(app(), path, message, { 'x-user-id': userId, ...headers })
    assert.equal(response.statusCode, 200, response.body)
    return response.json()
  }

  it('come with the verdict of /classify-stream', async () => {
    for (const message of [ORDER, LOTTERY]) {
      const { score, requiredScore, reasons, ...verdict } = await reasonsFor(message)
      assert.deepEqual(verdict, await classify(message, { 'x-user-id': 'nobody-yet' }))
      assert.equal(requiredScore, 5)
      assert.equal(score >= requiredScore, verdict.isSpam)
      assert.ok(reasons.length > 3)
    }
  })

  it('name signals and words, and add up', async () => {
    const { score, reasons } = await reasonsFor(LOTTERY)
    const sum = reasons.reduce((total, { points }) => total + points, 0)
    assert.ok(Math.abs(sum - score) < 1e-9, `${sum} is not ${score}`)
    const date = reasons.find(({ name }) => name === 'DATE_MISSING')
    assert.equal(date?.description, 'There is no date.')
    const text = reasons.find(({ name }) => name === 'TAMIS_TEXT')
    assert.match(text?.evidence ?? '', /^\p{L}{3,}(, \p{L}{3,}){0,2}$/u)
  })

  it('are on request in the answer of /classify-stream, the strongest in the message', async () => {
    const headers = { 'x-user-id': 'fay' }
    const { summary, ...rest } = await classify(LOTTERY, { ...headers, 'x-summary': 'true' })
    assert.deepEqual(rest, await classify(LOTTERY, headers))
    assert.equal(summary.messageId, 'draw-1@prize.example.com')
    assert.equal(summary.senderDomain, 'prize.example.com')
    assert.match(summary.sentence, /^[A-Z][a-z ,]+(?: \d+\.\d %)?: .+\.$/)
    const { reasons } = await reasonsFor(LOTTERY, 'fay')
    const signals = summary.reasons.filter(({ name }: { name: string }) => !/^TAMIS_/.test(name))
    assert.ok(signals.length > 0)
    for (const { name, points, description } of signals) {
      const found = reasons.find((reason) => reason.name === name)!
      assert.equal(description, found.description)
      assert.ok(Math.abs(points - found.points) < 1e-6, `${name}: ${points}, ${found.points}`)
    }
    assert.doesNotMatch(JSON.stringify(summary), /TAMIS_USER|evidence/)
  })

  describe('several recipients', () => {
    it('have what /classify-stream answers for each of them, and for nobody', async () => {
      await correct('/feedback-stream', 'blocks-it', { 'x-is-spam': 'true' }, ORDER)
      await correct('/feedback-stream', 'allows-it', { 'x-is-spam': 'false' }, ORDER)
      const label = { 'x-classification': 'updates' }
      await correct('/tabs/feedback-stream', 'files-it', label, ORDER)
      const userIds = ['blocks-it', 'allows-it', 'files-it', 'learned-nothing']

      const { shared, users } = await judged(app(), ORDER, userIds)

      assert.deepEqual(shared.verdict, await classify(ORDER, {}))
      const alone = userIds.map((userId) => classify(ORDER, { 'x-user-id': userId }))
      assert.deepEqual(
        users.map(({ verdict }) => verdict),
        await Promise.all(alone),
      )
      assert.deepEqual(
        users.map(({ verdict }) => verdict.isSpam),
        [true, false, false, false],
      )
      assert.equal(users[2]!.verdict.classification, 'updates')
    })

    it('have in the summary that a rule of the recipient decided, and nothing where they differ', async () => {
      await correct('/feedback-stream', 'blocked-it', { 'x-is-spam': 'true' }, ORDER)
      const { sentence, reasons } = summaryOf(await judged(app(), ORDER, ['blocked-it']))
      assert.equal(sentence, 'Spam: decided by a rule of the recipient.')
      assert.deepEqual(reasons, [])
      const ofBoth = summaryOf(await judged(app(), ORDER, ['blocked-it', 'another']))
      assert.equal(ofBoth.sentence, undefined)
    })
  })
})

describe('metadata', () => {
  /** A header as Node gives it: each byte of UTF-8 one code unit. */
  const asSent = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

  const FIELDS = {
    'X-Sender-IP': 'senderIp',
    'X-Sender-Email': 'mailFrom',
    'X-User-ID': 'userId',
  } as const

  const read = (header: keyof typeof FIELDS, sent: string) =>
    metadataFromHeaders({ [header.toLowerCase()]: asSent(sent) })[FIELDS[header]]

  for (const [verb, header, sent, expected] of readRows('service/test/http/metadata.cases')) {
    const name = header as keyof typeof FIELDS
    it(`${verb} ${header}: ${JSON.stringify(sent)}`, () => {
      if (verb === 'reads') return assert.equal(read(name, sent!) ?? '', expected ?? '')
      const refusal = { code: 'HEADER_INVALID', details: { header } }
      assert.throws(() => read(name, sent!), refusal)
    })
  }

  it('takes a user id of 256 characters, and none of 257', () => {
    for (const letter of ['u', '𝕌']) {
      assert.equal(read('X-User-ID', letter.repeat(256)), letter.repeat(256))
      assert.throws(() => read('X-User-ID', letter.repeat(257)), { code: 'HEADER_INVALID' })
    }
  })

  it('takes an address with 200 letters before the @, and no longer name of a host than there is', () => {
    const address = `${'a'.repeat(200)}@example.com`
    assert.equal(read('X-Sender-Email', address), address)
    for (const host of [`${'a'.repeat(64)}.com`, `${'example.'.repeat(80)}com`]) {
      assert.throws(() => read('X-Sender-Email', `a@${host}`), { code: 'HEADER_INVALID' })
    }
  })

  it('takes empty headers, and none, for none', () => {
    assert.deepEqual(metadataFromHeaders({ 'x-sender-ip': '', 'x-user-id': '' }), {})
    assert.deepEqual(metadataFromHeaders({}), {})
  })

  it('refuses bytes that are not UTF-8, and does not repeat what was sent', () => {
    assert.throws(() => metadataFromHeaders({ 'x-user-id': 'j\xfcrgen' }), {
      message: 'X-User-ID is not UTF-8',
      details: { header: 'X-User-ID' },
    })
    assert.throws(() => metadataFromHeaders({ 'x-sender-email': 'a person' }), {
      message: 'X-Sender-Email must be an email address (RFC 5321), or empty',
    })
  })
})

/** What log lines and X-Tamis-Reasons say of a message. */
describe('log line', () => {
  describe('reasonsLines', () => {
    it('has lines of 78 characters, and 998 where it is not folded, for all signals there are', () => {
      const longest = SIGNALS.map(({ name, description }) => ({
        name,
        points: -12.34,
        description,
      })).toSorted((a, b) => b.description.length - a.description.length)
      const sentence = `${'word '.repeat(60)}.`
      for (let at = 0; at < longest.length; at += 5) {
        const lines = reasonsLines({ sentence, reasons: longest.slice(at, at + 5) })
        const [first, ...others] = lines
        assert.ok(`X-Tamis-Reasons: ${first}`.length <= 78)
        for (const line of others) assert.match(line, /^ [!-~][ -~]{0,76}$/)
        assert.ok(`X-Tamis-Reasons: ${lines.join('')}`.length <= 998)
        assert.equal(lines.join('').split('; ').length, 1 + Math.min(5, longest.length - at))
      }
    })

    it('is in ASCII, whatever it tells', () => {
      for (const description of Object.values(TEXTS)) {
        const told = reasonsLines({ reasons: [{ name: 'A', points: 1, description }] })
        assert.doesNotMatch(told.join(''), /[^ -~]|\?/, description)
      }
    })

    it('ends no field and grows no longer with words of another service than ours', () => {
      const name = `A\r\nBcc: eve@example.com\u2028é${'x'.repeat(2_000)}`
      const lines = reasonsLines({ reasons: [{ name, points: 1, description: name }] })
      assert.match(lines.join(''), /^[ -~]{1,145}$/)
    })
  })
})
