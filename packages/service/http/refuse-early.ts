/**
 * Under overload most requests are refused, on the thread that also answers the others: time for
 * refusals is lost for verdicts. So while the queue is full a request for a verdict is refused as it
 * arrives, before routing and hooks, with the same answer that it would get later. The log has one
 * line a second for them, and not one each: thousands of lines would cost as much again.
 *
 * A connection has its first refusal at once. Then it takes turns with the others (connection-turns.ts).
 *
 * It runs before the request listener of the server that Fastify has made.
 *
 * It only refuses callers who would be let in: others get their usual answer. It only refuses paths
 * that are spelled like their routes: other spellings go to the router.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { TamisError } from '../../errors/errors.ts'
import type { Access } from '../access/access.ts'
import type { RouteTable } from '../access/route-terms.ts'
import type { Classifier } from './classifier.ts'
import { discardRest } from './discard-rest.ts'
import { errorAnswer } from './error-handler.ts'
import { requestFault } from './request-fault.ts'

const LOG_INTERVAL_MS = 1_000

export function refuseEarly(
  app: FastifyInstance,
  classifier: Pick<Classifier, 'turns' | 'metrics'>,
  access: Pick<Access, 'lets'>,
  routes: Pick<RouteTable, 'termsOf'>,
): void {
  const refused = new Refused(app)
  const { turns } = classifier
  /** The last answer: nearly all are the same, since the queue stays as full. */
  let prepared: PreparedAnswer | undefined
  let isEnding = false

  /** Whether the request has its answer. */
  function refuse(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', method = '', socket } = request
    const terms = routes.termsOf(method, url)
    if (terms?.queued !== true) return false
    turns.asks(socket)
    const refusal = turns.refusal(Number(request.headers['content-length'] ?? 0))
    const isRefused =
      refusal?.code === 'QUEUE_FULL' && !requestFault(request) && access.lets(terms, request)
    // It came in one read with a request that was refused, and so might thousands.
    const isPipelined = turns.rests(socket)
    if (isRefused || turns.areTaken) turns.restAfter(request, response)
    if (!isRefused) return false
    prepared = prepare(refusal, prepared)
    const { status, fields, json } = prepared
    discardRest(request, response)
    const isLast = isPipelined || isEnding
    response.writeHead(status, isLast ? [...fields, 'connection', 'close'] : fields)
    response.end(json)
    classifier.metrics.request({ route: url, method, status, ms: 0 })
    refused.note(url)
    return true
  }

  app.addHook('preClose', async () => {
    isEnding = true
    turns.end()
    // What has come on them meanwhile is read, and answered, before they are closed: in the second turn from here.
    await nextTurn()
    await nextTurn()
  })
  const handlers = app.server.listeners('request')
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    if (refuse(request, response)) return
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
