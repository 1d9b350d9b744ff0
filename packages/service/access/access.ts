/**
 * Who asks: API keys as Bearer tokens (RFC 6750), and what each may do.
 *
 * A key is 32 random bytes; the store has its SHA-256, which for a secret of that size needs no
 * salt and no slow hash. While there is no key, whoever is on this machine may do everything
 * (loopback.ts). Once there was a key, or the service listens for others, it never falls back to that
 * by itself: the operator waives keys, or nobody.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { TamisError } from '../../mail/errors.ts'
import type { Store } from '../store/store.ts'
import { type ApiKey, DEFAULT_TENANT } from './api-key.ts'
import {
  type Caller,
  ENTITLEMENTS,
  type Entitlement,
  requireEntitlement,
  SCOPES,
} from './caller.ts'
import { type Asking, refuseForeign } from './loopback.ts'
import { RateLimits } from './rate-limits.ts'
import type { RouteTerms } from './route-terms.ts'

/**
 * Keys that are remembered, and as many guesses, so that the same does not reach the store again.
 * Guesses push out guesses alone: whoever sends many has nobody's key looked up anew.
 */
const REMEMBERED_MAX = 10_000

/** Longest Authorization header that is looked at; a key has 49 characters. */
const TOKEN_LENGTH_MAX = 256

export interface AccessSettings {
  readonly store: Pick<Store, 'keyByHash' | 'keysNeeded' | 'watch'>
  /** Of callers without a key, while none is configured. */
  readonly entitlements: readonly Entitlement[]
  /** True where other machines reach the service: then nobody is let in without a key. */
  readonly keysRequired: boolean
}

export class Access {
  readonly #settings: AccessSettings
  /** By their hashes. */
  readonly #known = new Map<string, ApiKey>()
  /** Hashes of what is no key. */
  readonly #guessed = new Set<string>()
  readonly #rateLimits = new RateLimits()
  /** Whoever asks while there is no key. */
  readonly #anybody: Caller
  /** Until the store has said that they are not. */
  #keysNeeded = true
  /** How often keys have changed. */
  #changes = 0
  #stopWatching: () => void = () => {}

