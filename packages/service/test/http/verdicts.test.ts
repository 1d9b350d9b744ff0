/** The verdicts of the interface: full, class alone, diagnostic, with reasons, for several recipients. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FullResult } from '../../../client/client.ts'
import { SIGNALS } from '../../../mail/signals/table.ts'
import { TEXTS } from '../../../mail/verdict/texts.ts'
import { judgedAs, messageLine, reasonsLines } from '../../http/message-line.ts'
import { metadataFromHeaders } from '../../http/metadata-headers.ts'
import type { ReasonsResult } from '../../http/results.ts'
import { buildOnce, LOTTERY, ORDER, post, STREAM_FORMS } from './service.ts'

/** What the stream forms take and refuse, and every field of their answers, by name and type, and nothing else. */
describe('interface', () => {
  const app = buildOnce()
  const strict = buildOnce({ config: { messageBytesMax: 100 } })

  const UNSUPPORTED = {
    error:
      'This path does not accept this Content-Type. Send a raw message as message/rfc822, and anything else as application/json.',
    code: 'CONTENT_TYPE_UNSUPPORTED',
  }

  const CLASSES = ['primary', 'promotions', 'updates', 'transactions']
  const BYPASS_REASONS = ['user_rule', 'knn_memory', 'phishtank_match', 'parse_error', null]
  const PERSONALIZATION_SOURCES = ['tabs_rule', 'tabs_knn', null]

  type Rule = (value: unknown) => boolean

  const isProbability: Rule = (value) => typeof value === 'number' && value >= 0 && value <= 1
  const isBoolean: Rule = (value) => typeof value === 'boolean'
  const isObject: Rule = (value) => typeof value === 'object' && value !== null
  const oneOf =
    (values: readonly unknown[]): Rule =>
    (value) =>
      values.includes(value)

  /** Interface §2.1. */
  const FULL_RESULT: Record<string, Rule> = {
    isSpam: isBoolean,
    spamProbability: isProbability,
    classification: oneOf(CLASSES),
    textSpamScore: isProbability,
    metaSpamScore: isProbability,
    confidenceMargin: isProbability,
    entropy: isProbability,
    disagreement: isProbability,
    shouldEscalate: isBoolean,
    bypassReason: oneOf(BYPASS_REASONS),
    senderAuthenticated: isBoolean,
  }

  /** Interface §2.2. */
  const TABS_RESULT: Record<string, Rule> = {
    classification: oneOf(CLASSES),
    confidence: isProbability,
    classificationProbabilities: isObject,
    personalizationSource: oneOf(PERSONALIZATION_SOURCES),
    elapsedMs: Number.isInteger,
  }

  /** Interface §2.3. */
  const DIAGNOSTIC_RESULT: Record<string, Rule> = {
    email: isObject,
    result: isObject,
    models: isObject,
    urlScanner: isObject,
    tabs: isObject,
    personalization: isObject,
    explanation: isObject,
    timing: isObject,
  }

  const MESSAGES: Record<string, string> = {
    'an order': ORDER,
    'the smallest message': 'Subject:\n',
    'a message that a limit stopped': `From: a@example.com\n${'X: 1\n'.repeat(5_000)}\nHello`,
  }

  describe('POST /classify-stream', () => {
    for (const [name, message] of Object.entries(MESSAGES)) {
      it(`answers the eleven fields of the full result for ${name}`, async () => {
        const response = await post(app(), '/classify-stream', message)
        assert.equal(response.statusCode, 200)
        assert.match(`${response.headers['content-type']}`, /^application\/json/)
        assertShape(response.json(), FULL_RESULT)
      })
    }

    it('says parse_error and asks for a look where a limit stopped the reading', async () => {
      const message = MESSAGES['a message that a limit stopped']
      const verdict = (await post(app(), '/classify-stream', message!)).json()
      assert.equal(verdict.bypassReason, 'parse_error')
      assert.equal(verdict.shouldEscalate, true)
    })
  })

  describe('POST /tabs/classify-stream', () => {
    for (const [name, message] of Object.entries(MESSAGES)) {
      it(`answers the five fields of the tabs result for ${name}`, async () => {
        const response = await post(app(), '/tabs/classify-stream', message)
        assert.equal(response.statusCode, 200)
        const result = response.json()
        assertShape(result, TABS_RESULT)
        const probabilities: Record<string, number> = result.classificationProbabilities
        assert.deepEqual(Object.keys(probabilities).toSorted(), CLASSES.toSorted())
        const sum = Object.values(probabilities).reduce((total, each) => total + each, 0)
        assert.ok(Math.abs(sum - 1) < 1e-6, `${sum}`)
        assert.equal(result.confidence, Math.max(...Object.values(probabilities)))
        assert.equal(result.confidence, probabilities[result.classification])
        assert.ok(result.elapsedMs >= 1)
      })
    }

    it('gives the same class as the full result', async () => {
      const full = (await post(app(), '/classify-stream', ORDER)).json()
      const tabs = (await post(app(), '/tabs/classify-stream', ORDER)).json()
      assert.equal(tabs.classification, full.classification)
    })
  })

  describe('POST /classify/diagnostic-stream', () => {
    for (const [name, message] of Object.entries(MESSAGES)) {
      it(`answers the eight groups for ${name}, the verdict among them`, async () => {
        const response = await post(app(), '/classify/diagnostic-stream', message)
        assert.equal(response.statusCode, 200)
        const diagnostic = response.json()
        assertShape(diagnostic, DIAGNOSTIC_RESULT)
        assertShape(diagnostic.result, FULL_RESULT)
        const { elapsedMs: _, ...classVerdict } = TABS_RESULT
        assertShape(diagnostic.tabs, classVerdict)
        for (const model of ['text', 'meta', 'tabs']) {
          assertShape(diagnostic.models[model], { inputs: isObject, outputs: isObject })
        }
        const { embedding } = diagnostic.models
        assertShape(embedding, {
          model: (id) => id === null || typeof id === 'string',
          inputs: isObject,
          outputs: isObject,
        })
        const { email } = diagnostic
        assert.equal(email.bytes, message.length)
      })
    }

    it('says where the time went, stage by stage', async () => {
      const { timing } = (await post(app(), '/classify/diagnostic-stream', ORDER)).json()
      const { total, sender, ...inTurn } = timing
      const stages = ['parse', 'signals', 'features', 'models', 'queue', 'worker', 'decision']
      assert.deepEqual(Object.keys(inTurn).toSorted(), stages.toSorted())
      const sum = stages.reduce((ms, stage) => ms + timing[stage], 0)
      assert.ok(Object.values<number>(timing).every((ms) => ms >= 0))
      assert.ok(sum <= total && sender <= total, JSON.stringify(timing))
    })
  })

  for (const path of STREAM_FORMS) {
    describe(`POST ${path}`, () => {
      it('takes a message with all metadata headers', async () => {
        const response = await post(app(), path, ORDER, {
          'x-sender-ip': '[IPv6:2001:db8::1]',
          'x-sender-email': '<orders@shop.example.com>',
          'x-user-id': 'user-4711',
        })
        assert.equal(response.statusCode, 200)
      })

      it('takes a Content-Type with parameters', async () => {
        const headers = { 'content-type': 'Message/RFC822; charset=utf-8' }
        assert.equal((await post(app(), path, ORDER, headers)).statusCode, 200)
      })

      for (const [name, body] of [
        ['an empty body', ''],
        ['text without a header field', 'Hello, this is no message.\n'],
        ['nothing but an empty line', '\r\n'],
        ['bytes of an image', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
      ] as const) {
        it(`answers 400 for ${name}`, async () => {
          const response = await post(app(), path, body)
          assert.equal(response.statusCode, 400)
          assert.equal(response.json().code, 'NOT_A_MESSAGE')
          assert.deepEqual(Object.keys(response.json()), ['error', 'code'])
        })
      }

      for (const contentType of ['application/json', 'text/plain', 'message/rfc822x', 'nonsense']) {
        it(`answers 415 for ${contentType}`, async () => {
          const response = await post(app(), path, '{}', { 'content-type': contentType })
          assert.equal(response.statusCode, 415)
          assert.deepEqual(response.json(), UNSUPPORTED)
        })
      }

      it('answers 415 without a Content-Type, with a body or without', async () => {
        for (const payload of [ORDER, undefined]) {
          const response = await app().inject({
            method: 'POST',
            url: path,
            ...(payload && { payload }),
          })
          assert.equal(response.statusCode, 415)
          assert.equal(response.json().code, 'CONTENT_TYPE_UNSUPPORTED')
        }
      })

      it('answers 415 for a compressed body', async () => {
        const response = await post(app(), path, ORDER, { 'content-encoding': 'gzip' })
        assert.equal(response.statusCode, 415)
        assert.deepEqual(response.json(), {
          error: 'The body is compressed (gzip)',
          code: 'CONTENT_TYPE_UNSUPPORTED',
        })
      })

      for (const [header, value, rule] of [
        ['X-Sender-IP', '192.0.2.256', 'an IPv4 or IPv6 address'],
        ['X-Sender-Email', 'not an address', 'an email address (RFC 5321), or empty'],
        ['X-User-ID', 'two words', 'a text of 1 to 256 visible characters'],
      ] as const) {
        it(`answers 400 for a malformed ${header}, naming it`, async () => {
          const response = await post(app(), path, ORDER, { [header]: value })
          assert.equal(response.statusCode, 400)
          assert.deepEqual(response.json(), {
            error: `${header} must be ${rule}`,
            code: 'HEADER_INVALID',
            header,
          })
        })
      }

      it('answers 413 for an announced length over the limit', async () => {
        const response = await post(strict(), path, ORDER)
        assert.equal(response.statusCode, 413)
        assert.deepEqual(response.json(), {
          error: 'The message is larger than 100 bytes',
          code: 'MESSAGE_TOO_LARGE',
        })
      })

      it('answers other methods with 405 and those it takes', async () => {
        for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'] as const) {
          const response = await app().inject({ method, url: `${path}?userId=a`, payload: 'a' })
          assert.equal(response.statusCode, 405, method)
          assert.equal(response.headers['allow'], 'OPTIONS, POST')
        }
        const { body } = await app().inject({ method: 'PUT', url: path })
        assert.deepEqual(JSON.parse(body), {
          error: `${path} does not accept PUT`,
          code: 'METHOD_NOT_ALLOWED',
        })
      })

      it('answers OPTIONS with the methods it takes', async () => {
        const response = await app().inject({ method: 'OPTIONS', url: path })
        assert.equal(response.statusCode, 204)
        assert.equal(response.headers['allow'], 'OPTIONS, POST')
        assert.equal(response.body, '')
      })
    })
  }

  function assertShape(value: object, shape: Record<string, Rule>): void {
    assert.deepEqual(Object.keys(value).toSorted(), Object.keys(shape).toSorted())
    for (const [name, field] of Object.entries(value)) {
      assert.ok(shape[name]?.(field), `${name} is ${JSON.stringify(field)}`)
    }
  }
})

