/**
 * Under overload most requests are refused, on the thread that also answers the others: what a
 * refusal costs there is taken from verdicts. So while the queue is full a request for a verdict
 * is refused as it arrives, before routing and hooks, in the words in which it would be later.
 *
 * Only callers who would be let in: others are told so, as ever.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Authentication } from './authentication.ts'
import type { Classifier } from './classification.ts'
import { discardRest } from './discard-rest.ts'
import { errorAnswer } from './error-handler.ts'

/** @param paths of requests that wait for a worker, all of them POST */
export function refuseEarly(
  app: FastifyInstance,
  classifier: Pick<Classifier, 'analyser' | 'metrics'>,
  authentication: Pick<Authentication, 'lets'>,
  paths: ReadonlySet<string>,
): void {
  let refused = 0

  function isRefused(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '', method, headers } = request
    if (method !== 'POST' || !paths.has(url)) return false
    // Refusals come by the hundred at a time, and workers would wait until all of them are through.
    classifier.analyser.poll()
    const refusal = classifier.analyser.refusal()
    if (refusal?.code !== 'QUEUE_FULL' || !authentication.lets(url, headers)) return false
    const started = performance.now()
    const answer = errorAnswer(refusal)
    const body = JSON.stringify(answer.body)
    response.once('finish', () => {
      discardRest(request)
      const ms = performance.now() - started
      classifier.metrics.request(url, method, answer.status, ms)
      const line = { reqId: `refused-${++refused}`, route: url, method, status: answer.status }
      app.log.info({ ...line, ms: Math.round(ms) }, 'request')
    })
    response.writeHead(answer.status, {
      ...answer.headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
    return true
  }

  const handlers = app.server.listeners('request')
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) => {
    if (isRefused(request, response)) return
    for (const handler of handlers) handler(request, response)
  })
}
