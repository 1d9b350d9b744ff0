/** The path forms: announced while they are switched off, and with a folder to read from what their stream forms are. */
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { build, buildOnce, ORDER, post } from './service.ts'

interface Form {
  readonly path: string
  readonly streamForm: string
  /** The field for the address of the client; absent where a form knows nothing of the delivery. */
  readonly ipField?: string
  /** What the form needs beside the path, and the same as headers. */
  readonly fields: Readonly<Record<string, string | boolean>>
  readonly headers: Readonly<Record<string, string>>
  /** What is answered when something was made of it; absent where nothing is kept. */
  readonly status?: number
  /** Values that are not allowed, by field. */
  readonly wrong: Readonly<Record<string, unknown>>
}

const JUDGING: readonly Form[] = [
  ['/classify', 'ipAddress'] as const,
  ['/tabs/classify', 'senderIp'] as const,
  ['/classify/diagnostic', 'ipAddress'] as const,
].map(([path, ipField]) => ({
  path,
  streamForm: `${path}-stream`,
  ipField,
  fields: {},
  headers: {},
  wrong: { userId: ' ', senderEmail: 'a' },
}))

const CORRECTIONS: readonly Form[] = [
  {
    path: '/feedback',
    streamForm: '/feedback-stream',
    ipField: 'ipAddress',
    fields: { userId: 'u', isSpam: true },
    headers: { 'x-is-spam': 'true' },
    status: 200,
    wrong: { isSpam: 'maybe' },
  },
  {
    path: '/tabs/feedback',
    streamForm: '/tabs/feedback-stream',
    fields: { userId: 'u', correctClassification: 'updates' },
    headers: { 'x-classification': 'updates' },
    status: 200,
    wrong: { correctClassification: 'social' },
  },
  {
    path: '/personalization/rules/create',
    streamForm: '/personalization/rules/create-stream',
    fields: { userId: 'u', ruleType: 'Sender', label: 'spam' },
    headers: { 'x-rule-type': 'Sender', 'x-label': 'spam' },
    status: 201,
    wrong: { ruleType: 'Subject', label: 'bad' },
  },
  {
    path: '/personalization/tabs/rules/create',
    streamForm: '/personalization/tabs/rules/create-stream',
    fields: { userId: 'u', ruleType: 'Sender', classification: 'primary' },
    headers: { 'x-rule-type': 'Sender', 'x-classification': 'primary' },
    status: 201,
    wrong: { ruleType: 'Subject', classification: 'social' },
  },
]

const FORMS = [...JUDGING, ...CORRECTIONS]

const base = temporaryFolder()
const [folder, outside] = [join(base, 'mail'), join(base, 'outside')]
for (const each of [folder, outside]) mkdirSync(each)

/** Writes a file into the folder, and gives its path. */
function written(name: string, content: string): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const order = written('order.eml', ORDER)

const off = buildOnce({ config: { learning: 'off' } })
const app = buildOnce({ config: { learning: 'off', pathRoots: [folder] } })

let users = 0

/** A user for whom no other test has corrected anything. */
const newUser = () => `user-${++users}`

function ask(url: string, payload: object, service: FastifyInstance = app()) {
  return service.inject({ method: 'POST', url, payload })
}

async function assertRefused(url: string, payload: object, field: string): Promise<void> {
  const response = await ask(url, payload)
  const { code, field: named } = response.json()
  assert.deepEqual([response.statusCode, code, named], [400, 'FIELD_INVALID', field])
}

async function whatIsKept(userId: string): Promise<Answer[]> {
  const of = async (path: string) =>
    (await app().inject(`/personalization/${path}?userId=${userId}`)).json()
  const lists = [(await of('rules')).rules, (await of('tabs/rules')).rules]
  return [...lists, (await of('memory')).items].flat()
}

type Answer = Record<string, unknown>

/** Users, names given at random and times differ from one request to the next. */
function withoutNames({ userId: _, id: __, feedbackId: ___, createdAt: ____, ...rest }: Answer) {
  return rest
}

/** Times differ from one request to the next, and a message without a Received field arrives when it is asked about. */
function withoutTimes({ elapsedMs: _, timing: __, email, ...rest }: Answer) {
  return { ...rest, email: { ...(email as object | undefined), receivedAt: '' } }
}

