/** One message, several recipients; beyond the interface, for mail servers. */
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../access/caller.ts'
import { terms } from '../../access/route-terms.ts'
import { type Classifier, classifyForRecipients } from '../classification.ts'
import { acceptMessages, CONSUMES, incomingMessage } from '../message-stream.ts'
import { metadataFromHeaders, userIdsFromHeader } from '../metadata-headers.ts'
import { ErrorResult, MessageStream, RecipientsHeaders, RecipientsResult } from '../schemas.ts'

export function recipientsRoute(app: FastifyInstance, classifier: Classifier): void {
  acceptMessages(app)
  app.post('/classify-stream/recipients', {
    config: terms({ scope: 'classify', queued: true, judgesMail: true }),
    schema: {
      summary: 'Full classification of one message for each of several recipients',
      consumes: CONSUMES,
      headers: RecipientsHeaders,
      body: MessageStream,
      response: { 200: RecipientsResult, '4xx': ErrorResult, '5xx': ErrorResult },
    },
    handler: (request, reply) => {
      const userIds = userIdsFromHeader(request.headers)
      const incoming = incomingMessage(request, reply, metadataFromHeaders(request.headers))
      return classifyForRecipients(classifier, callerOf(request), incoming, userIds)
    },
  })
}
