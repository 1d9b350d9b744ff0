/**
 * Under overload most requests are refused, on the thread that also answers the others: time for
 * refusals is lost for verdicts. So while the queue is full a request for a verdict is refused as it
 * arrives, before routing and hooks, with the same answer that it would get later. The log has one
 * line a second for them, and not one each: thousands of lines would cost as much again.
 *
 * A connection that asks again at once, whatever Retry-After says, must wait for its next refusal.
 * Node takes one new connection between two rounds of reading from all the others: six hundred
 * connections that asked again and again kept new ones waiting for seven seconds. Refusals that wait are
 * written together: after the first, each costs half as much, since the client is awake.
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

/** Refusals in a millisecond for connections that have been refused before: at 50 us each they take a tenth of this thread. */
const REFUSALS_PER_MS_MAX = 2

/** The longest that a refusal waits, in milliseconds: a client knows within a second that it must do without a verdict. */
const WAIT_MS_MAX = 900

/** Time between two rounds of refusals that have waited, in milliseconds. */
const ROUND_MS = 20

/** A request that is refused. */
interface Refusable {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly terms: RouteTerms
  readonly refusal: TamisError
}

export function refuseEarly(
  app: FastifyInstance,
  classifier: Pick<Classifier, 'analyser' | 'metrics'>,
  access: Pick<Access, 'lets'>,
  routes: Pick<RouteTable, 'termsOf'>,
): void {
  const refused = new Refused(app)
  /** The time of the next refusal on each connection that was refused before, on the clock of `performance.now`. */
  const nextRefusal = new WeakMap<Socket, number>()
  /** The same for all of them together. */
  let nextTurn = 0
  const delayed = new Delayed(refuse)
  /** The last answer: nearly all are the same, since the queue stays as full. */
  let prepared: PreparedAnswer | undefined

  function isRefused(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', method = '', socket } = request
    const terms = routes.termsOf(method, url)
    if (terms?.queued !== true) return false
    const refusal = classifier.analyser.refusal()
    if (refusal?.code !== 'QUEUE_FULL' || !access.lets(terms, request)) return false
    const now = performance.now()
    const at = refusalTime(socket, now)
    nextRefusal.set(socket, at + REFUSAL_INTERVAL_MS)
    const refusable = { request, response, terms, refusal }
    if (at === now) refuse(refusable)
    else delayed.add(refusable, at)
    return true
  }

  /** At once for a connection that has not been refused yet. */
  function refusalTime(socket: Socket, now: number): number {
    const next = nextRefusal.get(socket)
    if (next === undefined) return now
    const turn = Math.max(now, nextTurn)
    nextTurn = Math.min(turn + 1 / REFUSALS_PER_MS_MAX, now + WAIT_MS_MAX)
    return Math.max(next, turn)
  }

  function refuse({ request, response, terms, refusal }: Refusable): void {
    const { url = '', method = '' } = request
    prepared = prepare(refusal, prepared)
    const { status, fields, json } = prepared
    discardRest(request, response)
    response.writeHead(status, fields)
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

/** An answer, ready to be written. */
interface PreparedAnswer {
  readonly refusal: TamisError
  readonly status: number
  /** Names and values of header fields in turn. */
  readonly fields: string[]
  readonly json: string
}

/** The answer for `refusal`: `last` if that says the same. */
function prepare(refusal: TamisError, last: PreparedAnswer | undefined): PreparedAnswer {
  if (
    last?.refusal.message === refusal.message &&
    last.refusal.details['queueDepth'] === refusal.details['queueDepth']
  ) {
    return last
  }
  const { status, headers, body } = errorAnswer(refusal)
  const json = JSON.stringify(body)
  const fields = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': `${Buffer.byteLength(json)}`,
  }).flat()
  return { refusal, status, fields, json }
}

/** The refusals that wait. One timer serves all of them. */
class Delayed {
  readonly #refuse: (refusable: Refusable) => void
  /** By the number of the round in which they are due. */
  readonly #rounds = new Map<number, Refusable[]>()
  #timer: NodeJS.Timeout | undefined

  constructor(refuse: (refusable: Refusable) => void) {
    this.#refuse = refuse
  }

  /** Refuses at `at`, on the clock of `performance.now`, or in the first round after it. */
  add(refusable: Refusable, at: number): void {
    const round = Math.ceil(at / ROUND_MS)
    const those = this.#rounds.get(round)
    if (those === undefined) this.#rounds.set(round, [refusable])
    else those.push(refusable)
    this.#timer ??= setInterval(() => this.#refuseDue(), ROUND_MS)
  }

  #refuseDue(): void {
    const now = performance.now() / ROUND_MS
    for (const [round, those] of this.#rounds) {
      if (round > now) continue
      this.#rounds.delete(round)
      for (const each of those) if (!each.response.destroyed) this.#refuse(each)
    }
    if (this.#rounds.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
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
