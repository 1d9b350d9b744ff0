/** Keys over HTTP, on a whole service with a store of its own. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { keyHash } from '../../src/http/authentication.ts'
import { openStore } from '../../src/storage/open.ts'
import type { NewApiKey } from '../../src/storage/store.ts'
import { build, ORDER } from './service.ts'

const KEYS: Record<string, Partial<NewApiKey>> = {
  'all-of-a': { tenant: 'a', scopes: ['classify', 'feedback', 'admin'] },
  'all-of-b': { tenant: 'b', scopes: ['classify', 'feedback', 'admin'] },
  'classify-of-a': { tenant: 'a', scopes: ['classify'] },
  'classes-of-a': {
    tenant: 'a',
    scopes: ['classify', 'feedback'],
    entitlements: ['classification'],
  },
  'twice-a-minute': { tenant: 'a', scopes: ['classify'], requestsPerMinuteMax: 2 },
}

/** A service whose store has the keys above, and the time to have heard of them. */
async function serviceWithKeys(t: TestContext): Promise<FastifyInstance> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tamis-keys-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const store = await openStore({ dataDir })
  await store.addTenant('a', 'A')
  await store.addTenant('b', 'B')
  for (const [key, more] of Object.entries(KEYS)) {
    await store.addKey({
      tenant: 'a',
      name: key,
      hash: keyHash(key),
      scopes: [],
      entitlements: ['spam', 'classification'],
      ...more,
    })
  }
  await store.close()
  return (await build(t, { config: { dataDir } })).app
}

function classify(app: FastifyInstance, key: string | undefined, userId = 'user-1') {
  return app.inject({
    method: 'POST',
    url: '/classify-stream',
    headers: {
      'content-type': 'message/rfc822',
      'x-user-id': userId,
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    payload: ORDER,
  })
}

function correct(app: FastifyInstance, key: string, userId = 'user-1') {
  return app.inject({
    method: 'POST',
    url: '/feedback-stream',
    headers: {
      'content-type': 'message/rfc822',
      'x-user-id': userId,
      'x-is-spam': 'true',
      authorization: `Bearer ${key}`,
    },
    payload: ORDER,
  })
}

describe('keys', () => {
  it('are asked for once there is one', async (t) => {
    const app = await serviceWithKeys(t)
    const response = await classify(app, undefined)
    assert.equal(response.statusCode, 401)
    assert.equal(response.json().code, 'UNAUTHENTICATED')
    assert.equal(response.headers['www-authenticate'], 'Bearer')
    assert.equal((await classify(app, 'guessed')).statusCode, 401)
    assert.equal((await classify(app, 'all-of-a')).statusCode, 200)
  })

  it('are not asked for by health and readiness', async (t) => {
    const app = await serviceWithKeys(t)
    assert.equal((await app.inject('/health')).statusCode, 200)
    assert.deepEqual((await app.inject('/ready')).json(), { status: 'ready' })
  })

  it('let an administrator see what is set aside of their tenant, and nobody else', async (t) => {
    const app = await serviceWithKeys(t)
    const ready = async (key: string) =>
      (await app.inject({ url: '/ready', headers: { authorization: `Bearer ${key}` } })).json()
    assert.deepEqual(await ready('all-of-a'), {
      status: 'ready',
      setAside: { features: 0, embeddings: 0 },
      feeds: [],
    })
    assert.deepEqual(await ready('classify-of-a'), { status: 'ready' })
  })

  it('let an administrator count what their users have taught', async (t) => {
    const app = await serviceWithKeys(t)
    await correct(app, 'all-of-a')
    const stats = async (key: string) =>
      await app.inject({ url: '/stats', headers: { authorization: `Bearer ${key}` } })
    const { users, rules, corrections } = (await stats('all-of-a')).json()
    assert.deepEqual(
      { users, rules, corrections },
      { users: 1, rules: 0, corrections: { spam: 1, tabs: 0 } },
    )
    assert.equal((await stats('all-of-b')).json().users, 0)
    assert.equal((await stats('classify-of-a')).json().code, 'SCOPE_MISSING')
  })

  it('let a request for any host in', async (t) => {
    const app = await serviceWithKeys(t)
    const headers = { host: 'mail.example.com', authorization: 'Bearer all-of-a' }
    const response = await app.inject({ url: '/openapi.json', headers })
    assert.equal(response.statusCode, 200)
  })

  it('are good for their scopes alone', async (t) => {
    const app = await serviceWithKeys(t)
    const response = await correct(app, 'classify-of-a')
    assert.equal(response.statusCode, 403)
    assert.equal(response.json().code, 'SCOPE_MISSING')
  })

  it('have the entitlements they were given', async (t) => {
    const app = await serviceWithKeys(t)
    const verdict = (await classify(app, 'classes-of-a')).json()
    assert.equal(verdict.spamProbability, 0)
    assert.equal((await correct(app, 'classes-of-a')).json().code, 'NOT_ENTITLED')
  })

  it('may ask as often as they may, and are told when to come again', async (t) => {
    const app = await serviceWithKeys(t)
    assert.equal((await classify(app, 'twice-a-minute')).statusCode, 200)
    assert.equal((await classify(app, 'twice-a-minute')).statusCode, 200)
    const response = await classify(app, 'twice-a-minute')
    assert.equal(response.statusCode, 429)
    assert.equal(response.json().code, 'RATE_LIMITED')
    assert.ok(Number(response.headers['retry-after']) >= 1)
  })
})

describe('tenants', () => {
  it('have users of their own, though they have the same names', async (t) => {
    const app = await serviceWithKeys(t)
    await correct(app, 'all-of-a')
    assert.equal((await classify(app, 'all-of-a')).json().bypassReason, 'user_rule')
    assert.equal((await classify(app, 'all-of-b')).json().bypassReason, null)
  })

  it('neither see, change nor remove what is not theirs', async (t) => {
    const app = await serviceWithKeys(t)
    const { feedbackId } = (await correct(app, 'all-of-a')).json()
    const asB = { authorization: 'Bearer all-of-b' }
    const list = await app.inject({ url: '/personalization/rules?userId=user-1', headers: asB })
    assert.deepEqual(list.json(), { userId: 'user-1', rules: [] })
    const memory = await app.inject({ url: '/personalization/memory?userId=user-1', headers: asB })
    assert.deepEqual(memory.json().items, [])
    const undo = { method: 'DELETE', url: `/feedback/${feedbackId}`, headers: asB } as const
    assert.equal((await app.inject(undo)).statusCode, 404)
    const data = { method: 'DELETE', url: '/personalization/data', headers: asB } as const
    const forgotten = await app.inject({ ...data, payload: { userId: 'user-1' } })
    assert.deepEqual(forgotten.json().deleted, { rules: 0, memory: 0, feedback: 0 })
    assert.equal((await classify(app, 'all-of-a')).json().bypassReason, 'user_rule')
  })

  it('do not see the jobs of others', async (t) => {
    const app = await serviceWithKeys(t)
    const forget = (key: string) =>
      app.inject({
        method: 'DELETE',
        url: '/personalization/data',
        headers: { authorization: `Bearer ${key}` },
        payload: { userId: 'user-1' },
      })
    const { jobId } = (await forget('all-of-a')).json()
    const jobAs = (key: string) =>
      app.inject({ url: `/jobs/${jobId}`, headers: { authorization: `Bearer ${key}` } })
    assert.equal((await jobAs('all-of-a')).statusCode, 200)
    assert.equal((await jobAs('all-of-b')).statusCode, 404)
  })
})
