/**
 * Under overload most requests are refused, on the thread that also answers the others: what a
 * refusal costs there is taken from verdicts. So while the queue is full a request for a verdict
 * is refused as it arrives, before routing and hooks, in the words in which it would be later. In
 * the log they are a line a second, and not one each: thousands of them would cost as much again.
 *
 * Only callers who would be let in: others are told so, as ever.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Authentication } from './authentication.ts'
import type { Classifier } from './classification.ts'
import { discardRest } from './discard-rest.ts'
import { errorAnswer } from './error-handler.ts'

const LOG_INTERVAL_MS = 1_000

/** @param paths of requests that wait for a worker, all of them POST */
export function refuseEarly(
  app: FastifyInstance,
  classifier: Pick<Classifier, 'analyser' | 'metrics'>,
  authentication: Pick<Authentication, 'lets'>,
  paths: ReadonlySet<string>,
): void {
  const refused = new Refused(app)

  function isRefused(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', method, headers } = request
    if (method !== 'POST' || !paths.has(url)) return false
    // Refusals come by the hundred at a time, and workers would wait until all of them are through.
    classifier.analyser.poll()
    const refusal = classifier.analyser.refusal()
    if (refusal?.code !== 'QUEUE_FULL' || !authentication.lets(url, headers)) return false
    const answer = errorAnswer(refusal)
    const body = JSON.stringify(answer.body)
    response.once('finish', () => discardRest(request))
    response.writeHead(answer.status, {
      ...answer.headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
    classifier.metrics.request(url, method, answer.status, 0)
    refused.note(url)
    return true
  }

  const handlers = app.server.listeners('request')
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    if (isRefused(request, response)) return
    for (const handler of handlers) handler(request, response)
  })
}

/** Tells the log how many were refused. */
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