/** The verdict in points with its reasons, for one and for several recipients, and corrections taken back by their message. */
describe('reasons', () => {
  const app = buildOnce({ config: { learning: 'off' } })

  const PATH = '/classify-stream/reasons'

  async function reasonsFor(message: string, userId = 'nobody-yet'): Promise<ReasonsResult> {
    const response = await post(app(), PATH, message, { 'x-user-id': userId })
    assert.equal(response.statusCode, 200, response.body)
    return response.json()
  }

  async function correct(path: string, userId: string, headers: Record<string, string> = {}) {
    const response = await post(app(), path, LOTTERY, { 'x-user-id': userId, ...headers })
    assert.equal(response.statusCode, 200, response.body)
    return response.json()
  }

  function assertAddsUp({ score, reasons }: ReasonsResult): void {
    const sum = reasons.reduce((total, { points }) => total + points, 0)
    assert.ok(Math.abs(sum - score) < 1e-9, `${sum} is not ${score}`)
  }

  describe('POST /classify-stream/reasons', () => {
    it('answers the verdict of /classify-stream', async () => {
      for (const message of [ORDER, LOTTERY]) {
        const { score, requiredScore, sentence, reasons, ...verdict } = await reasonsFor(message)
        const alone = await post(app(), '/classify-stream', message, { 'x-user-id': 'nobody-yet' })
        assert.deepEqual(verdict, alone.json())
        assert.equal(requiredScore, 5)
        assert.equal(score >= requiredScore, verdict.isSpam)
        assert.ok(reasons.length > 3)
        assert.match(sentence!, /^[A-Z][a-z ,]+(?: \d+\.\d %)?: .+\.$/)
      }
    })

    it('names signals and words, and adds up', async () => {
      const answer = await reasonsFor(LOTTERY)
      assertAddsUp(answer)
      const date = answer.reasons.find(({ name }) => name === 'DATE_MISSING')
      assert.equal(date?.description, 'There is no date.')
      const text = answer.reasons.find(({ name }) => name === 'TAMIS_TEXT')
      assert.match(text?.evidence ?? '', /^\p{L}{3,}(, \p{L}{3,}){0,2}$/u)
    })

    it('adds on request the strongest reasons in the message, with the points that they have', async () => {
      const headers = { 'x-user-id': 'fay' }
      const plain = (await post(app(), PATH, LOTTERY, headers)).json()
      const asked = await post(app(), PATH, LOTTERY, { ...headers, 'x-summary': 'true' })
      const { summary, ...rest } = asked.json()
      assert.deepEqual(rest, plain)
      assert.equal(summary.messageId, 'draw-1@prize.example.com')
      assert.equal(summary.senderDomain, 'prize.example.com')
      const signals = summary.reasons.filter(({ name }: { name: string }) => !/^TAMIS_/.test(name))
      assert.ok(signals.length > 0)
      for (const { name, points, description } of signals) {
        const found = plain.reasons.find((reason: { name: string }) => reason.name === name)
        assert.equal(description, found.description)
        assert.ok(Math.abs(points - found.points) < 1e-6, `${name}: ${points}, ${found.points}`)
      }
      assert.doesNotMatch(JSON.stringify(summary), /TAMIS_USER|evidence/)
    })
  })

  describe('POST /feedback/withdraw-stream', () => {
    it('takes back what the user said, and the rule made of it', async () => {
      const before = await reasonsFor(LOTTERY, 'carol')
      await correct('/feedback-stream', 'carol', { 'x-is-spam': before.isSpam ? 'false' : 'true' })
      assert.notEqual((await reasonsFor(LOTTERY, 'carol')).isSpam, before.isSpam)

      assert.deepEqual(await correct('/feedback/withdraw-stream', 'carol'), {
        status: 'removed',
        userId: 'carol',
      })

      assert.deepEqual(await reasonsFor(LOTTERY, 'carol'), before)
      const rules = await app().inject('/personalization/rules?userId=carol')
      assert.deepEqual(rules.json().rules, [])
    })

    it('says that there was nothing to take back, also the second time', async () => {
      await correct('/feedback-stream', 'dave', { 'x-is-spam': 'true' })
      await correct('/feedback/withdraw-stream', 'dave')
      for (const userId of ['dave', 'erin']) {
        const { status } = await correct('/feedback/withdraw-stream', userId)
        assert.equal(status, 'none')
      }
    })
  })

  const RECIPIENTS = '/classify-stream/recipients'

  function askFor(userIds: unknown, message = ORDER) {
    return post(app(), RECIPIENTS, message, { 'x-user-ids': JSON.stringify(userIds) })
  }

  async function correctOrder(userId: string, headers: Record<string, string>, path: string) {
    const response = await post(app(), path, ORDER, { 'x-user-id': userId, ...headers })
    assert.equal(response.statusCode, 200, response.body)
  }

  describe('POST /classify-stream/recipients', () => {
    it('answers for each user what /classify-stream answers for them, and what it answers for nobody', async () => {
      await correctOrder('blocks-it', { 'x-is-spam': 'true' }, '/feedback-stream')
      await correctOrder('allows-it', { 'x-is-spam': 'false' }, '/feedback-stream')
      await correctOrder('files-it', { 'x-classification': 'updates' }, '/tabs/feedback-stream')
      const userIds = ['blocks-it', 'allows-it', 'files-it', 'learned-nothing', 'blocks-it']

      const { shared, recipients } = (await askFor(userIds)).json()

      assert.deepEqual(shared, (await post(app(), '/classify-stream', ORDER)).json())
      const alone = userIds.map(async (userId) => ({
        userId,
        ...(await post(app(), '/classify-stream', ORDER, { 'x-user-id': userId })).json(),
      }))
      assert.deepEqual(recipients, await Promise.all(alone))
      assert.deepEqual(
        recipients.map((verdict: { isSpam: boolean }) => verdict.isSpam),
        [true, false, false, false, true],
      )
      assert.equal(recipients[2].classification, 'updates')
    })

    it('says in the summary when a rule of the recipient decided, and nothing where recipients differ', async () => {
      await correctOrder('blocked-it', { 'x-is-spam': 'true' }, '/feedback-stream')
      const summaryFor = async (userIds: string) =>
        (
          await post(app(), RECIPIENTS, ORDER, { 'x-user-ids': userIds, 'x-summary': 'true' })
        ).json().summary
      const { sentence, reasons } = await summaryFor('["blocked-it"]')
      assert.equal(sentence, 'Spam: decided by a rule of the recipient.')
      assert.deepEqual(reasons, [])
      assert.equal((await summaryFor('["blocked-it", "another"]')).sentence, undefined)
    })

    it('adds on request which message it is and why it was judged so, the same for all users', async () => {
      const headers = { 'x-user-ids': '["nobody-yet"]' }
      const plain = (await post(app(), RECIPIENTS, ORDER, headers)).json()
      const asked = await post(app(), RECIPIENTS, ORDER, { ...headers, 'x-summary': 'true' })
      const { summary, ...rest } = asked.json()
      assert.deepEqual(rest, plain)
      const { reasons, sentence, ...named } = summary
      assert.match(sentence, /^[A-Z][^:]+: .*\.$/)
      assert.deepEqual(named, {
        messageId: '4711@shop.example.com',
        senderDomain: 'shop.example.com',
      })
      assert.ok(reasons.length > 0 && reasons.length <= 5)
      assert.doesNotMatch(JSON.stringify(reasons), /USER|4711|shop|example/)
      for (const { points, description } of reasons) {
        assert.equal(typeof points, 'number')
        assert.match(description, /^[A-Z].*\.$/)
      }
      const without = await post(app(), RECIPIENTS, ORDER, { ...headers, 'x-summary': 'false' })
      assert.deepEqual(without.json(), plain)
      const wrong = await post(app(), RECIPIENTS, ORDER, { ...headers, 'x-summary': 'yes' })
      assert.deepEqual([wrong.statusCode, wrong.json().header], [400, 'X-Summary'])
    })

    it('takes user ids of any script, in UTF-8 or escaped', async () => {
      for (const header of ['["bjørn@example.com"]', '["bj\\u00f8rn@example.com"]']) {
        const bytes = Buffer.from(header).toString('latin1')
        const response = await post(app(), RECIPIENTS, ORDER, { 'x-user-ids': bytes })
        assert.equal(response.json().recipients[0].userId, 'bjørn@example.com')
      }
    })

    for (const [what, userIds] of [
      ['101 users', Array.from({ length: 101 }, (_, index) => `${index}`)],
      ['a user id with white space', ['two words']],
      ['a number', [4711]],
      ['an object', { a: 1 }],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const response = await askFor(userIds)
        assert.equal(response.statusCode, 400)
        assert.deepEqual(response.json(), {
          error:
            'X-User-IDs must be a JSON array of at most 100 user ids, each a text of 1 to 256 visible characters',
          code: 'HEADER_INVALID',
          header: 'X-User-IDs',
        })
      })
    }

    it('refuses what is no JSON, and a request without the header', async () => {
      const broken = await post(app(), RECIPIENTS, ORDER, { 'x-user-ids': 'a, b' })
      assert.equal(broken.json().code, 'HEADER_INVALID')
      const missing = await post(app(), RECIPIENTS, ORDER)
      assert.match(
        missing.json().error,
        /^X-User-IDs is missing; it must be a JSON array of at most 100 user ids, each a text/,
      )
    })
  })
})

