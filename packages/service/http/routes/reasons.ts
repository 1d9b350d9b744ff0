/** The route for a verdict with its reasons, for mail flow. It is not in the interface. */
import { Type } from 'typebox'
import { callerOf } from '../../access/caller.ts'
import { classifyWithReasons } from '../classification.ts'
import { incomingMessage } from '../message-stream.ts'
import { flagFromHeader, metadataFromHeaders } from '../metadata-headers.ts'
import { SCORE, STREAM_HEADERS, VERDICT } from '../openapi/examples.ts'
import { ReasonsResult } from '../results.ts'
import { ok, operation } from '../route.ts'
import { MessageHeaders, QUEUE_ID_FIELD, SUMMARY_FIELD } from '../schemas.ts'

const ReasonsHeaders = Type.Object(
  { ...MessageHeaders.properties, ...QUEUE_ID_FIELD, ...SUMMARY_FIELD },
  { title: 'ReasonsDelivery', description: 'A message that is to be judged with reasons' },
)

export const REASONS = [
  operation({
    method: 'POST',
    path: '/classify-stream/reasons',
    scope: 'classify',
    queued: true,
    operationId: 'classifyStreamReasons',
    tag: 'Classify',
    summary: 'Full classification, with a score and the reasons that add up to it',
    description:
      'For clients that expect a score, a required score and named tests, as other filters have them. The points of the reasons add up to the score; the example is shortened. This is an extension of the interface.',
    headers: ReasonsHeaders,
    body: 'message',
    example: { headers: STREAM_HEADERS },
    answers: ok('The verdict', ReasonsResult, { ...VERDICT, ...SCORE }),
    handler: async (request, { classifier }, reply) => {
      const withSummary = flagFromHeader(request.headers, 'X-Summary')
      const incoming = incomingMessage(request, reply, metadataFromHeaders(request.headers))
      const asked = await classifyWithReasons(classifier, callerOf(request), incoming)
      return withSummary ? { ...asked.answer, summary: asked.summary } : asked.answer
    },
  }),
]
