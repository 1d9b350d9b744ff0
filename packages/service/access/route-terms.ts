/**
 * On what terms a route is served: who may ask, and what a request for it counts as. They stand on
 * the route itself, and whatever needs them reads them from the route that was matched: a path can
 * be spelled in many ways, and only the router knows which route a spelling is.
 */
import type { FastifyContextConfig, RouteOptions } from 'fastify'
import type { Entitlement, Scope } from './caller.ts'

export interface RouteTerms {
  /** What a key must have. `none`: everybody may ask; a key that comes along must be one all the same. */
  readonly scope: Scope | 'none'
  /** What the licence must include. */
  readonly entitlement?: Entitlement
  /** Where the key may come in the header `Password`, as Rspamd's clients send it. */
  readonly passwordHeader?: true
  /** Where requests do not count towards the limit of a key: whoever looks after the service asks often. */
  readonly rateLimited?: false
  /** Where a message waits for a worker: while the queue is full it is refused as it arrives (refuse-early.ts). */
  readonly queued?: true
  /** Where mail is judged, for those who watch (recent-work.ts). A look at why is none. */
  readonly judgesMail?: true
}

/** Where a route keeps its terms. */
const TERMS = Symbol('terms')

type Config = FastifyContextConfig & { readonly [TERMS]?: RouteTerms }

/** The `config` of a route that is served on `terms`. */
export function terms(terms: RouteTerms): FastifyContextConfig {
  const config: Config = { [TERMS]: terms }
  return config
}

/** Of the route that a request was matched with: its `routeOptions.config`. Undefined where there is no route. */
export function termsOf(config: FastifyContextConfig): RouteTerms | undefined {
  return (config as Config)[TERMS]
}

/** All routes by their paths as they are registered. Any other spelling is not in it. */
export class RouteTable {
  readonly #byPath = new Map<string, Map<string, RouteTerms>>()

  /** @throws TypeError for a route without terms, so that a service with one does not start. */
  add({ url, method, config = {} }: Pick<RouteOptions, 'url' | 'method' | 'config'>): void {
    const found = termsOf(config)
    if (found === undefined) {
      throw new TypeError(
        `The route ${[method].flat().join(', ')} ${url} is registered without terms`,
      )
    }
    const byMethod = this.#byPath.get(url) ?? new Map<string, RouteTerms>()
    this.#byPath.set(url, byMethod)
    for (const name of [method].flat()) byMethod.set(name, found)
  }

  termsOf(method: string, path: string): RouteTerms | undefined {
    return this.#byPath.get(path)?.get(method)
  }

  /** What a path takes, in order; undefined where there is none. */
  methodsOf(path: string): string[] | undefined {
    const byMethod = this.#byPath.get(path)
    return byMethod && ['OPTIONS', ...byMethod.keys()].sort()
  }
}
