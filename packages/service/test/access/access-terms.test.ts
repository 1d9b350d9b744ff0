/**
 * Whom an Access lets in, and what it asks of its store: on keys in a map, that change when
 * a test says so. What a whole service answers stands in access.test.ts.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TamisError } from '../../../errors/errors.ts'
import { Access, type AccessSettings, keyHash } from '../../access/access.ts'
import type { ApiKey, NewApiKey } from '../../access/caller.ts'
import type { Asking } from '../../access/loopback.ts'
import type { RouteTerms } from '../../access/route-terms.ts'
import type { Change } from '../../store/changes.ts'

const CLASSIFY: RouteTerms = { scope: 'classify' }
const ADMIN: RouteTerms = { scope: 'admin' }
const PUBLIC: RouteTerms = { scope: 'none' }

/** Keys by their hashes, as a store has them, and a tally of what it is asked. */
class Keys {
  readonly #keys = new Map<string, ApiKey>()
  needed = true
  readings = 0
  silent = 0
  isAway = false
  #tell: (change: Change) => void = () => {}

  add(key: string, more: Partial<NewApiKey> = {}): this {
    const made = { name: key, hash: keyHash(key), createdAt: new Date(0) }
    const allowed = { scopes: ['classify'], entitlements: ['spam'] }
    this.#keys.set(key, { id: key, ...made, ...allowed, ...more })
    return this
  }

  revoke(key: string): void {
    this.#keys.delete(key)
  }

  tell(topic: Change['topic']): void {
    this.#tell({ topic, seq: 1 })
  }

  async keys(): Promise<ApiKey[]> {
    this.readings++
    if (this.isAway) throw new TamisError('STORE_UNAVAILABLE', 'The store is not available')
    return [...this.#keys.values()]
  }

  async keysNeeded(): Promise<boolean> {
    return this.needed
  }

  silentMs(): number {
    return this.silent
  }

  isCurrent(): boolean {
    return true
  }

  async catchUp(): Promise<void> {}

  watch(onChange: (change: Change) => void): () => void {
    this.#tell = onChange
    return () => {}
  }
}

function accessOn(store: AccessSettings['store'], keysRequired = false): Promise<Access> {
  return Access.open({ store, entitlements: ['spam'], keysRequired })
}

function withKey(key: string): Asking {
  return { method: 'POST', headers: { authorization: `Bearer ${key}` } }
}

const WITHOUT_KEY: Asking = { method: 'POST', headers: {} }
const FROM_ELSEWHERE: Asking = { method: 'POST', headers: { host: 'evil.example' } }

/** `in`, `anybody` where nobody had to say who they are, or the code of the refusal. */
async function told(access: Access, terms: RouteTerms, asking: Asking) {
  try {
    return (await access.callerOf(terms, asking)) === undefined ? 'anybody' : 'in'
  } catch (error) {
    return (error as { code?: string }).code
  }
}

describe('a caller without a key', () => {
  it('may do everything while none is needed, from this machine alone', async () => {
    const keys = new Keys()
    keys.needed = false
    const access = await accessOn(keys)
    assert.equal(await told(access, ADMIN, WITHOUT_KEY), 'in')
    assert.equal(await told(access, ADMIN, FROM_ELSEWHERE), 'ORIGIN_FORBIDDEN')
    const classes: RouteTerms = { scope: 'classify', entitlement: 'classification' }
    assert.equal(await told(access, classes, WITHOUT_KEY), 'NOT_ENTITLED')
  })

  it('may ask for what is for all once one is needed, wherever it comes from', async () => {
    const access = await accessOn(new Keys())
    assert.equal(await told(access, PUBLIC, FROM_ELSEWHERE), 'anybody')
    assert.equal(await told(access, CLASSIFY, WITHOUT_KEY), 'UNAUTHENTICATED')
  })

  it('may not enter where other machines reach the service', async () => {
    const keys = new Keys()
    keys.needed = false
    const access = await accessOn(keys, true)
    assert.equal(await told(access, CLASSIFY, WITHOUT_KEY), 'UNAUTHENTICATED')
  })

  it('may not enter any more once the store is away after a change', async () => {
    const keys = new Keys()
    keys.needed = false
    const access = await accessOn(keys)
    assert.equal(await told(access, CLASSIFY, WITHOUT_KEY), 'in')
    keys.isAway = true
    keys.tell('keys')
    await new Promise(setImmediate)
    assert.equal(await told(access, CLASSIFY, WITHOUT_KEY), 'UNAUTHENTICATED')
  })
})

describe('a key', () => {
  it('comes as a Bearer token, with at most 256 characters', async () => {
    const [longest, longer] = ['k'.repeat(249), 'l'.repeat(250)]
    const access = await accessOn(new Keys().add(longest).add(longer))
    const answerTo = (authorization: string) =>
      told(access, PUBLIC, { method: 'POST', headers: { authorization } })
    assert.equal(await answerTo(`Bearer ${longest}`), 'in')
    assert.equal(await answerTo(`Bearer ${longer}`), 'UNAUTHENTICATED')
    assert.equal(await answerTo('Basic d2VibWFpbDo='), 'UNAUTHENTICATED')
    assert.equal(await answerTo(''), 'UNAUTHENTICATED')
  })
})

describe('what a store is asked', () => {
  it('is its keys, until they change', async () => {
    const keys = new Keys().add('webmail')
    const access = await accessOn(keys)
    const ask = async () => [
      await told(access, CLASSIFY, withKey('webmail')),
      await told(access, CLASSIFY, withKey('later')),
    ]
    assert.deepEqual(await ask(), ['in', 'UNAUTHENTICATED'])
    keys.add('later').revoke('webmail')
    keys.tell('user')
    assert.deepEqual(await ask(), ['in', 'UNAUTHENTICATED'])
    assert.equal(keys.readings, 1)
    keys.tell('keys')
    assert.deepEqual(await ask(), ['UNAUTHENTICATED', 'in'])
  })

  it('is not asked while it is away for an hour, so that keys work on, revoked or not, and then by each request', async () => {
    const keys = new Keys().add('webmail').add('revoked')
    const access = await accessOn(keys)
    const ask = async () => [
      await told(access, CLASSIFY, withKey('webmail')),
      await told(access, CLASSIFY, withKey('revoked')),
    ]
    keys.revoke('revoked')
    keys.isAway = true
    keys.silent = 60 * 60 * 1_000
    assert.deepEqual(await ask(), ['in', 'in'])
    keys.silent++
    assert.deepEqual(await ask(), ['STORE_UNAVAILABLE', 'STORE_UNAVAILABLE'])
    keys.isAway = false
    assert.deepEqual(await ask(), ['in', 'UNAUTHENTICATED'])
  })
})