  private constructor(settings: AccessSettings) {
    this.#settings = settings
    this.#anybody = {
      tenant: DEFAULT_TENANT,
      scopes: new Set(SCOPES),
      entitlements: new Set(settings.entitlements),
    }
  }

  static async open(settings: AccessSettings): Promise<Access> {
    const access = new Access(settings)
    // First, so that no change is missed between the two.
    access.#stopWatching = await settings.store.watch(({ topic }) => {
      if (topic === 'keys') void access.#reread()
    })
    await access.#readKeysNeeded()
    return access
  }

  close(): void {
    this.#stopWatching()
  }

  /**
   * The caller of a request for a route on `terms`; undefined where everybody may ask, and one
   * without a key has. At once, but for a key that the store has to be asked about.
   *
   * @throws TamisError UNAUTHENTICATED, SCOPE_MISSING, NOT_ENTITLED, RATE_LIMITED,
   *   ORIGIN_FORBIDDEN, STORE_UNAVAILABLE.
   */
  callerOf(terms: RouteTerms, request: Asking): Caller | undefined | Promise<Caller> {
    this.refuseForeign(request)
    if (this.#isOpen) return onTerms(terms, this.#anybody)
    const token = tokenOf(terms, request.headers)
    if (token === undefined) return withoutKey(terms)
    const hash = keyHash(token)
    const name = hash.toString('base64')
    const known = this.#known.get(name)
    return known !== undefined || this.#guessed.has(name)
      ? this.#callerWith(known, hash, terms)
      : this.#lookUp(name, hash).then((key) => this.#callerWith(key, hash, terms))
  }

  #callerWith(key: ApiKey | undefined, hash: Buffer, terms: RouteTerms): Caller {
    if (key === undefined || !timingSafeEqual(key.hash, hash))
      throw unauthenticated('The key is unknown')
    if (terms.rateLimited !== false) this.#rateLimits.take(key)
    return onTerms(terms, callerWith(key))
  }

  /** Whether `callerOf` would let this caller in, as far as that is known without asking the store. */
  lets(terms: RouteTerms, request: Asking): boolean {
    try {
      this.refuseForeign(request)
      if (this.#isOpen) return onTerms(terms, this.#anybody) !== undefined
      const token = tokenOf(terms, request.headers)
      const key = token && this.#known.get(keyHash(token).toString('base64'))
      return key ? onTerms(terms, callerWith(key)) !== undefined : false
    } catch {
      return false
    }
  }

  /** @throws TamisError ORIGIN_FORBIDDEN while there is no key, for a request that is not this machine's. */
  refuseForeign(request: Asking): void {
    if (this.#isOpen) refuseForeign(request)
  }

  get #isOpen(): boolean {
    return !this.#keysNeeded && !this.#settings.keysRequired
  }

  async #lookUp(name: string, hash: Buffer): Promise<ApiKey | undefined> {
    const asked = this.#changes
    const key = await this.#settings.store.keyByHash(hash)
    // An answer from before a change may be of a key that is revoked by now.
    if (asked !== this.#changes) return await this.#settings.store.keyByHash(hash)
    if (key === undefined) makeRoom(this.#guessed).add(name)
    else makeRoom(this.#known).set(name, key)
    return key
  }

  /** Another process, or a command, has added, revoked or waived keys. */
  async #reread(): Promise<void> {
    this.#changes++
    this.#known.clear()
    this.#guessed.clear()
    try {
      await this.#readKeysNeeded()
    } catch {
      // The store is away: nobody enters without a key.
      this.#keysNeeded = true
    }
  }

  async #readKeysNeeded(): Promise<void> {
    const asked = this.#changes
    const needed = await this.#settings.store.keysNeeded()
    // Of several answers the one to the last change counts, in whatever order they come.
    if (asked === this.#changes) this.#keysNeeded = needed
  }
}

/** `remembered`, without the oldest where it is full. */
function makeRoom<Remembered extends Map<string, unknown> | Set<string>>(
  remembered: Remembered,
): Remembered {
  const [oldest] = remembered.keys()
  if (oldest !== undefined && remembered.size >= REMEMBERED_MAX) remembered.delete(oldest)
  return remembered
}

/** SHA-256 of a key, as the store has it. */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The key that a request brings; undefined where it brings none. @throws TamisError UNAUTHENTICATED */
function tokenOf({ passwordHeader }: RouteTerms, headers: IncomingHttpHeaders): string | undefined {
  const { authorization, password } = headers
  if (authorization === undefined) {
    return passwordHeader && typeof password === 'string' ? password : undefined
  }
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization.slice(0, TOKEN_LENGTH_MAX))?.[1]
  if (token === undefined) throw unauthenticated('The Authorization header is not a Bearer token')
  return token
}

/** @throws TamisError UNAUTHENTICATED */
function withoutKey({ scope }: RouteTerms): undefined {
  if (scope === 'none') return undefined
  throw unauthenticated('This request needs an API key: Authorization: Bearer …')
}

function unauthenticated(message: string): TamisError {
  return new TamisError('UNAUTHENTICATED', message)
}

function callerWith(key: ApiKey): Caller {
  return {
    keyId: key.id,
    tenant: key.tenant,
    scopes: new Set(SCOPES.filter((scope) => key.scopes.includes(scope))),
    entitlements: new Set(ENTITLEMENTS.filter((name) => key.entitlements.includes(name))),
  }
}

/** `caller`, who may ask. @throws TamisError SCOPE_MISSING, NOT_ENTITLED */
function onTerms({ scope, entitlement }: RouteTerms, caller: Caller): Caller {
  if (scope !== 'none' && !caller.scopes.has(scope) && !caller.scopes.has('operator')) {
    throw new TamisError('SCOPE_MISSING', `The key does not have the scope ${scope}`)
  }
  if (entitlement !== undefined) requireEntitlement(caller, entitlement)
  return caller
}
