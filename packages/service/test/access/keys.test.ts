/** Keys over HTTP, on a whole service with a store of its own. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { Access, type AccessSettings } from '../../access/access.ts'
import type { Caller } from '../../access/caller.ts'
import type { Store } from '../../store/store.ts'
import { addKey, addKeys, bearer, type KeyTerms } from '../helpers/keys.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { buildOnce, ORDER, open } from '../http/service.ts'

const KEYS: Record<string, KeyTerms> = {
  'all-of-a': { namespace: 'a', scopes: ['classify', 'feedback', 'admin'] },
  'all-of-b': { namespace: 'b', scopes: ['classify', 'feedback', 'admin'] },
  admin: { scopes: ['admin'] },
  'admin-of-a': { namespace: 'a', scopes: ['admin'] },
  'classify-of-a': { namespace: 'a', scopes: ['classify'] },
  'classes-of-a': {
    namespace: 'a',
    scopes: ['classify', 'feedback'],
    entitlements: ['classification'],
  },
  'twice-a-minute': { namespace: 'a', scopes: ['classify'], requestsPerMinuteMax: 2 },
}

/** For tests that leave no correction behind. */
const sharedDataDir = temporaryFolder()
await addKeys({ dataDir: sharedDataDir }, KEYS)
const shared = buildOnce({ config: { dataDir: sharedDataDir } })

function classify(app: FastifyInstance, key: string | undefined, userId = 'user-1') {
  return app.inject({
    method: 'POST',
    url: '/classify-stream',
    headers: {
      'content-type': 'message/rfc822',
      'x-user-id': userId,
      ...(key !== undefined && bearer(key)),
    },
    payload: ORDER,
  })
}

describe('keys', () => {
  it('are asked for once there is one', async () => {
    const app = shared()
    const response = await classify(app, undefined)
    assert.equal(response.statusCode, 401)
    assert.equal(response.json().code, 'UNAUTHENTICATED')
    assert.equal(response.headers['www-authenticate'], 'Bearer')
    assert.equal((await classify(app, 'guessed')).statusCode, 401)
    assert.equal((await classify(app, 'all-of-a')).statusCode, 200)
  })

  it('let the administrator of the installation see what is set aside, and nobody else', async () => {
    const app = shared()
    const ready = async (key: string) =>
      (await app.inject({ url: '/ready', headers: bearer(key) })).json()
    assert.deepEqual(await ready('admin'), {
      status: 'ready',
      setAside: { features: 0, embeddings: 0 },
      feeds: [],
      senders: { dns: false },
    })
    for (const key of ['classify-of-a', 'admin-of-a']) {
      assert.deepEqual(await ready(key), { status: 'ready' })
    }
  })

  it('teach with whom a user writes only with the scope for that, however they tell it', async () => {
    const outgoing = (key: string) =>
      shared().inject({
        method: 'POST',
        url: '/classify-stream',
        headers: {
          'content-type': 'message/rfc822',
          'x-user-id': 'user-2',
          'x-direction': 'outgoing',
          ...bearer(key),
        },
        payload:
          'From: ann@example.com\r\nTo: bob@example.net\r\nSubject: Boat\r\n\r\nOn Sunday?\r\n',
      })
    const refused = await outgoing('classify-of-a')
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'SCOPE_MISSING'])
    const noSpam = await outgoing('classes-of-a')
    assert.deepEqual([noSpam.statusCode, noSpam.json().code], [403, 'NOT_ENTITLED'])
    assert.equal((await outgoing('all-of-b')).statusCode, 200)
  })

  it('may ask as often as they may, and are told when to come again', async () => {
    const app = shared()
    assert.equal((await classify(app, 'twice-a-minute')).statusCode, 200)
    assert.equal((await classify(app, 'twice-a-minute')).statusCode, 200)
    const response = await classify(app, 'twice-a-minute')
    assert.equal(response.statusCode, 429)
    assert.equal(response.json().code, 'RATE_LIMITED')
    assert.ok(Number(response.headers['retry-after']) >= 1)
    // A probe is not told to wait, or whoever sends it takes the service for dead.
    const headers = bearer('twice-a-minute')
    assert.equal((await app.inject({ url: '/health', headers })).statusCode, 200)
  })
})

/** Every process hears of a change within 2 s (docs/security.md); the rest is for a busy machine. */
const HEARD_MS = 10_000

const CLASSIFY = { scope: 'classify' } as const

/** A store of its own on `dataDir`, as another process has it. */
async function storeOf(t: TestContext, dataDir: string): Promise<Store> {
  const store = await openStoreHere({ dataDir })
  t.after(() => store.close())
  return store
}

async function accessOn(t: TestContext, store: AccessSettings['store']): Promise<Access> {
  const entitlements = ['spam', 'classification'] as const
  const access = await Access.open({ store, entitlements, keysRequired: false })
  t.after(() => access.close())
  return access
}

const add = (store: Store, key: string) => addKey(store, key, { scopes: ['classify'] })

async function ask(access: Access, key?: string): Promise<Caller | undefined> {
  const headers = key === undefined ? {} : bearer(key)
  return await access.callerOf(CLASSIFY, { method: 'POST', headers })
}

async function isLetIn(access: Access, key?: string): Promise<boolean> {
  try {
    await ask(access, key)
    return true
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'UNAUTHENTICATED')
    return false
  }
}

/** Waits until all of `replicas` let `key` in, or all refuse it. */
async function until(expected: boolean, replicas: readonly Access[], key?: string): Promise<void> {
  await eventually(
    async () => {
      const answers = await Promise.all(replicas.map((each) => isLetIn(each, key)))
      return answers.every((answer) => answer === expected)
    },
    `They do not all ${expected ? 'let it in' : 'refuse it'}`,
    HEARD_MS,
  )
}

describe('a service that has had keys', () => {
  it('asks for one though all are revoked, until the operator waives them', async (t) => {
    const dataDir = temporaryFolder()
    const stores = [await storeOf(t, dataDir), await storeOf(t, dataDir)] as const
    const [own] = stores
    const both = await Promise.all(stores.map((each) => accessOn(t, each)))
    await until(true, both)
    const id = await add(own, 'webmail')
    await until(false, both)
    await until(true, both, 'webmail')
    await own.revokeKey(id)
    await until(false, both, 'webmail')
    // Both have asked by then whether keys are needed, and the store answers in order.
    await Promise.all(stores.map((each) => each.keysNeeded()))
    assert.deepEqual(await Promise.all(both.map((each) => isLetIn(each))), [false, false])
    const restarted = await accessOn(t, await storeOf(t, dataDir))
    assert.equal(await isLetIn(restarted), false)
    await own.waiveKeys()
    await until(true, [...both, restarted])
    await add(own, 'next')
    await until(false, [...both, restarted])
  })
})

describe('the key of TAMIS_API_KEY_FILE', () => {
  it('does not come back by a restart once it is revoked, and the error says so', async (t) => {
    const dataDir = temporaryFolder()
    const apiKeyFile = join(dataDir, 'key')
    await writeFile(apiKeyFile, `${'k'.repeat(40)}\n`)
    const config = { dataDir, apiKeyFile }
    const first = await open({ config })
    const store = await storeOf(t, dataDir)
    const [key] = await store.keys()
    await store.revokeKey(key!.id)
    await first.close()
    await assert.rejects(open({ config }), {
      code: 'CONFIG_INVALID',
      message: `TAMIS_API_KEY_FILE is "${apiKeyFile}", but its key has been revoked; put another key into the file`,
    })
    await store.waiveKeys()
    const second = await open({ config })
    await second.close()
    assert.equal((await store.keys()).length, 1)
  })
})
