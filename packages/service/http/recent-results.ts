/** What is answered about the last half hour of mail, for the console. */
import { type Static, Type } from 'typebox'
import { CLASSES } from '../../mail/models/prediction.ts'
import {
  byClass,
  Closed,
  Component,
  FullResult,
  Integer,
  ListOf,
  MessageSummary,
  NameOf,
  Text,
  Time,
} from './schemas.ts'

export const RecentResult = Component('RecentWork', {
  stepSeconds: Type.Number({ description: 'Length of a step' }),
  steps: ListOf(
    'Oldest first; there is none for a time without events; the last one is not complete',
    {
      at: Time('When it began'),
      messages: Integer('Judged messages'),
      refused: Integer('Requests to judge a message that ended in 5xx or 429'),
      spam: Type.Integer(),
      ham: Type.Integer(),
      overridden: Integer('Verdicts with a bypassReason'),
      escalated: Integer('Verdicts that a person should review'),
      classes: Closed(byClass(() => Type.Integer())),
      latencyMs: Type.Union(
        [Closed({ p50: Type.Number(), p95: Type.Number(), p99: Type.Number() }), Type.Null()],
        {
          description:
            'Milliseconds from the header of a request to the end of its answer, to a tenth',
        },
      ),
      queueDepth: Integer(
        'Maximum number of waiting requests observed, summed over the processes of the service',
      ),
      feeds: Type.Record(Type.String(), Type.Union([Type.Integer(), Type.Null()]), {
        description: 'Age of each URL feed in seconds',
      }),
    },
  ),
})

export type RecentResult = Static<typeof RecentResult>

const { bypassReason, shouldEscalate } = FullResult.properties

const Verdict = Type.Union([NameOf(['spam', 'ham', 'mixed']), Type.Null()], {
  description: '`mixed`: spam for some of the recipients; null if only the class was requested',
})

export const RecentMessagesResult = Component('RecentMessages', {
  since: Time(
    'Start of the counts: half an hour ago, or later if the service started later or keeps fewer messages',
  ),
  messages: ListOf('At most the last twelve, the newest first', {
    at: Time('When it was answered'),
    messageId: Type.Optional(MessageSummary.properties.messageId),
    verdict: Verdict,
    spamProbability: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description: 'The lowest among all recipients',
    }),
    classification: NameOf(CLASSES),
    bypassReason,
    shouldEscalate,
    senderDomain: MessageSummary.properties.senderDomain,
    sentence: MessageSummary.properties.sentence,
    reasons: MessageSummary.properties.reasons,
    ms: Type.Number({
      description: 'Milliseconds from the header of the request to the end of its answer',
    }),
  }),
  reasons: ListOf(
    'The five strongest of each message count. At most ten, the one with the most effect first',
    {
      name: Text('Name of a signal, or of another reason (`TAMIS_…`)'),
      description: Type.String(),
      forSpam: Integer('Messages that it moved towards spam'),
      againstSpam: Integer('Messages that it moved away from spam'),
      points: Type.Number({
        description: 'Log-odds by which it moved one of them, on average',
      }),
    },
  ),
  senders: ListOf('At most ten, the one with the most messages first', {
    domain: MessageSummary.properties.senderDomain,
    messages: Type.Integer(),
    spam: Integer('Messages that were spam, for at least one recipient'),
    ham: Integer('Messages that were not spam'),
  }),
})

export type RecentMessagesResult = Static<typeof RecentMessagesResult>
