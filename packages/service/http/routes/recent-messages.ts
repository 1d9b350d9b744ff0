/** The route for the latest verdicts, strongest reasons and loudest senders, for the console. */
import { callerOf } from '../../access/caller.ts'
import { RecentMessagesResult } from '../recent-results.ts'
import { ok, operation } from '../route.ts'

const REASON = {
  name: 'LINK_IP_HOST',
  points: 1.96,
  description: 'A link leads to a bare IP address.',
}

const EXAMPLE: RecentMessagesResult = {
  since: '2026-11-20T12:00:00.000Z',
  messages: [
    {
      at: '2026-11-20T12:28:07.512Z',
      messageId: '20261120122805.4711@prize.example.com',
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
    summary: 'The last half hour: latest verdicts, strongest reasons, top senders',
    description:
      'The mail by message, reason and domain, for live display: at most the last 500 messages of each process. The answer has no user, no address and no message text, and is kept only in memory.',
    answers: ok('The recent messages', RecentMessagesResult, EXAMPLE),
    handler: async (request, { classifier }) => {
      const { entitlements } = callerOf(request)
      const recent = await classifier.metrics.recentMessages.of()
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
