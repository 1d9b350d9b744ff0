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
  /** What the form needs beside the path, and the same as headers. */
  readonly fields: Readonly<Record<string, string | boolean>>
  readonly headers: Readonly<Record<string, string>>
}

const JUDGING: readonly Form[] = ['/classify', '/tabs/classify', '/classify/diagnostic'].map(
  (path) => ({ path, streamForm: `${path}-stream`, fields: {}, headers: {} }),
)

const CORRECTIONS: readonly Form[] = (
  [
    ['/feedback', { isSpam: true }, { 'x-is-spam': 'true' }],
    ['/tabs/feedback', { correctClassification: 'updates' }, { 'x-classification': 'updates' }],
    [
      '/personalization/rules/create',
      { ruleType: 'Sender', label: 'spam' },
      { 'x-rule-type': 'Sender', 'x-label': 'spam' },
    ],
    [
      '/personalization/tabs/rules/create',
      { ruleType: 'Sender', classification: 'primary' },
      { 'x-rule-type': 'Sender', 'x-classification': 'primary' },
    ],
  ] as const
).map(([path, fields, headers]) => ({
  path,
  streamForm: `${path}-stream`,
  fields: { userId: 'u', ...fields },
  headers,
}))

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

function ask(url: string, payload: object, service: FastifyInstance = app()) {
  return service.inject({ method: 'POST', url, payload })
}

async function assertRefused(url: string, payload: object, field: string): Promise<void> {
  const response = await ask(url, payload)
  const { code, field: named } = response.json()
  assert.deepEqual([response.statusCode, code, named], [400, 'FIELD_INVALID', field])
}

type Answer = Record<string, unknown>

/** Times differ from one request to the next, and a message without a Received field arrives when it is asked about. */
function withoutTimes({ elapsedMs: _, timing: __, email, ...rest }: Answer) {
  return { ...rest, email: { ...(email as object | undefined), receivedAt: '' } }
}

describe('a path form', () => {
  for (const { path, streamForm, fields } of FORMS) {
    it(`answers 501 with the stream form while it is off, whatever it is sent: ${path}`, async () => {
      for (const payload of [JSON.stringify({ path: '/etc/passwd', ...fields }), '{path', '']) {
        const headers = { 'content-type': 'application/json' }
        const response = await off().inject({ method: 'POST', url: path, headers, payload })
        assert.equal(response.statusCode, 501)
        assert.deepEqual(response.json(), {
          error: `The path forms are turned off; send the message itself to ${streamForm}`,
          code: 'PATH_FORMS_DISABLED',
          streamForm,
        })
      }
    })

    it(`names the field that is missing or unknown: ${path}`, async () => {
      const whole: Answer = { path: order, ...fields }
      for (const field of Object.keys(whole)) {
        const { [field]: _, ...rest } = whole
        await assertRefused(path, rest, field)
      }
      await assertRefused(path, { ...whole, user: 'a' }, 'user')
    })
  }

  for (const [path, ipField] of [
    ['/classify', 'ipAddress'],
    ['/tabs/classify', 'senderIp'],
    ['/classify/diagnostic', 'ipAddress'],
  ] as const) {
    it(`${path} answers what its stream form answers`, async () => {
      const senderEmail = 'orders@shop.example.com'
      const body = { path: order, [ipField]: '192.0.2.25', senderEmail, userId: 'user-4711' }
      const response = await ask(path, body)
      assert.equal(response.statusCode, 200)
      const delivery = { 'x-sender-ip': '192.0.2.25', 'x-sender-email': senderEmail }
      const streamed = await post(app(), `${path}-stream`, ORDER, delivery)
      assert.deepEqual(withoutTimes(response.json()), withoutTimes(streamed.json()))
      await assertRefused(path, { ...body, [ipField]: 'x' }, ipField)
    })
  }

  for (const { path, streamForm, fields, headers } of CORRECTIONS) {
    it(`${path} does what ${streamForm} does, and each knows of the other`, async () => {
      const userId = `user-of-${path}`
      const response = await ask(path, { path: order, ...fields, userId })
      const user = { 'x-user-id': userId }
      const again = (await post(app(), streamForm, ORDER, { ...user, ...headers })).json()
      const { id, feedbackId } = response.json()
      assert.ok(id ?? feedbackId)
      assert.deepEqual([again.id, again.feedbackId], [id, feedbackId])
    })
  }

  it('says the same of a file that is missing, outside, linked to outside or not regular', async () => {
    writeFileSync(join(outside, 'secret.eml'), ORDER)
    symlinkSync(join(outside, 'secret.eml'), join(folder, 'link.eml'))
    symlinkSync(outside, join(folder, 'linked-folder'))
    mkdirSync(join(folder, 'folder.eml'))
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
      const response = await ask('/classify', { path: file })
      assert.equal(response.statusCode, 400, file)
      assert.deepEqual(response.json(), {
        error: 'The path does not name a message that may be read',
        code: 'PATH_NOT_READABLE',
      })
    }
  })

  it('answers 413 for a file over the limit, and 400 for one that is no message, of which nothing is kept', async (t) => {
    const { app: strict } = await build(t, {
      config: { pathRoots: [folder], messageBytesMax: 1_000 },
    })
    const path = written('large.eml', 'a'.repeat(1_001))
    assert.equal((await ask('/classify', { path }, strict)).statusCode, 413)
    const empty = written('empty.eml', '')
    const userId = 'user-of-nothing'
    const response = await ask('/feedback', { path: empty, userId, isSpam: true })
    assert.deepEqual([response.statusCode, response.json().code], [400, 'NOT_A_MESSAGE'])
    const memory = await app().inject(`/personalization/memory?userId=${userId}`)
    assert.deepEqual(memory.json().items, [])
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
