/**
 * Who asks: API keys as Bearer tokens (RFC 6750), and what each may do.
 *
 * A key is 32 random bytes; the store has its SHA-256, which for a secret of that size needs no
 * salt and no slow hash. While there is no key, everybody on this machine may do everything
 * (loopback.ts). Once there was a key, or the service listens for others, it never returns to that
 * by itself: only the operator can waive keys.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { TamisError } from '../../errors/errors.ts'
import type { Store } from '../store/store.ts'
import type { Shared } from '../threads/shared.ts'
import {
  type ApiKey,
  type Caller,
  ENTITLEMENTS,
  type Entitlement,
  requireEntitlement,
  requireInstallation,
  requireScope,
  SCOPES,
} from './caller.ts'
import { type Asking, refuseForeign } from './loopback.ts'
import { RateLimits } from './rate-limits.ts'
import type { RouteTerms } from './route-terms.ts'

/**
 * The number of keys that are remembered, and of wrong keys, so that the store is not asked about the
 * same one again. Wrong keys only push out wrong keys: a client that sends many of them cannot make
 * the service look up a real key again.
 */
const REMEMBERED_MAX = 10_000

/**
 * How long a key goes on working while the store cannot be asked whether it was revoked, in milliseconds. Mail is to be
 * judged while a database is down, and an hour is enough to restart it or to take another. Nothing can be read from the
 * store or written to it meanwhile: a revoked key can have messages judged, and see what this process counts and shows.
 */
const UNHEARD_MS_MAX = 60 * 60 * 1_000

/** The longest Authorization header that is read, in characters; a key has 49. */
const TOKEN_LENGTH_MAX = 256

export interface AccessSettings {
  readonly store: Pick<
    Store,
    'catchUp' | 'isCurrent' | 'keyByHash' | 'keysNeeded' | 'silentMs' | 'watch'
  >
  /** Those of callers without a key, while none is configured. */
  readonly entitlements: readonly Entitlement[]
  /** True if other machines can reach the service. Then nobody may enter without a key. */
  readonly keysRequired: boolean
  /** Where requests of all threads count. */
  readonly shared?: Shared
}

export class Access {
  readonly #settings: AccessSettings
  /** The known keys by their hashes. */
  readonly #known = new Map<string, ApiKey>()
  /** The hashes of wrong keys. */
  readonly #guessed = new Set<string>()
  readonly #rateLimits: RateLimits
  /** The caller of every request while there is no key. */
  readonly #anybody: Caller
  /** Keys are needed until the store has said that they are not. */
  #keysNeeded = true
  /** Counts the changes of keys. */
  #changes = 0
  #stopWatching: () => void = () => {}

  private constructor(settings: AccessSettings, rateLimits: RateLimits) {
    this.#settings = settings
    this.#rateLimits = rateLimits
    this.#anybody = {
      scopes: new Set(SCOPES),
      entitlements: new Set(settings.entitlements),
    }
  }

  static async open(settings: AccessSettings): Promise<Access> {
    const access = new Access(settings, await RateLimits.open(settings.shared))
    // This comes first, so that no change between the two is missed.
    access.#stopWatching = settings.store.watch(({ topic }) =>
      topic === 'keys' ? access.#reread() : undefined,
    )
    await access.#readKeysNeeded()
    return access
  }

  close(): void {
    this.#stopWatching()
  }

  /**
   * The caller of a request for a route on `terms`; undefined if everybody may ask and the request
   * has no key. The answer comes at once, except for a key that only the store can know, and where the store has changes: they
   * hold for the rest of the request too.
   *
   * @throws TamisError UNAUTHENTICATED, SCOPE_MISSING, NOT_ENTITLED, RATE_LIMITED,
   *   ORIGIN_FORBIDDEN, STORE_UNAVAILABLE.
   */
  callerOf(terms: RouteTerms, request: Asking): Caller | undefined | Promise<Caller | undefined> {
    const { store } = this.#settings
    return store.isCurrent()
      ? this.#callerOf(terms, request)
      : store.catchUp().then(() => this.#callerOf(terms, request))
  }

  #callerOf(terms: RouteTerms, request: Asking): Caller | undefined | Promise<Caller> {
    this.refuseForeign(request)
    if (this.#isOpen) return onTerms(terms, this.#anybody)
    const token = tokenOf(terms, request.headers)
    if (token === undefined) return withoutKey(terms)
    const hash = keyHash(token)
    const name = hash.toString('base64')
    const known = this.#knownKey(name)
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
      const key = token && this.#knownKey(keyHash(token).toString('base64'))
      return key ? onTerms(terms, callerWith(key)) !== undefined : false
    } catch {
      return false
    }
  }

  /** @throws TamisError ORIGIN_FORBIDDEN while there is no key, for a request that does not come from this machine. */
  refuseForeign(request: Asking): void {
    if (this.#isOpen) refuseForeign(request)
  }

  /** Undefined as well where nobody has said for long that the key still holds: the store has to be asked. */
  #knownKey(name: string): ApiKey | undefined {
    return this.#settings.store.silentMs() > UNHEARD_MS_MAX ? undefined : this.#known.get(name)
  }

  get #isOpen(): boolean {
    return !this.#keysNeeded && !this.#settings.keysRequired
  }

  async #lookUp(name: string, hash: Buffer): Promise<ApiKey | undefined> {
    const asked = this.#changes
    const key = await this.#settings.store.keyByHash(hash)
    // The key may have been revoked after the store gave this answer.
    if (asked !== this.#changes) return await this.#settings.store.keyByHash(hash)
    if (key === undefined) makeRoom(this.#guessed).add(name)
    else makeRoom(this.#known).set(name, key)
    return key
  }

  /** Another thread or replica, or a command, has added, revoked or waived keys. */
  async #reread(): Promise<void> {
    this.#changes++
    this.#known.clear()
    this.#guessed.clear()
    try {
      await this.#readKeysNeeded()
    } catch {
      // The store is not available: nobody enters without a key.
      this.#keysNeeded = true
    }
  }

  async #readKeysNeeded(): Promise<void> {
    const asked = this.#changes
    const needed = await this.#settings.store.keysNeeded()
    // Answers may come in any order. Only the answer to the last change counts.
    if (asked === this.#changes) this.#keysNeeded = needed
  }
}

/** `remembered`, without its oldest entry if it is full. */
function makeRoom<Remembered extends Map<string, unknown> | Set<string>>(
  remembered: Remembered,
): Remembered {
  const [oldest] = remembered.keys()
  if (oldest !== undefined && remembered.size >= REMEMBERED_MAX) remembered.delete(oldest)
  return remembered
}

/** The SHA-256 of a key, as the store has it. */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The key in a request; undefined if there is none. @throws TamisError UNAUTHENTICATED */
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
    namespace: key.namespace,
    scopes: new Set(SCOPES.filter((scope) => key.scopes.includes(scope))),
    entitlements: new Set(ENTITLEMENTS.filter((name) => key.entitlements.includes(name))),
    requestsPerMinuteMax: key.requestsPerMinuteMax,
  }
}

/** Returns `caller` if they may ask. @throws TamisError SCOPE_MISSING, NOT_ENTITLED */
function onTerms({ scope, entitlement, ofNamespace }: RouteTerms, caller: Caller): Caller {
  if (scope !== 'none') requireScope(caller, scope)
  if (scope === 'admin' && !ofNamespace) requireInstallation(caller)
  if (entitlement !== undefined) requireEntitlement(caller, entitlement)
  return caller
}
