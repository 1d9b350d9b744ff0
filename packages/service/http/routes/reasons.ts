/** The route for a verdict with its reasons, for mail flow. It is not in the interface. */
import { type Static, Type } from 'typebox'
import { callerOf } from '../../access/caller.ts'
import { classifyWithReasons } from '../classification.ts'
import { incomingMessage } from '../message-stream.ts'
import { flagFromHeader, metadataFromHeaders } from '../metadata-headers.ts'
import { SCORE, VERDICT } from '../openapi/example-answers.ts'
import { STREAM_HEADERS } from '../openapi/examples.ts'
import { operation } from '../route.ts'
import { CLOSED, FullResult, MessageHeaders, MessageSummary, SUMMARY_FIELD } from '../schemas.ts'

const ReasonsHeaders = Type.Object(
  { ...MessageHeaders.properties, ...SUMMARY_FIELD },
  { title: 'ReasonsDelivery', description: 'A message that is to be judged with reasons' },
)

const ReasonsResult = Type.Object(
  {
    ...FullResult.properties,
    score: Type.Number({
      description:
        'Log-odds of spamProbability, shifted so that the threshold is at `requiredScore`, in tenths, from -15 to 25',
      examples: [-3.1],
    }),
    requiredScore: Type.Number({ description: 'Spam from here on', examples: [5] }),
    reasons: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'A signal, or `TAMIS_` and what else there is' }),
          points: Type.Number({ description: 'They add up to `score`' }),
          description: Type.Optional(Type.String()),
          evidence: Type.Optional(Type.String({ description: 'May hold words of the message' })),
        },
        CLOSED,
      ),
      { description: 'The weightiest first' },
    ),
    summary: Type.Optional(MessageSummary),
  },
  {
    title: 'ReasonsResult',
    description: 'Spam verdict and class, with a score and its reasons',
    ...CLOSED,
  },
)

export type ReasonsResult = Static<typeof ReasonsResult>

export const REASONS = [
  operation({
    method: 'POST',
    path: '/classify-stream/reasons',
    scope: 'classify',
    queued: true,
    judgesMail: true,
    operationId: 'classifyStreamReasons',
    tag: 'Classify',
    summary: 'Full classification, with a score and the reasons that add up to it',
    description:
      'For clients that expect a score, a required score and named tests, as other filters have them. The points of the reasons add up to the score; the example is shortened. Beyond the interface.',
    headers: ReasonsHeaders,
    body: 'message',
    example: { headers: STREAM_HEADERS },
    answers: {
      200: {
        description: 'The verdict',
        schema: ReasonsResult,
        // The example shows only the reasons with the most weight.
        example: { ...VERDICT, ...SCORE },
      },
    },
    handler: async (request, { classifier }, reply) => {
      const withSummary = flagFromHeader(request.headers, 'X-Summary')
      const incoming = incomingMessage(request, reply, metadataFromHeaders(request.headers))
      const asked = await classifyWithReasons(classifier, callerOf(request), incoming)
      return withSummary ? { ...asked.answer, summary: asked.summary } : asked.answer
    },
  }),
]
