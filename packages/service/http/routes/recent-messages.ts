/** The route for a tenant's latest verdicts, strongest reasons and loudest senders, for the console. */
import { type Static, Type } from 'typebox'
import { CLASSES } from '../../../mail/models/prediction.ts'
import { callerOf } from '../../access/caller.ts'
import { operation } from '../route.ts'
import { CLOSED, FullResult, MessageSummary, NameOf } from '../schemas.ts'

const { bypassReason, shouldEscalate } = FullResult.properties

const Verdict = Type.Union([NameOf(['spam', 'ham', 'mixed']), Type.Null()], {
  description: '`mixed`: spam for some of the recipients; null where the class alone was asked for',
})

const RecentMessagesResult = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description:
        'Counted from here: 25 to 30 minutes ago, or less where the service began later or had no room',
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
        description:
          'At most ten, first the one with the most messages. Where there are very many, the counts are too low by up to 1 % of all messages',
      },
    ),
  },
  { title: 'RecentMessages', ...CLOSED },
)

export type RecentMessagesResult = Static<typeof RecentMessagesResult>

const REASON = {
  name: 'LINK_IP_HOST',
  points: 1.96,
  description: 'A link leads to an IP address.',
}

const EXAMPLE: RecentMessagesResult = {
  since: '2026-11-20T12:00:00.000Z',
  messages: [
    {
      at: '2026-11-20T12:28:07.512Z',
      verdict: 'spam',
      spamProbability: 0.9931,
      classification: 'promotions',
      bypassReason: null,
      shouldEscalate: false,
      senderDomain: 'prize.example.com',
      reasons: [REASON],
      ms: 4.7,
    },
  ],
  reasons: [
    {
      name: REASON.name,
      description: REASON.description,
      forSpam: 31,
      againstSpam: 0,
      points: 1.96,
    },
  ],
  senders: [{ domain: 'prize.example.com', messages: 24, spam: 23, ham: 1 }],
}

export const RECENT_MESSAGES = [
  operation({
    method: 'GET',
    path: '/stats/recent/messages',
    scope: 'admin',
    operationId: 'recentMessages',
    tag: 'Operate',
    summary: 'The last half hour: latest verdicts, strongest reasons, loudest senders',
    description:
      'The mail of the tenant by message, reason and domain, for a person who watches. It names no user and no address, has no text of a message, and is kept in memory alone.',
    answers: {
      200: {
        description: 'What there is of the tenant',
        schema: RecentMessagesResult,
        example: EXAMPLE,
      },
    },
    handler: async (request, { classifier }) => {
      const { tenant, entitlements } = callerOf(request)
      const recent = await classifier.metrics.recentMessages.of(tenant)
      return entitlements.has('spam') ? recent : withoutSpam(recent)
    },
  }),
]

/** The same as a licence without spam detection shows it: there are classes and senders alone. */
function withoutSpam({ since, messages, senders }: RecentMessagesResult): RecentMessagesResult {
  return {
    since,
    messages: messages.map((message) => ({ ...message, ...NO_VERDICT })),
    reasons: [],
    senders: senders.map((sender) => ({ ...sender, spam: 0, ham: 0 })),
  }
}

const NO_VERDICT = {
  verdict: null,
  spamProbability: null,
  bypassReason: null,
  shouldEscalate: false,
  reasons: [],
}