describe('metadata', () => {
  /** A header as Node gives it: each byte of UTF-8 one code unit. */
  const asSent = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

  describe('X-Sender-IP', () => {
    const accepted: [sent: string, read: string | undefined][] = [
      ['192.0.2.25', '192.0.2.25'],
      ['[192.0.2.25]', '192.0.2.25'],
      ['2001:db8::1', '2001:db8::1'],
      ['IPv6:2001:db8::1', '2001:db8::1'],
      ['[IPv6:2001:DB8:0:0:0:0:0:1]', '2001:db8::1'],
      ['ipv6:2001:db8::1', '2001:db8::1'],
      ['[2001:db8::1]', '2001:db8::1'],
      ['::ffff:192.0.2.25', '192.0.2.25'],
      ['::FFFF:C000:0219', '192.0.2.25'],
      ['::1', '::1'],
      [' 192.0.2.25 ', '192.0.2.25'],
      ['', undefined],
      ['unknown', undefined],
      ['Unknown', undefined],
    ]
    for (const [sent, read] of accepted) {
      it(`reads "${sent}" as ${read ?? 'absent'}`, () => {
        assert.equal(metadataFromHeaders({ 'x-sender-ip': sent }).senderIp, read)
      })
    }

    const refused = [
      '192.0.2',
      '192.0.2.256',
      '0300.0.2.1',
      '192.0.2.25, 192.0.2.26',
      'IPv6:192.0.2.25',
      '[192.0.2.25',
      '2001:db8::1%eth0',
      '2001:db8::1/64',
      'mail.example.com',
      '<192.0.2.25>',
    ]
    for (const sent of refused) {
      it(`refuses "${sent}", naming the header`, () => {
        assert.throws(() => metadataFromHeaders({ 'x-sender-ip': sent }), {
          code: 'HEADER_INVALID',
          details: { header: 'X-Sender-IP' },
        })
      })
    }
  })

  describe('X-Sender-Email', () => {
    const accepted: [sent: string, read: string][] = [
      ['a@example.com', 'a@example.com'],
      ['<a@example.com>', 'a@example.com'],
      ['A.Person@Example.COM', 'A.Person@example.com'],
      ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"],
      ['"a person"@example.com', '"a person"@example.com'],
      ['"a\\"b@c"@example.com', '"a\\"b@c"@example.com'],
      ['""@example.com', '""@example.com'],
      ['a@localhost', 'a@localhost'],
      ['a@[192.0.2.25]', 'a@[192.0.2.25]'],
      ['a@[IPv6:2001:DB8::1]', 'a@[ipv6:2001:db8::1]'],
      ['a@[x400:c=de]', 'a@[x400:c=de]'],
      ['jürgen@müller.example', 'jürgen@müller.example'],
      ['用户@例え.jp', '用户@例え.jp'],
      [`${'a'.repeat(200)}@example.com`, `${'a'.repeat(200)}@example.com`],
      ['<>', ''],
      ['', ''],
    ]
    for (const [sent, read] of accepted) {
      it(`reads "${sent}" as "${read}"`, () => {
        assert.equal(metadataFromHeaders({ 'x-sender-email': asSent(sent) }).mailFrom, read)
      })
    }

    const refused = [
      'a',
      '@example.com',
      'a@',
      'a@b@example.com',
      'a b@example.com',
      '.a@example.com',
      'a..b@example.com',
      'a@example..com',
      'a@-example.com',
      'a@example.com.',
      'a@exam_ple.com',
      '"a@example.com',
      'a@[192.0.2.256]',
      'a@[IPv6:192.0.2.25]',
      'a@[]',
      'A Person <a@example.com>',
      '<a@example.com',
      'a@example.com, b@example.com',
      'a(comment)@example.com',
      `a@${'a'.repeat(64)}.com`,
      `a@${'example.'.repeat(80)}com`,
    ]
    for (const sent of refused) {
      it(`refuses "${sent}", naming the header`, () => {
        assert.throws(() => metadataFromHeaders({ 'x-sender-email': asSent(sent) }), {
          code: 'HEADER_INVALID',
          details: { header: 'X-Sender-Email' },
        })
      })
    }
  })

  describe('X-User-ID', () => {
    const accepted = [
      'u',
      'user-4711',
      'jürgen',
      'a@example.com',
      '用户',
      'u'.repeat(256),
      '𝕌'.repeat(256),
    ]
    for (const sent of accepted) {
      it(`takes "${sent.slice(0, 20)}" (${[...sent].length}) as it is`, () => {
        assert.equal(metadataFromHeaders({ 'x-user-id': asSent(sent) }).userId, sent)
      })
    }

    const refused = [' ', 'a b', 'a\u00a0b', 'a\u200bb', 'a\u0007b', 'a\u0085b', 'u'.repeat(257)]
    for (const sent of refused) {
      it(`refuses ${JSON.stringify(sent.slice(0, 20))} (${sent.length}), naming the header`, () => {
        assert.throws(() => metadataFromHeaders({ 'x-user-id': asSent(sent) }), {
          code: 'HEADER_INVALID',
          details: { header: 'X-User-ID' },
        })
      })
    }
  })

  describe('metadataFromHeaders', () => {
    it('takes empty X-Sender-IP and X-User-ID for none', () => {
      assert.deepEqual(metadataFromHeaders({ 'x-sender-ip': '', 'x-user-id': '' }), {})
    })

    it('gives nothing where nothing was sent', () => {
      assert.deepEqual(metadataFromHeaders({ 'content-type': 'message/rfc822' }), {})
    })

    it('refuses bytes that are not UTF-8', () => {
      assert.throws(() => metadataFromHeaders({ 'x-user-id': 'j\xfcrgen' }), {
        code: 'HEADER_INVALID',
        message: 'X-User-ID is not UTF-8',
        details: { header: 'X-User-ID' },
      })
    })

    it('does not repeat what was sent', () => {
      assert.throws(() => metadataFromHeaders({ 'x-sender-email': 'a person' }), {
        message: 'X-Sender-Email must be an email address (RFC 5321), or empty',
      })
    })
  })
})

