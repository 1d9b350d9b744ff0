/** Who asks, once that is known: a tenant, and what its key allows. */
import type { FastifyRequest } from 'fastify'
import { TamisError } from '../errors.ts'

/** What a key can be good for; `operator` also stands for all tenants. */
export const SCOPES = ['classify', 'feedback', 'admin', 'operator'] as const

export type Scope = (typeof SCOPES)[number]

/** What a licence can include. */
export const ENTITLEMENTS = ['spam', 'classification'] as const

export type Entitlement = (typeof ENTITLEMENTS)[number]

export interface Caller {
  readonly tenant: string
  readonly scopes: ReadonlySet<Scope>
  readonly entitlements: ReadonlySet<Entitlement>
}

const callers = new WeakMap<FastifyRequest, Caller>()

export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller)
}

/** @throws TypeError on a route that is open to everybody. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request)
  if (caller === undefined) throw new TypeError('Nobody has been authenticated on this route')
  return caller
}

/** Undefined on a route that is open to everybody, for a request without a key. */
export function callerIfKnown(request: FastifyRequest): Caller | undefined {
  return callers.get(request)
}

/** Whether the caller may see how their tenant's service is doing. */
export function isAdmin({ scopes }: Caller): boolean {
  return scopes.has('admin') || scopes.has('operator')
}

/** @throws TamisError NOT_ENTITLED */
export function requireEntitlement(caller: Caller, entitlement: Entitlement): void {
  if (caller.entitlements.has(entitlement)) return
  const what = entitlement === 'spam' ? 'spam detection' : 'message classes'
  throw new TamisError('NOT_ENTITLED', `The licence does not include ${what}`)
}
