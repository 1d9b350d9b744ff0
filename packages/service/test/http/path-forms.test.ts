import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { answersThatPathFormsAreOff } from './path-forms-off.ts'
import { build, buildOnce, ORDER, post, type TestService } from './service.ts'

const app = buildOnce()

/** A folder and a service that may read from it, for tests that put no more there than a message. */
const sharedFolder = realpathSync(mkdtempSync(join(tmpdir(), 'tamis-paths-')))
after(() => rm(sharedFolder, { recursive: true }))
const reader = buildOnce({ config: { pathRoots: [sharedFolder] } })
const order = join(sharedFolder, 'order.eml')
writeFileSync(order, ORDER)

const FORMS = [
  { path: '/classify', streamForm: '/classify-stream', ipField: 'ipAddress' },
  { path: '/tabs/classify', streamForm: '/tabs/classify-stream', ipField: 'senderIp' },
  { path: '/classify/diagnostic', streamForm: '/classify/diagnostic-stream', ipField: 'ipAddress' },
]

describe('path forms, switched off', () => {
  for (const { path, streamForm } of FORMS) {
    answersThatPathFormsAreOff(app, { path, streamForm, inOrder: { path: '/etc/passwd' } })
  }
})

describe('path forms, with a folder to read from', () => {
  for (const { path, streamForm, ipField } of FORMS) {
    it(`${path} answers what ${streamForm} answers`, async () => {
      const response = await ask(reader(), path, {
        path: order,
        [ipField]: '192.0.2.25',
        senderEmail: 'orders@shop.example.com',
        userId: 'user-4711',
      })
      assert.equal(response.statusCode, 200)
      const streamed = await post(reader(), streamForm, ORDER, {
        'x-sender-ip': '192.0.2.25',
        'x-sender-email': 'orders@shop.example.com',
      })
      assert.deepEqual(withoutTimes(response.json()), withoutTimes(streamed.json()))
    })

    it(`${path} takes an empty user and address for none`, async () => {
      const body = { path: order, [ipField]: '', userId: '' }
      assert.equal((await ask(reader(), path, body)).statusCode, 200)
    })

    it(`${path} knows the address by the name ${ipField} only`, async () => {
      const otherName = ipField === 'ipAddress' ? 'senderIp' : 'ipAddress'
      const unknown = await ask(reader(), path, {
        path: order,
        [otherName]: '192.0.2.25',
      })
      assert.equal(unknown.statusCode, 400)
      assert.equal(unknown.json().field, otherName)
      const malformed = await ask(reader(), path, {
        path: order,
        [ipField]: '192.0.2.256',
      })
      assert.equal(malformed.statusCode, 400)
      assert.deepEqual(malformed.json(), {
        error: `${ipField} must be an IPv4 or IPv6 address`,
        code: 'FIELD_INVALID',
        field: ipField,
      })
    })
  }

  for (const [name, body, field] of [
    ['no path', {}, 'path'],
    ['an empty path', { path: '' }, 'path'],
    ['a path that is no text', { path: 1 }, 'path'],
    ['a user that is no text', { path: '/a', userId: 1 }, 'userId'],
    ['a blank user', { path: '/a', userId: ' ' }, 'userId'],
    ['an address that is none', { path: '/a', senderEmail: 'a' }, 'senderEmail'],
    ['a field that does not exist', { path: '/a', user: 'a' }, 'user'],
  ] as const) {
    it(`answers 400 for ${name}, naming the field`, async () => {
      const response = await ask(reader(), '/classify', body)
      assert.equal(response.statusCode, 400)
      assert.equal(response.json().code, 'FIELD_INVALID')
      assert.equal(response.json().field, field)
    })
  }

  for (const [name, payload] of [
    ['what is not JSON', '{path'],
    ['a list', '[]'],
    ['nothing', ''],
    ['a prototype', '{"__proto__":{"path":"/a"}}'],
  ] as const) {
    it(`answers 400 for ${name}`, async () => {
      const headers = { 'content-type': 'application/json' }
      const response = await reader().inject({ method: 'POST', url: '/classify', headers, payload })
      assert.equal(response.statusCode, 400)
      assert.equal(response.json().code, 'FIELD_INVALID')
    })
  }

  it('answers 415 for another Content-Type', async () => {
    assert.equal((await post(reader(), '/classify', ORDER)).statusCode, 415)
  })

  it('answers the same for a file that is missing, outside, linked to outside, or not regular', async (t) => {
    const { app, folder, outside } = await buildWithFolder(t)
    await writeFile(join(outside, 'secret.eml'), ORDER)
    await symlink(join(outside, 'secret.eml'), join(folder, 'link.eml'))
    await symlink(outside, join(folder, 'linked-folder'))
    await mkdir(join(folder, 'folder.eml'))
    for (const path of [
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
      const response = await ask(app, '/classify', { path })
      assert.equal(response.statusCode, 400, path)
      assert.deepEqual(response.json(), {
        error: 'The path does not name a message that may be read',
        code: 'PATH_NOT_READABLE',
      })
    }
  })

  it('reads a link that stays in the folder', async (t) => {
    const { app, folder } = await buildWithFolder(t)
    await writeFile(join(folder, 'order.eml'), ORDER)
    await symlink(join(folder, 'order.eml'), join(folder, 'link.eml'))
    const response = await ask(app, '/classify', { path: join(folder, 'link.eml') })
    assert.equal(response.statusCode, 200)
  })

  it('answers 413 for a file over the limit and 400 for one that is no message', async (t) => {
    const { app, folder } = await buildWithFolder(t, { messageBytesMax: 1_000 })
    await writeFile(join(folder, 'large.eml'), 'a'.repeat(1_001))
    await writeFile(join(folder, 'empty.eml'), '')
    const large = await ask(app, '/classify', { path: join(folder, 'large.eml') })
    assert.equal(large.statusCode, 413)
    const empty = await ask(app, '/classify', { path: join(folder, 'empty.eml') })
    assert.equal(empty.statusCode, 400)
    assert.equal(empty.json().code, 'NOT_A_MESSAGE')
  })

  it('does not start with a folder that is not there', async (t) => {
    await assert.rejects(build(t, { config: { pathRoots: ['/no/such/folder'] } }), {
      code: 'CONFIG_INVALID',
      message: /"\/no\/such\/folder"/,
    })
  })
})

async function buildWithFolder(
  t: TestContext,
  config: { messageBytesMax?: number } = {},
): Promise<TestService & { folder: string; outside: string }> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'tamis-paths-')))
  t.after(() => rm(base, { recursive: true }))
  const [folder, outside] = [join(base, 'mail'), join(base, 'outside')]
  await Promise.all([mkdir(folder), mkdir(outside)])
  return { ...(await build(t, { config: { pathRoots: [folder], ...config } })), folder, outside }
}

function ask(app: FastifyInstance, url: string, body: object) {
  return app.inject({ method: 'POST', url, payload: body })
}

/** Times differ from one request to the next. */
/** A message without a Received field arrives when it is asked about. */
function withoutTimes(answer: Record<string, unknown>): Record<string, unknown> {
  const { elapsedMs: _elapsed, timing: _timing, email, ...rest } = answer
  return { ...rest, email: { ...(email as object | undefined), receivedAt: '' } }
}
