/** The path forms of corrections and of rules: announced while switched off, complete when there is a folder. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { answersThatPathFormsAreOff } from './path-forms-off.ts'
import { buildOnce, ORDER, post } from './service.ts'

interface Form {
  readonly path: string
  readonly streamForm: string
  /** What the form takes beside path and user, and the same as headers. */
  readonly fields: Readonly<Record<string, string | boolean>>
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
  /** Values that are not allowed, by field. */
  readonly wrong: Readonly<Record<string, unknown>>
  /** Whether it takes the addresses of the delivery (interface §4.8). */
  readonly takesDelivery: boolean
}

const FORMS: readonly Form[] = [
  {
    path: '/feedback',
    streamForm: '/feedback-stream',
    fields: { isSpam: true },
    headers: { 'x-is-spam': 'true' },
    status: 200,
    wrong: { isSpam: 'maybe' },
    takesDelivery: true,
  },
  {
    path: '/tabs/feedback',
    streamForm: '/tabs/feedback-stream',
    fields: { correctClassification: 'updates' },
    headers: { 'x-classification': 'updates' },
    status: 200,
    wrong: { correctClassification: 'social' },
    takesDelivery: false,
  },
  {
    path: '/personalization/rules/create',
    streamForm: '/personalization/rules/create-stream',
    fields: { ruleType: 'Sender', label: 'spam' },
    headers: { 'x-rule-type': 'Sender', 'x-label': 'spam' },
    status: 201,
    wrong: { ruleType: 'Subject', label: 'bad' },
    takesDelivery: false,
  },
  {
    path: '/personalization/tabs/rules/create',
    streamForm: '/personalization/tabs/rules/create-stream',
    fields: { ruleType: 'Sender', classification: 'primary' },
    headers: { 'x-rule-type': 'Sender', 'x-classification': 'primary' },
    status: 201,
    wrong: { ruleType: 'Subject', classification: 'social' },
    takesDelivery: false,
  },
]

let users = 0

/** A user for whom no other test has corrected anything. */
const newUser = () => `user-${++users}`

function ask(app: FastifyInstance, url: string, payload: object) {
  return app.inject({ method: 'POST', url, payload })
}

describe('path forms of corrections, switched off', () => {
  const app = buildOnce({ config: { learning: 'off' } })

  for (const { path, streamForm, fields } of FORMS) {
    const inOrder = { path: '/etc/passwd', userId: 'u', ...fields }
    answersThatPathFormsAreOff(app, { path, streamForm, inOrder })
  }
})

