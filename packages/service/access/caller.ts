/** The caller of a request, and what its key allows. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { TamisError } from '../../errors/errors.ts'
import type { Corrector } from '../users/correction.ts'
import { storedUser } from './namespace.ts'

/** What a key can allow; `operator` is all of it. */
export const SCOPES = ['classify', 'feedback', 'admin', 'operator'] as const

export type Scope = (typeof SCOPES)[number]

/** What a licence can include. */
export const ENTITLEMENTS = ['spam', 'classification'] as const

export type Entitlement = (typeof ENTITLEMENTS)[number]

export interface Caller {
  /** The id of the key; absent while no key is configured. */
  readonly keyId?: string
  /** See namespace.ts. */
  readonly namespace?: string | undefined
  readonly scopes: ReadonlySet<Scope>
  readonly entitlements: ReadonlySet<Entitlement>
  /** Undefined where the key has no limit. */
  readonly requestsPerMinuteMax?: number | undefined
}

/** The property in which a request keeps its caller. */
const CALLER = Symbol('caller')

interface Asked extends FastifyRequest {
  [CALLER]?: Caller | undefined
}

/** Adds a property for the caller to all requests of `app`, so that they keep one shape. */
export function keepCallers(app: FastifyInstance): void {
  app.decorateRequest(CALLER, undefined)
}

export function setCaller(request: FastifyRequest, caller: Caller): void {
  ;(request as Asked)[CALLER] = caller
}

/** @throws TypeError on a route that is open to everybody. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callerIfKnown(request)
  if (caller === undefined) throw new TypeError('Nobody has been authenticated on this route')
  return caller
}

/** The caller; undefined on a route that is open to everybody, for a request without a key. */
export function callerIfKnown(request: FastifyRequest): Caller | undefined {
  return (request as Asked)[CALLER]
}

/** @throws TamisError SCOPE_MISSING */
export function requireScope({ scopes }: Caller, scope: Scope): void {
  if (!scopes.has(scope) && !scopes.has('operator')) {
    throw new TamisError('SCOPE_MISSING', `The key does not have the scope ${scope}`)
  }
}

/** The name under which the bytes of `request` are counted: its key, or its address while no key is configured. */
export function clientOf(request: FastifyRequest): string {
  return callerIfKnown(request)?.keyId ?? request.ip
}

/** True if the caller may see how the service is doing. */
export function isAdmin({ namespace, scopes }: Caller): boolean {
  return namespace === undefined && (scopes.has('admin') || scopes.has('operator'))
}

/**
 * What a route of the scope admin shows or changes is the installation's, unless it shows users of the namespace only.
 *
 * @throws TamisError SCOPE_MISSING for a key with a namespace.
 */
export function requireInstallation({ namespace }: Caller): void {
  if (namespace === undefined) return
  throw new TamisError(
    'SCOPE_MISSING',
    'This is about the whole installation, and the key has a namespace: use a key without one',
  )
}

/**
 * The user in whose name the caller corrects. With the scope `operator` a correction counts as the
 * operator's own (TAMIS_LEARNING): a key that passes on corrections of users should not have it.
 */
export function correctorOf(caller: Caller, userId: string): Corrector {
  const authority = caller.scopes.has('operator') ? 'operator' : 'user'
  return { userId: storedUser(caller, userId), authority }
}

/** @throws TamisError NOT_ENTITLED */
export function requireEntitlement(caller: Caller, entitlement: Entitlement): void {
  if (caller.entitlements.has(entitlement)) return
  const what = entitlement === 'spam' ? 'spam detection' : 'message classes'
  throw new TamisError('NOT_ENTITLED', `The licence does not include ${what}`)
}

export interface NewApiKey {
  readonly name: string
  /** Stands before the ids of the key's users (namespace.ts). */
  readonly namespace?: string
  /** The SHA-256 of the key. The key itself is not stored. */
  readonly hash: Uint8Array
  readonly scopes: readonly string[]
  readonly entitlements: readonly string[]
  readonly requestsPerMinuteMax?: number
}

export interface ApiKey extends NewApiKey {
  readonly id: string
  readonly createdAt: Date
}
