/**
 * Who asks: API keys as Bearer tokens (RFC 6750), and what each may do.
 *
 * A key is 32 random bytes; the store has its SHA-256, which for a secret of that size needs no
 * salt and no slow hash. While there is no key, whoever is on this machine may do everything
 * (loopback.ts); once a service listens for others it never falls back to that.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { TamisError } from '../errors.ts'
import type { ApiKey, Store } from '../storage/store.ts'
import { type Caller, ENTITLEMENTS, type Entitlement, SCOPES, type Scope } from './caller.ts'
import { refuseForeign } from './loopback.ts'
import { RateLimits } from './rate-limits.ts'

/** Answered to everybody, with nothing in them that is anybody's unless a key says who asks. */
const OPEN_PATHS = new Set(['/health', '/ready', '/docs', '/', '/icon.svg', '/ping'])

/** The console's scripts, styles and pictures. */
const OPEN_PREFIX = '/assets/'

/** The scope that a path needs, by its beginning; `classify` where none fits. */
const SCOPE_BY_PREFIX: readonly (readonly [prefix: string, scope: Scope])[] = [
  ['/feedback', 'feedback'],
  ['/tabs/feedback', 'feedback'],
  ['/personalization', 'feedback'],
  ['/jobs', 'feedback'],
  ['/models', 'admin'],
  ['/stats', 'admin'],
  ['/metrics', 'admin'],
  ['/learnspam', 'feedback'],
  ['/learnham', 'feedback'],
]

/** Rspamd's endpoints, whose clients give a password in a header of its own. */
const PASSWORD_PATHS = new Set(['/checkv2', '/learnspam', '/learnham'])

/** Keys looked up that are remembered, unknown ones included, so that guesses do not reach the store one by one. */
const REMEMBERED_MAX = 10_000

/** Longest Authorization header that is looked at; a key has 49 characters. */
const TOKEN_LENGTH_MAX = 256

export interface AuthenticationSettings {
  readonly store: Pick<Store, 'keyByHash' | 'hasKeys' | 'watch'>
  /** Of callers without a key, while none is configured. */
  readonly entitlements: readonly Entitlement[]
  /** True where other machines reach the service: then nobody is let in without a key. */
  readonly keysRequired: boolean
}

export class Authentication {
  readonly #settings: AuthenticationSettings
  readonly #keys = new Map<string, ApiKey | undefined>()
  readonly #rateLimits = new RateLimits()
  /** Whoever asks while there is no key. */
  readonly #anybody: Caller
  #hasKeys: boolean
  /** How often keys have changed. */
  #changes = 0
  #stopWatching: () => void = () => {}

  private constructor(settings: AuthenticationSettings, hasKeys: boolean) {
    this.#settings = settings
    this.#hasKeys = hasKeys
    this.#anybody = {
      tenant: 'default',
      scopes: new Set(SCOPES),
      entitlements: new Set(settings.entitlements),
    }
  }

  static async open(settings: AuthenticationSettings): Promise<Authentication> {
    const { store } = settings
    const authentication = new Authentication(settings, await store.hasKeys())
    authentication.#stopWatching = await store.watch(({ topic }) => {
      if (topic === 'keys') void authentication.#reread()
    })
    return authentication
  }

  close(): void {
    this.#stopWatching()
  }

  /**
   * The caller of a request for `path`; undefined where everybody may ask, and one without a key has.
   * At once, but for a key that the store has to be asked about.
   *
   * @throws TamisError UNAUTHENTICATED, SCOPE_MISSING, RATE_LIMITED, ORIGIN_FORBIDDEN,
   *   STORE_UNAVAILABLE.
   */
  callerOf(path: string, headers: IncomingHttpHeaders): Caller | undefined | Promise<Caller> {
    this.refuseForeign(headers)
    if (this.#isOpen) return this.#anybody
    if (isOpenPath(path) && headers.authorization === undefined) return undefined
    const hash = keyHash(tokenOf(path, headers))
    const name = hash.toString('base64')
    return this.#keys.has(name)
      ? this.#callerWith(this.#keys.get(name), hash, path)
      : this.#lookUp(name, hash).then((key) => this.#callerWith(key, hash, path))
  }

  #callerWith(key: ApiKey | undefined, hash: Buffer, path: string): Caller {
    if (key === undefined || !timingSafeEqual(key.hash, hash))
      throw unauthenticated('The key is not known')
    this.#rateLimits.take(key)
    const caller = callerWith(key)
    if (!isOpenPath(path)) requireScope(caller, path)
    return caller
  }

  /** Whether `callerOf` would let this caller in, as far as that is known without asking the store. */
  lets(path: string, headers: IncomingHttpHeaders): boolean {
    try {
      this.refuseForeign(headers)
      if (this.#isOpen) return true
      const key = this.#keys.get(keyHash(bearerToken(headers.authorization)).toString('base64'))
      if (key === undefined) return false
      requireScope(callerWith(key), path)
      return true
    } catch {
      return false
    }
  }

  /** @throws TamisError ORIGIN_FORBIDDEN while there is no key, for a request that is not this machine's. */
  refuseForeign(headers: IncomingHttpHeaders): void {
    if (this.#isOpen) refuseForeign(headers)
  }

  get #isOpen(): boolean {
    return !this.#hasKeys && !this.#settings.keysRequired
  }

  async #lookUp(name: string, hash: Buffer): Promise<ApiKey | undefined> {
    const asked = this.#changes
    const key = await this.#settings.store.keyByHash(hash)
    // An answer from before a change may be of a key that is revoked by now.
    if (asked !== this.#changes) return await this.#settings.store.keyByHash(hash)
    if (this.#keys.size >= REMEMBERED_MAX) this.#keys.clear()
    this.#keys.set(name, key)
    return key
  }

  /** Another process, or a command, has added or revoked a key. */
  async #reread(): Promise<void> {
    this.#changes++
    this.#keys.clear()
    try {
      this.#hasKeys = await this.#settings.store.hasKeys()
    } catch {
      // The store is away: until it is back, nobody enters without a key.
      this.#hasKeys = true
    }
  }
}

function isOpenPath(path: string): boolean {
  return OPEN_PATHS.has(path) || path.startsWith(OPEN_PREFIX)
}

/** SHA-256 of a key, as the store has it. */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function tokenOf(path: string, headers: IncomingHttpHeaders): string {
  const { authorization, password } = headers
  if (authorization === undefined && typeof password === 'string' && PASSWORD_PATHS.has(path)) {
    return password
  }
  return bearerToken(authorization)
}

function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined)
    throw unauthenticated('An API key is needed: Authorization: Bearer …')
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization.slice(0, TOKEN_LENGTH_MAX))?.[1]
  if (token === undefined) throw unauthenticated('The Authorization header is no Bearer token')
  return token
}

function unauthenticated(message: string): TamisError {
  return new TamisError('UNAUTHENTICATED', message)
}

function callerWith(key: ApiKey): Caller {
  return {
    tenant: key.tenant,
    scopes: new Set(SCOPES.filter((scope) => key.scopes.includes(scope))),
    entitlements: new Set(ENTITLEMENTS.filter((name) => key.entitlements.includes(name))),
  }
}

/** The scope that a key needs for `path`, unless it has `operator`. */
export function scopeOf(path: string): Scope {
  return SCOPE_BY_PREFIX.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'classify'
}

function requireScope({ scopes }: Caller, path: string): void {
  const needed = scopeOf(path)
  if (scopes.has(needed) || scopes.has('operator')) return
  throw new TamisError('SCOPE_MISSING', `The key lacks the scope ${needed}`)
}
