/**
 * Who asks: API keys as Bearer tokens (RFC 6750), and what each may do.
 *
 * A key is 32 random bytes; the store has its SHA-256, which for a secret of that size needs no
 * salt and no slow hash. While there is no key, everybody on this machine may do everything
 * (loopback.ts). Once there was a key, or the service listens for others, it never returns to that
 * by itself: only the operator can waive keys.
 */
import { createHash } from 'node:crypto'
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
    'catchUp' | 'isCurrent' | 'keys' | 'keysNeeded' | 'silentMs' | 'watch'
  >
  /** Those of callers without a key, while none is configured. */
  readonly entitlements: readonly Entitlement[]
  /** True if other machines can reach the service. Then nobody may enter without a key. */
  readonly keysRequired: boolean
  /** Where requests of all threads count. */
  readonly shared?: Shared
}

/** Who has which key, by the hashes of the keys. */
type Callers = ReadonlyMap<string, Caller>

interface Keys {
  readonly callers: Callers
  readonly needed: boolean
}

export class Access {
  readonly #settings: AccessSettings
  /** Undefined until they are read after a change of keys. */
  #callers: Callers | undefined
  readonly #rateLimits: RateLimits
  /** The caller of every request while there is no key. */
  readonly #anybody: Caller
  /** Keys are needed until the store has said that they are not. */
  #keysNeeded = true
  /** The last reading of the keys. */
  #reading: Promise<Keys> | undefined
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
      topic === 'keys' ? access.#reread().catch(() => {}) : undefined,
    )
    await access.#reread()
    return access
  }

  close(): void {
    this.#stopWatching()
  }

  /**
   * The caller of a request for a route on `terms`; undefined if everybody may ask and the request
   * has no key. The answer comes at once, except where the store has changes: they hold for the rest of the request too.
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
    const known = this.#known
    return known === undefined
      ? this.#reread().then((callers) => this.#callerWith(callers, token, terms))
      : this.#callerWith(known, token, terms)
  }

  #callerWith(callers: Callers, token: string, terms: RouteTerms): Caller {
    const caller = callers.get(nameOf(keyHash(token)))
    if (caller === undefined) throw unauthenticated('The key is unknown')
    if (terms.rateLimited !== false) this.#rateLimits.take(caller)
    return onTerms(terms, caller)
  }

  /** @throws TamisError ORIGIN_FORBIDDEN while there is no key, for a request that does not come from this machine. */
  refuseForeign(request: Asking): void {
    if (this.#isOpen) refuseForeign(request)
  }

  /** Undefined as well where nobody has said for long that the keys still hold: the store has to be asked. */
  get #known(): Callers | undefined {
    return this.#settings.store.silentMs() > UNHEARD_MS_MAX ? undefined : this.#callers
  }

  get #isOpen(): boolean {
    return !this.#keysNeeded && !this.#settings.keysRequired
  }

  /** Reads the keys, those of the last reading hold. While the store is not available nobody enters without one. @throws TamisError STORE_UNAVAILABLE */
  async #reread(): Promise<Callers> {
    const reading = readKeys(this.#settings.store)
    this.#reading = reading
    this.#callers = undefined
    const { callers, needed } = await reading.catch((error) => {
      if (this.#reading === reading) this.#keysNeeded = true
      throw error
    })
    if (this.#reading === reading) {
      this.#callers = callers
      this.#keysNeeded = needed
    }
    return callers
  }
}

async function readKeys(store: Pick<Store, 'keys' | 'keysNeeded'>): Promise<Keys> {
  const keys = await store.keys()
  const callers = new Map(keys.map((key) => [nameOf(key.hash), callerWith(key)]))
  return { callers, needed: await store.keysNeeded() }
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64')
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
