/**
 * The terms on which a route is served: who may ask, and what a request for it counts as. They are
 * part of the route itself, and are read from the route that was matched: a path can be spelled in
 * many ways, and only the router knows which route a spelling belongs to.
 */
import type { FastifyContextConfig, RouteOptions } from 'fastify'
import type { Entitlement, Scope } from './caller.ts'

export interface RouteTerms {
  /** The scope that a key must have. `none`: everybody may ask, but a key that is sent must be valid. */
  readonly scope: Scope | 'none'
  /** What the licence must include. */
  readonly entitlement?: Entitlement
  /** True on a route of the scope `admin` that keys with a namespace may use too: it shows their users only. */
  readonly ofNamespace?: true
  /** True if the key may also come in the header `Password`, as Rspamd's clients send it. */
  readonly passwordHeader?: true
  /** True if requests do not count towards the limit of a key: monitoring asks often. */
  readonly rateLimited?: false
}

/** The property in which a route keeps its terms. */
const TERMS = Symbol('terms')

type Config = FastifyContextConfig & { readonly [TERMS]?: RouteTerms }

/** The `config` of a route that is served on `terms`. */
export function terms(terms: RouteTerms): FastifyContextConfig {
  const config: Config = { [TERMS]: terms }
  return config
}

/** The terms of the route that a request was matched with: its `routeOptions.config`. Undefined if there is no route. */
export function termsOf(config: FastifyContextConfig): RouteTerms | undefined {
  return (config as Config)[TERMS]
}

/** The methods of each path as registered. Other spellings of a path are not in it. */
export class RouteTable {
  readonly #methods = new Map<string, string[]>()

  /** @throws TypeError for a route without terms, so that a service with one does not start. */
  add({ url, method, config = {} }: Pick<RouteOptions, 'url' | 'method' | 'config'>): void {
    const methods = [method].flat()
    if (termsOf(config) === undefined) {
      throw new TypeError(`The route ${methods.join(', ')} ${url} is registered without terms`)
    }
    this.#methods.set(url, [...(this.#methods.get(url) ?? ['OPTIONS']), ...methods])
  }

  /** The methods of a path, in order; undefined if there is no such path. */
  methodsOf(path: string): string[] | undefined {
    return this.#methods.get(path)?.toSorted()
  }
}
