/** A verdict with its reasons; beyond the interface, for mail flow. */
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../access/caller.ts'
import { terms } from '../../access/route-terms.ts'
import { type Classifier, classifyWithReasons } from '../classification.ts'
import { acceptMessages, CONSUMES, incomingMessage } from '../message-stream.ts'
import { metadataFromHeaders } from '../metadata-headers.ts'
import { ErrorResult, MessageStream, ReasonsResult, StreamHeaders } from '../schemas.ts'

export function reasonsRoute(app: FastifyInstance, classifier: Classifier): void {
  acceptMessages(app)
  app.post('/classify-stream/reasons', {
    config: terms({ scope: 'classify', queued: true, judgesMail: true }),
    schema: {
      summary: 'Full classification, with a score and the reasons that add up to it',
      consumes: CONSUMES,
      headers: StreamHeaders,
      body: MessageStream,
      response: { 200: ReasonsResult, '4xx': ErrorResult, '5xx': ErrorResult },
    },
    handler: async (request, reply) => {
      const incoming = incomingMessage(request, reply, metadataFromHeaders(request.headers))
      return (await classifyWithReasons(classifier, callerOf(request), incoming)).answer
    },
  })
}
