/**
 * Under overload most requests are refused, on the thread that also answers the others: time for
 * refusals is lost for verdicts. So while the queue is full a request for a verdict is refused as it
 * arrives, before routing and hooks, with the same answer that it would get later. The log has one
 * line a second for them, and not one each: thousands of lines would cost as much again.
 *
 * A connection that asks again at once, whatever Retry-After says, must wait for its next refusal.
 * Node takes one new connection between two rounds of reading from all the others: six hundred
 * connections that asked again and again kept new ones waiting for seven seconds.
 *
 * It runs before the request listener of the server that Fastify has made. Fastify's own way would be
 * a server factory, but with one it listens on one address of localhost only (fastify 5.12.8,
 * lib/server.js, multipleBindings). At the second address the queue refuses requests, later.
 *
 * It only refuses callers who would be let in: others get their usual answer. It only refuses paths
 * that are spelled like their routes: other spellings go to the router.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { TamisError } from '../../mail/errors.ts'
import type { Access } from '../access/access.ts'
import type { RouteTable, RouteTerms } from '../access/route-terms.ts'
import type { Classifier } from './classifier.ts'
import { discardRest } from './discard-rest.ts'
import { errorAnswer } from './error-handler.ts'

const LOG_INTERVAL_MS = 1_000

/** The shortest time between two refusals on one connection, in milliseconds. A mail server that keeps sending on one connection can wait as long. */
const REFUSAL_INTERVAL_MS = 250

/** Refusals in a millisecond for connections that ask again at once: at 60 us each they take a quarter of this thread, however many connections there are. */
const REFUSALS_PER_MS_MAX = 4

/** The requests that are refused. */
interface Refusable {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly terms: RouteTerms
}

export function refuseEarly(
  app: FastifyInstance,
  classifier: Pick<Classifier, 'analyser' | 'metrics'>,
  access: Pick<Access, 'lets'>,
  routes: Pick<RouteTable, 'termsOf'>,
): void {
  const refused = new Refused(app)
  /** The time of the next refusal on each connection, on the clock of `performance.now`. */
  const nextRefusal = new WeakMap<Socket, number>()
  /** The refusals that wait. */
  let delayed = 0

  /** How long the answer must wait, in milliseconds. */
  function waitMs(socket: Socket): number {
    const now = performance.now()
    const at = Math.max(now, nextRefusal.get(socket) ?? 0)
    nextRefusal.set(socket, at + Math.max(REFUSAL_INTERVAL_MS, delayed / REFUSALS_PER_MS_MAX))
    return at - now
  }

  function isRefused(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', method = '' } = request
    const terms = routes.termsOf(method, url)
    if (terms?.queued !== true) return false
    const refusal = classifier.analyser.refusal()
    if (refusal?.code !== 'QUEUE_FULL' || !access.lets(terms, request)) return false
    const ms = waitMs(request.socket)
    if (ms === 0) refuse({ request, response, terms }, refusal)
    else {
      const timer = setTimeout(() => refuse({ request, response, terms }, refusal), ms)
      delayed++
      response.once('close', () => {
        clearTimeout(timer)
        delayed--
      })
    }
    return true
  }

  function refuse({ request, response, terms }: Refusable, refusal: TamisError): void {
    const { url = '', method = '' } = request
    const { status, headers, body } = errorAnswer(refusal)
    const json = JSON.stringify(body)
    response.once('finish', () => discardRest(request))
    response.writeHead(status, {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(json),
    })
    response.end(json)
    classifier.metrics.request({ route: url, terms, method, status, ms: 0 })
    refused.note(url)
  }

  const handlers = app.server.listeners('request')
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    if (isRefused(request, response)) return
    for (const handler of handlers) handler(request, response)
  })
}

/** Writes the number of refusals to the log. */
class Refused {
  readonly #log: FastifyInstance['log']
  readonly #counts = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor({ log }: FastifyInstance) {
    this.#log = log
  }

  note(route: string): void {
    this.#counts.set(route, (this.#counts.get(route) ?? 0) + 1)
    this.#timer ??= setTimeout(() => this.#tell(), LOG_INTERVAL_MS).unref()
  }

  #tell(): void {
    this.#timer = undefined
    for (const [route, requests] of this.#counts) {
      this.#log.info({ route, method: 'POST', status: 503, requests }, 'requests refused')
    }
    this.#counts.clear()
  }
}
