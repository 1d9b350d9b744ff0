/**
 * The stream forms: the raw message in the body, what else is known in headers (interface §4.2,
 * §4.4, §4.6).
 */
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../access/caller.ts'
import { terms } from '../../access/route-terms.ts'
import { type Classifier, classify, OPERATIONS } from '../classification.ts'
import { acceptMessages, CONSUMES, incomingMessage } from '../message-stream.ts'
import { metadataFromHeaders } from '../metadata-headers.ts'
import { ErrorResult, MessageStream, StreamHeaders } from '../schemas.ts'

export function streamForms(app: FastifyInstance, classifier: Classifier): void {
  acceptMessages(app)
  for (const operation of OPERATIONS) {
    app.post(operation.streamForm, {
      config: terms({ ...operation.terms, queued: true }),
      schema: {
        summary: operation.summary,
        consumes: CONSUMES,
        headers: StreamHeaders,
        body: MessageStream,
        response: { 200: operation.answerSchema, '4xx': ErrorResult, '5xx': ErrorResult },
      },
      handler: (request, reply) => {
        const incoming = incomingMessage(request, reply, metadataFromHeaders(request.headers))
        return classify(classifier, operation, callerOf(request), incoming)
      },
    })
  }
}