describe('a path form', () => {
  for (const { path, streamForm, fields } of FORMS) {
    it(`answers 501 with the stream form while it is off, whatever it is sent: ${path}`, async () => {
      for (const [payload, contentType] of [
        [JSON.stringify({ path: '/etc/passwd', ...fields }), 'application/json'],
        [undefined, undefined],
        ['{path', 'application/json'],
        [ORDER, 'message/rfc822'],
        ['a', 'text/plain'],
      ]) {
        const response = await off().inject({
          method: 'POST',
          url: path,
          ...(contentType && { headers: { 'content-type': contentType } }),
          ...(payload && { payload }),
        })
        assert.equal(response.statusCode, 501)
        assert.deepEqual(response.json(), {
          error: `The path forms are turned off; send the message itself to ${streamForm}`,
          code: 'PATH_FORMS_DISABLED',
          streamForm,
        })
      }
    })
  }

  for (const { path, fields, wrong } of FORMS) {
    it(`names the field that is missing or wrong, and keeps nothing: ${path}`, async () => {
      const userId = newUser()
      const whole: Answer = { path: order, ...fields, ...(fields['userId'] && { userId }) }
      for (const field of Object.keys(whole)) {
        const { [field]: _, ...rest } = whole
        await assertRefused(path, rest, field)
      }
      const values = { path: '', userId: 'u'.repeat(257), user: 'a', ...wrong }
      for (const [field, value] of Object.entries(values)) {
        await assertRefused(path, { ...whole, [field]: value }, field)
      }
      assert.deepEqual(await whatIsKept(userId), [])
    })
  }

  for (const { path, streamForm, ipField } of JUDGING) {
    it(`${path} answers what ${streamForm} answers`, async () => {
      const senderEmail = 'orders@shop.example.com'
      const body = { path: order, [ipField!]: '192.0.2.25', senderEmail, userId: 'user-4711' }
      const response = await ask(path, body)
      assert.equal(response.statusCode, 200)
      const delivery = { 'x-sender-ip': '192.0.2.25', 'x-sender-email': senderEmail }
      const streamed = await post(app(), streamForm, ORDER, delivery)
      assert.deepEqual(withoutTimes(response.json()), withoutTimes(streamed.json()))
      const empty = await ask(path, { path: order, [ipField!]: '', userId: '' })
      assert.equal(empty.statusCode, 200)
    })
  }

  for (const { path, streamForm, fields, headers, status } of CORRECTIONS) {
    it(`${path} does what ${streamForm} does, and each knows of the other`, async () => {
      const [userId, another] = [newUser(), newUser()]
      const response = await ask(path, { path: order, ...fields, userId })
      const stream = (user: string) =>
        post(app(), streamForm, ORDER, { 'x-user-id': user, ...headers })
      const streamed = await stream(another)
      assert.deepEqual([response.statusCode, streamed.statusCode], [status, status])
      assert.equal(response.json().userId, userId)
      assert.deepEqual(withoutNames(response.json()), withoutNames(streamed.json()))
      assert.deepEqual(
        (await whatIsKept(userId)).map(withoutNames),
        (await whatIsKept(another)).map(withoutNames),
      )
      const again = await stream(userId)
      assert.equal(again.statusCode, 200)
      const name = status === 201 ? 'id' : 'feedbackId'
      assert.equal(again.json()[name], response.json()[name])
      if (status === 200) assert.equal(again.json().status, 'already_recorded')
    })
  }

  it('says the same of a file that is missing, outside, linked to outside or not regular, and keeps nothing', async () => {
    writeFileSync(join(outside, 'secret.eml'), ORDER)
    symlinkSync(join(outside, 'secret.eml'), join(folder, 'link.eml'))
    symlinkSync(outside, join(folder, 'linked-folder'))
    mkdirSync(join(folder, 'folder.eml'))
    const userId = newUser()
    for (const file of [
      join(folder, 'missing.eml'),
      join(outside, 'secret.eml'),
      `${folder}/../outside/secret.eml`,
      `${folder}-beside/a.eml`,
      join(folder, 'link.eml'),
      join(folder, 'linked-folder', 'secret.eml'),
      join(folder, 'folder.eml'),
      folder,
      '/dev/zero',
      'order.eml',
      'a\0b',
    ]) {
      for (const { path, fields } of FORMS) {
        const user = fields['userId'] && { userId }
        const response = await ask(path, { path: file, ...fields, ...user })
        assert.equal(response.statusCode, 400, file)
        assert.deepEqual(response.json(), {
          error: 'The path does not name a message that may be read',
          code: 'PATH_NOT_READABLE',
        })
      }
    }
    assert.deepEqual(await whatIsKept(userId), [])
  })

  it('answers 413 for a file over the limit, and 400 for one that is no message, of which nothing is kept', async (t) => {
    const { app: strict } = await build(t, {
      config: { pathRoots: [folder], messageBytesMax: 1_000 },
    })
    const path = written('large.eml', 'a'.repeat(1_001))
    assert.equal((await ask('/classify', { path }, strict)).statusCode, 413)
    const empty = written('empty.eml', '')
    const userId = newUser()
    for (const { path: url, fields } of FORMS) {
      const user = fields['userId'] && { userId }
      const response = await ask(url, { path: empty, ...fields, ...user })
      assert.deepEqual([response.statusCode, response.json().code], [400, 'NOT_A_MESSAGE'])
    }
    assert.deepEqual(await whatIsKept(userId), [])
  })
})

describe('a folder that is not there', () => {
  it('is refused at the start', async (t) => {
    await assert.rejects(build(t, { config: { pathRoots: ['/no/such/folder'] } }), {
      code: 'CONFIG_INVALID',
      message: /"\/no\/such\/folder"/,
    })
  })
})