describe('path forms of corrections, with a folder to read from', () => {
  // The service is told of the folder when the tests are declared, before any hook runs.
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tamis-paths-')))
  const [folder, outside] = [join(base, 'mail'), join(base, 'outside')]
  const order = join(folder, 'order.eml')
  mkdirSync(folder)
  mkdirSync(outside)
  writeFileSync(order, ORDER)
  after(() => rmSync(base, { recursive: true }))

  const app = buildOnce({ config: { learning: 'off', pathRoots: [folder] } })

  async function whatIsKept(userId: string): Promise<Answer[]> {
    const [rules, classRules, memory] = await Promise.all([
      app().inject(`/personalization/rules?userId=${userId}`),
      app().inject(`/personalization/tabs/rules?userId=${userId}`),
      app().inject(`/personalization/memory?userId=${userId}`),
    ])
    return [...rules.json().rules, ...classRules.json().rules, ...memory.json().items]
  }

  for (const { path, streamForm, fields, headers, status, wrong, takesDelivery } of FORMS) {
    it(`${path} does what ${streamForm} does`, async () => {
      const [userId, another] = [newUser(), newUser()]
      const response = await ask(app(), path, { path: order, userId, ...fields })
      const streamed = await post(app(), streamForm, ORDER, { 'x-user-id': another, ...headers })
      assert.equal(response.statusCode, status)
      assert.equal(streamed.statusCode, status)
      assert.equal(response.json().userId, userId)
      assert.deepEqual(withoutNames(response.json()), withoutNames(streamed.json()))
      assert.deepEqual(
        (await whatIsKept(userId)).map(withoutNames),
        (await whatIsKept(another)).map(withoutNames),
      )
      const verdictFor = (user: string) =>
        post(app(), '/classify-stream', ORDER, { 'x-user-id': user })
      assert.equal((await verdictFor(userId)).body, (await verdictFor(another)).body)
    })

    it(`${path} and ${streamForm} know of each other`, async () => {
      const userId = newUser()
      const first = await ask(app(), path, { path: order, userId, ...fields })
      const again = await post(app(), streamForm, ORDER, { 'x-user-id': userId, ...headers })
      assert.equal(again.statusCode, 200)
      const name = status === 201 ? 'id' : 'feedbackId'
      assert.equal(again.json()[name], first.json()[name])
      if (status === 200) assert.equal(again.json().status, 'already_recorded')
    })

    it(`${path} names the field that is missing, and keeps nothing`, async () => {
      const userId = newUser()
      const whole: Record<string, unknown> = { path: order, userId, ...fields }
      for (const field of Object.keys(whole)) {
        const { [field]: _, ...rest } = whole
        const response = await ask(app(), path, rest)
        assert.equal(response.statusCode, 400, field)
        assert.equal(response.json().code, 'FIELD_INVALID')
        assert.equal(response.json().field, field)
      }
      assert.deepEqual(await whatIsKept(userId), [])
    })

    it(`${path} names the field that is wrong, and keeps nothing`, async () => {
      const userId = newUser()
      const values = { ...wrong, path: '', userId: 'u'.repeat(257), unknown: 'a' }
      for (const [field, value] of Object.entries(values)) {
        const response = await ask(app(), path, { path: order, userId, ...fields, [field]: value })
        assert.equal(response.statusCode, 400, field)
        assert.equal(response.json().code, 'FIELD_INVALID')
        assert.equal(response.json().field, field)
      }
      assert.deepEqual(await whatIsKept(userId), [])
    })

    it(`${path} says the same of a file that is missing, outside, linked to outside or a folder`, async () => {
      const userId = newUser()
      const [secret, link] = [join(outside, 'secret.eml'), join(folder, `${userId}.eml`)]
      writeFileSync(secret, ORDER)
      symlinkSync(secret, link)
      for (const file of [
        join(folder, 'missing.eml'),
        secret,
        link,
        folder,
        '/dev/zero',
        'a.eml',
      ]) {
        const response = await ask(app(), path, { path: file, userId, ...fields })
        assert.equal(response.statusCode, 400, file)
        assert.deepEqual(response.json(), {
          error: 'The path does not name a message that may be read',
          code: 'PATH_NOT_READABLE',
        })
      }
      assert.deepEqual(await whatIsKept(userId), [])
    })

    it(`${path} answers 400 for a file that is no message, and keeps nothing`, async () => {
      const userId = newUser()
      writeFileSync(join(folder, 'empty.eml'), '')
      const file = join(folder, 'empty.eml')
      const response = await ask(app(), path, { path: file, userId, ...fields })
      assert.equal(response.statusCode, 400)
      assert.equal(response.json().code, 'NOT_A_MESSAGE')
      assert.deepEqual(await whatIsKept(userId), [])
    })

    it(`${path} ${takesDelivery ? 'takes' : 'does not know'} the addresses of the delivery`, async () => {
      const delivery = { ipAddress: '192.0.2.25', senderEmail: 'bounce@shop.example.com' }
      const body = { path: order, userId: newUser(), ...fields }
      const response = await ask(app(), path, { ...body, ...delivery })
      assert.equal(response.statusCode, takesDelivery ? 200 : 400)
      const malformed = await ask(app(), path, { ...body, ipAddress: '192.0.2.256' })
      assert.equal(malformed.statusCode, 400)
      assert.equal(malformed.json().field, 'ipAddress')
    })
  }

  it('/tabs/feedback takes a class back with automatic', async () => {
    const userId = newUser()
    const body = { path: order, userId }
    await ask(app(), '/tabs/feedback', { ...body, correctClassification: 'updates' })
    const response = await ask(app(), '/tabs/feedback', {
      ...body,
      correctClassification: 'automatic',
    })
    assert.equal(response.json().status, 'reset')
    assert.deepEqual(await whatIsKept(userId), [])
  })

  it('/personalization/rules/create refuses a List rule for a message without a list', async () => {
    const response = await ask(app(), '/personalization/rules/create', {
      path: order,
      userId: newUser(),
      ruleType: 'List',
      label: 'spam',
    })
    assert.equal(response.statusCode, 400)
    assert.equal(response.json().code, 'FIELD_INVALID')
  })
})

/** Users, names given at random and times differ from one request to the next. */
function withoutNames({ userId: _, id: __, feedbackId: ___, createdAt: ____, ...rest }: Answer) {
  return rest
}

type Answer = Record<string, unknown>
