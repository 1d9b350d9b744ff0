/** What is answered about the last half hour of a tenant's mail, for the console. */
import { type Static, Type } from 'typebox'
import { CLASSES } from '../../mail/models/prediction.ts'
import { byClass, CLOSED, FullResult, MessageSummary, NameOf } from './schemas.ts'

export const RecentResult = Type.Object(
  {
    stepSeconds: Type.Number({ description: 'Length of a step' }),
    steps: Type.Array(
      Type.Object(
        {
          at: Type.String({ format: 'date-time', description: 'When it began' }),
          messages: Type.Integer({ description: 'Messages that were judged' }),
          refused: Type.Integer({ description: 'Requests to judge one that ended in 5xx or 429' }),
          spam: Type.Integer(),
          ham: Type.Integer(),
          overridden: Type.Integer({ description: 'Verdicts with a bypassReason' }),
          escalated: Type.Integer({ description: 'Verdicts that a person should look at' }),
          classes: Type.Object(
            byClass(() => Type.Integer()),
            CLOSED,
          ),
          latencyMs: Type.Union(
            [
              Type.Object({ p50: Type.Number(), p95: Type.Number(), p99: Type.Number() }, CLOSED),
              Type.Null(),
            ],
            {
              description:
                'Milliseconds from the header of a request to the end of its answer, to a tenth',
            },
          ),
          queueDepth: Type.Integer({
            description:
              'The most requests that were seen to wait, summed over the processes of the service',
          }),
          feeds: Type.Record(Type.String(), Type.Union([Type.Integer(), Type.Null()]), {
            description: 'Age of each URL feed in seconds',
          }),
        },
        CLOSED,
      ),
      { description: 'Oldest first; where nothing happened there is none; the last is not over' },
    ),
  },
  { title: 'RecentWork', ...CLOSED },
)

export type RecentResult = Static<typeof RecentResult>

const { bypassReason, shouldEscalate } = FullResult.properties

const Verdict = Type.Union([NameOf(['spam', 'ham', 'mixed']), Type.Null()], {
  description: '`mixed`: spam for some of the recipients; null where the class alone was asked for',
})

export const RecentMessagesResult = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description:
        'Counted from here: half an hour ago, or less where the service began later or keeps no more messages',
    }),
    messages: Type.Array(
      Type.Object(
        {
          at: Type.String({ format: 'date-time', description: 'When it was answered' }),
          verdict: Verdict,
          spamProbability: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
            description: 'The least of all recipients',
          }),
          classification: NameOf(CLASSES),
          bypassReason,
          shouldEscalate,
          senderDomain: MessageSummary.properties.senderDomain,
          reasons: MessageSummary.properties.reasons,
          ms: Type.Number({
            description: 'Milliseconds from the header of the request to the end of its answer',
          }),
        },
        CLOSED,
      ),
      { description: 'At most the last twelve, the newest first' },
    ),
    reasons: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'A signal, or `TAMIS_` and what else there is' }),
          description: Type.String(),
          forSpam: Type.Integer({ description: 'Messages that it moved towards spam' }),
          againstSpam: Type.Integer({ description: 'Messages that it moved away from spam' }),
          points: Type.Number({
            description: 'Log-odds by which it moved one of them, on average',
          }),
        },
        CLOSED,
      ),
      {
        description:
          'Of each message the five strongest count. At most ten, first the one that moved most in all',
      },
    ),
    senders: Type.Array(
      Type.Object(
        {
          domain: MessageSummary.properties.senderDomain,
          messages: Type.Integer(),
          spam: Type.Integer({ description: 'Messages that were spam, if only for some' }),
          ham: Type.Integer({ description: 'Messages that were not' }),
        },
        CLOSED,
      ),
      {
        description: 'At most ten, first the one with the most messages',
      },
    ),
  },
  { title: 'RecentMessages', ...CLOSED },
)

export type RecentMessagesResult = Static<typeof RecentMessagesResult>