/** What log lines and X-Tamis-Reasons say of a message. */
describe('log line', () => {
  const REASONS = [
    { name: 'TAMIS_TEXT', points: 3.14, description: 'The wording.' },
    { name: 'LINK_IP_HOST', points: 1.96, description: 'A link leads to a bare IP address.' },
    {
      name: 'DKIM_ALIGNED',
      points: -0.51,
      description: "A signature of From's domain is claimed.",
    },
  ]

  const HAM: FullResult = {
    isSpam: false,
    spamProbability: 0.12345,
    classification: 'updates',
    textSpamScore: 0.1,
    metaSpamScore: 0.1,
    confidenceMargin: 0.8,
    entropy: 0.5,
    disagreement: 0,
    shouldEscalate: false,
    bypassReason: null,
    senderAuthenticated: false,
  }

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

  describe('messageLine', () => {
    const sentence = 'Probably spam: a link leads to a bare IP address.'
    const summary = {
      messageId: 'a@example.com',
      senderDomain: 'example.com',
      sentence,
      reasons: REASONS,
    }

    it('has verdict and reasons', () => {
      assert.deepEqual(messageLine(summary, judgedAs([HAM], HAM)), {
        messageId: 'a@example.com',
        senderDomain: 'example.com',
        verdict: 'ham',
        probability: 0.1234,
        class: 'updates',
        reason: undefined,
        escalate: false,
        sentence,
        reasons: ['+3.1 TAMIS_TEXT', '+2.0 LINK_IP_HOST', '-0.5 DKIM_ALIGNED'],
      })
    })
  })
})
