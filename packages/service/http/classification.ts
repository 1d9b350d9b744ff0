/**
 * The ways to ask about a message: three with a stream form and a path form each, which the table
 * tells apart; with reasons; and for several recipients.
 */
import { setImmediate } from 'node:timers/promises'
import type { TObject } from 'typebox'
import type { ArtifactFolders } from '../../artifact-files/artifact-files.ts'
import type { AnalysisDetail } from '../../mail/verdict/analysis.ts'
import { decide, decideClass } from '../../mail/verdict/decide.ts'
import { diagnostic, explanationOf, type Timing } from '../../mail/verdict/diagnostic.ts'
import { pointsOf, REQUIRED_POINTS, reasonsOf } from '../../mail/verdict/points.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import type { Caller } from '../access/caller.ts'
import type { RouteTerms } from '../access/route-terms.ts'
import type { Analyser } from '../admission/analyser.ts'
import type { Receiver } from '../admission/receive.ts'
import type { Incoming } from '../analyse-body.ts'
import type { Feeds } from '../feeds/feeds.ts'
import { type Judged, type Judging, judge, verdictOf } from '../judge.ts'
import type { SenderChecks } from '../sender-authentication/sender-checks.ts'
import type { TaughtModels } from '../taught-models/taught-models.ts'
import { isBlank } from '../users/users.ts'
import type { Metrics } from './metrics.ts'
import {
  ClassifyPathBody,
  DiagnosticResult,
  FullResult,
  type ReasonsResult,
  type RecipientsResult,
  TabsPathBody,
  TabsResult,
} from './schemas.ts'

/** What judges, and what the routes say of it. */
export interface Classifier extends Judging {
  readonly analyser: Analyser
  readonly receiver: Receiver
  readonly taught: TaughtModels
  readonly senderChecks: SenderChecks
  readonly feeds: Feeds
  readonly metrics: Metrics
  /** Of the shipped models. */
  readonly modelsVersion: string
  /** Where they and the embedding model are; undefined for what comes with Tamis. */
  readonly artifacts: ArtifactFolders
}

export interface Operation {
  readonly streamForm: string
  readonly pathForm: string
  readonly summary: string
  readonly answerSchema: TObject
  readonly pathBodySchema: typeof ClassifyPathBody | typeof TabsPathBody
  /** Whether the analysis is to collect what the diagnostic shows. */
  readonly detail: boolean
  /** Of both forms. */
  readonly terms: RouteTerms
  answer(judged: Judged): FullResult | TabsResult | DiagnosticResult
}

export const OPERATIONS: readonly Operation[] = [
  {
    streamForm: '/classify-stream',
    pathForm: '/classify',
    summary: 'Full classification: spam verdict and message class',
    answerSchema: FullResult,
    pathBodySchema: ClassifyPathBody,
    detail: false,
    terms: { scope: 'classify', judgesMail: true },
    answer: verdictOf,
  },
  {
    streamForm: '/tabs/classify-stream',
    pathForm: '/tabs/classify',
    summary: 'Message class only',
    answerSchema: TabsResult,
    pathBodySchema: TabsPathBody,
    detail: false,
    terms: { scope: 'classify', entitlement: 'classification', judgesMail: true },
    answer: ({ analysis, evidenceFor, users: [user], timing }) => ({
      ...decideClass(analysis, evidenceFor(user)),
      elapsedMs: Math.ceil(timing().total),
    }),
  },
  {
    streamForm: '/classify/diagnostic-stream',
    pathForm: '/classify/diagnostic',
    summary: 'Detailed breakdown of a decision, for troubleshooting and not for mail flow',
    answerSchema: DiagnosticResult,
    pathBodySchema: ClassifyPathBody,
    detail: true,
    terms: { scope: 'classify' },
    answer: ({ analysis, policy, evidenceFor, users: [user], timing }) =>
      diagnostic(analysis, evidenceFor(user), policy, timing),
  },
]

/** The answer of `operation` to `incoming`. */
export async function classify(
  classifier: Classifier,
  { detail, answer }: Operation,
  caller: Caller,
  incoming: Incoming,
): Promise<ReturnType<Operation['answer']>> {
  const question = { userIds: userIdsOf(incoming), detail, personal: detail }
  const answered = answer(await judge(classifier, caller, incoming, question))
  classifier.metrics.answered(caller.tenant, answered)
  return answered
}

export interface Reasoned {
  readonly answer: ReasonsResult
  readonly email: Pick<AnalysisDetail['email'], 'subject' | 'messageId'>
  /** Milliseconds since the body was received. */
  readonly elapsedMs: Timing['total']
}

/** The verdict on `incoming` in points, with the reasons that add up to it: what clients of other filters want to be told. */
export async function classifyWithReasons(
  classifier: Classifier,
  caller: Caller,
  incoming: Incoming,
): Promise<Reasoned> {
  const question = { userIds: userIdsOf(incoming), detail: true }
  const judged = await judge(classifier, caller, incoming, question)
  const { analysis, policy, timing } = judged
  const verdict = verdictOf(judged)
  classifier.metrics.answered(caller.tenant, verdict)
  const explanation = policy.spamEntitled ? explanationOf(analysis, policy) : null
  return {
    answer: {
      ...verdict,
      score: pointsOf(verdict),
      requiredScore: REQUIRED_POINTS,
      reasons: reasonsOf(verdict, explanation),
    },
    email: analysis.detail!.email,
    elapsedMs: timing().total,
  }
}

/**
 * The verdicts on `incoming` for each of `userIds`, in their order, and for whoever has taught nothing:
 * mail servers hold one message for all recipients of a transaction.
 */
export async function classifyForRecipients(
  classifier: Classifier,
  caller: Caller,
  incoming: Incoming,
  userIds: readonly string[],
): Promise<RecipientsResult> {
  // A user named twice, as one is who has several addresses, is looked up and decided for once.
  const distinct = [...new Set(userIds)]
  const question = { userIds: distinct, detail: false }
  const { analysis, policy, users, evidenceFor } = await judge(
    classifier,
    caller,
    incoming,
    question,
  )
  const verdicts = new Map<string, Verdict>()
  for (const [at, user] of users.entries()) {
    const verdict = decide(analysis, evidenceFor(user), policy)
    classifier.metrics.answered(caller.tenant, verdict)
    verdicts.set(distinct[at]!, verdict)
    // Others have their turn between two full memories.
    if (!isBlank(user)) await setImmediate()
  }
  const recipients = userIds.map((userId) => ({ userId, ...verdicts.get(userId)! }))
  return { shared: decide(analysis, evidenceFor(undefined), policy), recipients }
}

function userIdsOf({ metadata: { userId } }: Incoming): string[] {
  return userId === undefined ? [] : [userId]
}
