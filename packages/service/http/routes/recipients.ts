/** The route for one message with several recipients, for mail servers. It is not in the interface. */
import { Type } from 'typebox'
import { callerOf } from '../../access/caller.ts'
import { storedUser } from '../../access/namespace.ts'
import { classifyForRecipients } from '../classification.ts'
import { incomingMessage } from '../message-stream.ts'
import { flagFromHeader, metadataFromHeaders, userIdsFromHeader } from '../metadata-headers.ts'
import { EXAMPLE_SENDER, USER_ID, VERDICT } from '../openapi/examples.ts'
import { RecipientsResult } from '../results.ts'
import { ok, operation } from '../route.ts'
import { QUEUE_ID_FIELD, SENDER_HEADER_FIELDS, SUMMARY_FIELD, Text } from '../schemas.ts'

const RecipientsHeaders = Type.Object(
  {
    ...SENDER_HEADER_FIELDS,
    ...QUEUE_ID_FIELD,
    ...SUMMARY_FIELD,
    'X-User-IDs': Text('JSON array of at most 100 recipients, each of 1 to 256 visible characters'),
  },
  { title: 'RecipientsDelivery', description: 'Several recipients of one message' },
)

/** A verdict that a rule of the user made, for the example. */
const BLOCKED = {
  isSpam: true,
  spamProbability: 1,
  confidenceMargin: 0.0543,
  entropy: 0,
  bypassReason: 'user_rule',
}

export const RECIPIENTS = [
  operation({
    method: 'POST',
    path: '/classify-stream/recipients',
    scope: 'classify',
    queued: true,
    operationId: 'classifyStreamRecipients',
    tag: 'Classify',
    summary: 'Full classification of one message for each of several recipients',
    description:
      'For mail servers that have one message for all recipients of a transaction. The message is analysed once and decided for each of up to 100 users. This is an extension of the interface.',
    headers: RecipientsHeaders,
    body: 'message',
    example: { headers: { ...EXAMPLE_SENDER, 'X-User-IDs': '["user-4711", "user-4712"]' } },
    answers: ok('The verdicts', RecipientsResult, {
      shared: VERDICT,
      recipients: [
        { userId: USER_ID, ...VERDICT },
        { userId: 'user-4712', ...VERDICT, ...BLOCKED },
      ],
    }),
    handler: async (request, { classifier }, reply) => {
      const withSummary = flagFromHeader(request.headers, 'X-Summary')
      const caller = callerOf(request)
      const userIds = userIdsFromHeader(request.headers).map((id) => storedUser(caller, id))
      const incoming = incomingMessage(request, reply, metadataFromHeaders(request.headers))
      const asked = await classifyForRecipients(classifier, caller, incoming, userIds)
      return withSummary ? { ...asked.answer, summary: asked.summary } : asked.answer
    },
  }),
]
