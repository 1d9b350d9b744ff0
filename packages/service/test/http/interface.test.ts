/** Every field of the interface, by name and type, and nothing else, for every stream form. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildOnce, ORDER, post } from './service.ts'

const app = buildOnce()
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
        model: (id) => typeof id === 'string',
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

function assertShape(value: object, shape: Record<string, Rule>): void {
  assert.deepEqual(Object.keys(value).toSorted(), Object.keys(shape).toSorted())
  for (const [name, field] of Object.entries(value)) {
    assert.ok(shape[name]?.(field), `${name} is ${JSON.stringify(field)}`)
  }
}
