/** What the stream forms take and refuse, and every field of their answers, by name and type, and nothing else. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildOnce, ORDER, post, STREAM_FORMS } from './service.ts'

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
