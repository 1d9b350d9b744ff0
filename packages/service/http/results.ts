/** What is answered about a message, beside the verdict of its own (`FullResult` in schemas.ts). */

import type { MailLimit } from '../../mail/operator-rules/rule.ts'
import { rulingRule } from '../../mail/verdict/decide.ts'
import { explanationOf } from '../../mail/verdict/diagnostic.ts'
import { pointsOf, REQUIRED_POINTS, reasonsOf } from '../../mail/verdict/reasons.ts'
import { sentenceText } from '../../mail/verdict/sentence.ts'
import { shownUser } from '../access/namespace.ts'
import { type Static, Type } from '../json-schema.ts'
import { decisionOf } from '../judge.ts'
import type { Judged } from '../request.ts'
import {
  CLASS_VERDICT_FIELDS,
  CLOSED,
  Closed,
  FullResult,
  ListOf,
  MessageSummary,
  Sentence,
  Text,
} from './schemas.ts'

/** The answer of interface §2.2. */
export const TabsResult = Type.Object(
  {
    ...CLASS_VERDICT_FIELDS,
    elapsedMs: Type.Integer({
      minimum: 0,
      description: 'From the body received to the answer, in milliseconds, rounded up',
      examples: [2],
    }),
  },
  { title: 'TabsResult', description: 'The class', ...CLOSED },
)

export type TabsResult = Static<typeof TabsResult>

export const ReasonsResult = Type.Object(
  {
    ...FullResult.properties,
    score: Type.Number({
      description:
        'Log-odds of spamProbability, shifted so that the threshold is at `requiredScore`, in tenths, from -15 to 25',
      examples: [-3.1],
    }),
    requiredScore: Type.Number({
      description: 'Score from which a message is spam',
      examples: [5],
    }),
    sentence: Type.Optional(Sentence),
    reasons: ListOf('The strongest first', {
      name: Text('Name of a signal, or of another reason (`TAMIS_…`)'),
      points: Type.Number({ description: 'They add up to `score`' }),
      description: Type.Optional(Type.String()),
      evidence: Type.Optional(Text('May contain words of the message')),
    }),
    summary: Type.Optional(MessageSummary),
  },
  {
    title: 'ReasonsResult',
    description: 'Spam verdict and class, with a score and its reasons',
    ...CLOSED,
  },
)

export type ReasonsResult = Static<typeof ReasonsResult>

const LimitField = (what: string) =>
  Type.Of<MailLimit>({
    type: ['number', 'string'],
    description: `Spam probability from which spam for this user is to be ${what}, or \`never\`; absent if no rule of the operator says so`,
  })

export const RecipientsResult = Type.Object(
  {
    shared: FullResult,
    recipients: ListOf('The verdict for each of `X-User-IDs`, in their order', {
      userId: Text('As in `X-User-IDs`'),
      ...FullResult.properties,
      rejectAt: Type.Optional(LimitField('refused')),
      quarantineAt: Type.Optional(LimitField('held')),
    }),
    summary: Type.Optional(MessageSummary),
  },
  {
    title: 'RecipientsResult',
    description:
      '`shared`: the verdict for a user without corrections; `recipients`: for each user',
    ...CLOSED,
  },
)

export type RecipientsResult = Static<typeof RecipientsResult>

const Group = (description: string) => Type.Object({}, { description, additionalProperties: true })

/** Interface §2.3: the groups are fixed, the fields in them may vary between versions. */
export const DiagnosticResult = Type.Object(
  {
    email: Group('What was read of the message'),
    result: FullResult,
    models: Group('Inputs and outputs of each model, raw also when overridden'),
    urlScanner: Group('Links of the message, and the feed entry that one of them matched'),
    tabs: Closed(CLASS_VERDICT_FIELDS),
    personalization: Group('Rule and memory of the user that applied'),
    explanation: Type.Union([Group('The evidence for and against spam'), Type.Null()]),
    timing: Type.Record(Type.Number(), undefined, { description: 'Milliseconds per stage' }),
  },
  { title: 'DiagnosticResult', description: 'Everything that led to the verdict', ...CLOSED },
)

export type DiagnosticResult = Static<typeof DiagnosticResult>

/** The verdict in points, with the reasons that add up to it, as clients of other filters expect; of a message that was judged with reasons. */
export function reasonsResult(judged: Judged): ReasonsResult {
  const { analysis } = judged
  const { evidence, policy, verdict } = decisionOf(judged)
  const explanation = policy.spamEntitled ? explanationOf(analysis, evidence, policy) : null
  const rule = rulingRule(analysis, evidence, policy)
  return {
    ...verdict,
    score: pointsOf(verdict),
    requiredScore: REQUIRED_POINTS,
    ...(explanation && { sentence: sentenceText(explanation.sentence) }),
    reasons: reasonsOf(verdict, explanation, rule),
  }
}

/** The verdicts for each of `userIds`, in their order, and for a user without corrections. A user may be named twice, because of several addresses. */
export function recipientsResult(
  { users, shared }: Judged,
  userIds: readonly string[],
): RecipientsResult {
  const verdicts = new Map(
    users.map(({ userId, verdict, rules: { rejectAt, quarantineAt } }) => [
      userId,
      {
        ...verdict,
        ...(rejectAt !== undefined && { rejectAt }),
        ...(quarantineAt !== undefined && { quarantineAt }),
      },
    ]),
  )
  const recipients = userIds.map((userId) => ({
    userId: shownUser(userId),
    ...verdicts.get(userId)!,
  }))
  return { shared: shared.verdict, recipients }
}
