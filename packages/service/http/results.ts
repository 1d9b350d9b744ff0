/** What is answered about a message, beside the verdict of its own (`FullResult` in schemas.ts). */

import { rulingRule } from '../../mail/verdict/decide.ts'
import { explanationOf } from '../../mail/verdict/diagnostic.ts'
import {
  type DescribedReason,
  pointsOf,
  REQUIRED_POINTS,
  reasonsOf,
} from '../../mail/verdict/reasons.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import { type Static, Type } from '../json-schema.ts'
import { decisionOf } from '../judge.ts'
import type { Judged } from '../request.ts'
import { CLASS_VERDICT_FIELDS, Closed, Described, FullResult, MessageSummary } from './schemas.ts'

/** The answer of interface §2.2. */
export const TabsResult = Described('TabsResult', 'The class', {
  ...CLASS_VERDICT_FIELDS,
  elapsedMs: Type.Integer({
    minimum: 0,
    description: 'From the body received to the answer, in milliseconds, rounded up',
    examples: [2],
  }),
})

export type TabsResult = Static<typeof TabsResult>

/** The answer of interface §2.1, with what `X-Summary` asks for, an extension. */
export const ClassifyResult = Described('ClassifyResult', 'Spam verdict and class', {
  ...FullResult.properties,
  summary: Type.Optional(MessageSummary),
})

const Group = (description: string) => Type.Object({}, { description, additionalProperties: true })

/** Interface §2.3: the groups are fixed, the fields in them may vary between versions. */
export const DiagnosticResult = Described(
  'DiagnosticResult',
  'Everything that led to the verdict',
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
)

export type DiagnosticResult = Static<typeof DiagnosticResult>

/** The verdict in points, with reasons that add up to it, as clients of other filters expect. */
export interface ReasonsResult extends Verdict {
  /** Log-odds of spamProbability, shifted so that the threshold is at `requiredScore`, in tenths, from -15 to 25. */
  readonly score: number
  readonly requiredScore: number
  /** The strongest first; their evidence may contain words of the message. */
  readonly reasons: readonly DescribedReason[]
}

/** @param judged with reasons. */
export function reasonsResult(judged: Judged): ReasonsResult {
  const { analysis } = judged
  const { evidence, policy, verdict } = decisionOf(judged)
  const explanation = policy.spamEntitled ? explanationOf(analysis, evidence, policy) : null
  const rule = rulingRule(analysis, evidence, policy)
  return {
    ...verdict,
    score: pointsOf(verdict),
    requiredScore: REQUIRED_POINTS,
    reasons: reasonsOf(verdict, explanation, rule),
  }
}
