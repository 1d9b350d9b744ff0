/**
 * Everything that the bytes of a message say by themselves: the half of a verdict that is the same for
 * every recipient, made on a thread. It crosses threads by structured clone, so it is plain data,
 * and it is small unless the detail was requested.
 */
import type { ReadingName } from '../features/readings.ts'
import type { Attachment, LimitReached, Link, Oddity } from '../message/message.ts'
import type { ModelTerm } from '../models/contributions.ts'
import type { ClassProbabilities, Prediction } from '../models/prediction.ts'
import type { TextMatches } from '../operator-rules/texts.ts'
import type { Claims } from '../personalization/claims.ts'
import type { Correspondence, Outgoing } from '../personalization/correspondence.ts'
import type { PersonalAnalysis } from '../personalization/personal-analysis.ts'
import type { Signal } from '../signals/signal.ts'
import type { FeedHit } from '../urls/feed-table.ts'
import type { ListNames } from '../urls/list-names.ts'
import type { Allowance, ClassTerm } from './allowances.ts'
import type { MarkedMessage } from './marked-message.ts'
import type { FromDomain, OwnMailLogits } from './sender-term.ts'
import type { AnalysisSummary } from './summary.ts'

/** The stages of an analysis, in order. */
export type Stage = 'parse' | 'signals' | 'features' | 'models'

export interface Analysis {
  readonly text: Prediction
  readonly meta: Prediction
  /** The fused prediction for a spam prior of 50 %. Like those of the two models, it is that of the worst reading. */
  readonly spam: Prediction
  /** What users who agree have added to its log-odds: at most CROWD_REACH (learning/deltas.ts); absent for 0. */
  readonly crowdLogit?: number
  /** The same for the message as a whole. */
  readonly wholeSpam: Prediction
  /** Whose domain From is at: by this, checks of the sender weigh (sender-term.ts). */
  readonly fromDomain: FromDomain
  /** What signals against mail in the organisation's own name add, which checks may take back (sender-term.ts). */
  readonly ownMail?: OwnMailLogits
  /** What is taken from the log-odds because the models are sure on little evidence (allowances.ts). */
  readonly allowance?: Allowance
  /** What the test text of operators adds to the log-odds of spam; 0 without it (summary.ts). */
  readonly gtubeLogit?: number
  readonly tabs: ClassProbabilities
  /** What is added to the log-odds of a class (allowances.ts). */
  readonly classTerm?: ClassTerm
  /** Links that are in URL feeds, in order. */
  readonly feedHits: readonly FeedHit[]
  readonly summary: AnalysisSummary
  /** Limits that stopped the reading. */
  readonly limitsReached: readonly LimitReached[]
  /** True when the body is not empty, but nothing could be read from it. */
  readonly bodyUnread: boolean
  /** True when so much text was not looked at that the message may say something else, or when an attached message would be spam by itself. */
  readonly textUnread: boolean
  /** Wall-clock time spent in each stage, in milliseconds. */
  readonly timing: Readonly<Record<Stage, number>>
  /** Only when asked for. */
  readonly detail?: AnalysisDetail
  /** What users' rules and memories are compared with; its content only when asked for. */
  readonly personal: PersonalAnalysis
  /** What the operator's rules are compared with; only where there are rules. */
  readonly claims?: Claims
  /** With these: which texts of the rules stand in it. */
  readonly ruleTexts?: TextMatches
  /** What a user's correspondents are compared with. */
  readonly correspondence: Correspondence
  /** To whom a user sends it; undefined where a program wrote it. */
  readonly outgoing?: Outgoing
  /** What DNS lists can be asked about it; only when asked for. */
  readonly listNames?: ListNames
  /** Only when asked for; see features/event-features.ts. */
  readonly eventFeatures?: Uint8Array
}

/** What one model was given and what it gave. */
export interface ModelTrace {
  readonly inputs: Readonly<Record<string, number>>
  readonly outputs: Readonly<Record<string, number>>
}

/** What the diagnostic shows, beyond the Analysis. */
export interface AnalysisDetail {
  /** The signals of the message, and those of the reading that decided which are true of the message too. */
  readonly signals: readonly Signal[]
  readonly email: {
    readonly bytes: number
    readonly subject: string
    readonly from: string
    readonly date: string
    /** When it arrived, in ISO 8601: the time at which it was judged. */
    readonly receivedAt: string
    readonly messageId: string
    readonly parts: readonly {
      readonly type: string
      readonly depth: number
      readonly bytes: number
    }[]
    readonly attachments: readonly Pick<Attachment, 'fileName' | 'type' | 'bytes' | 'headHash'>[]
    readonly oddities: readonly Oddity[]
    readonly language: string
    readonly reading: MarkedMessage
    /** The reading that the models judged: the worst (features/readings.ts). */
    readonly readAs: ReadingName
  }
  readonly links: readonly (Pick<Link, 'href' | 'text' | 'source'> & {
    readonly host: string
    readonly registrableDomain: string
    /** Where a browser goes, with wrappers such as Safe Links opened and disguised spellings resolved. */
    readonly leadsTo: string
    /** The registrable domain of `leadsTo`, '' when that is not a web page. */
    readonly leadsToDomain: string
    /** The host that the link's text names, if its domain differs from the link's. */
    readonly shows: string | null
  })[]
  readonly models: {
    readonly text: ModelTrace
    readonly meta: ModelTrace
    readonly tabs: ModelTrace
  }
  /** The terms of `spam.logit` that a person believes, and one for all the others: they add up to `spam.logit`, to rounding. */
  readonly contributions: readonly ModelTerm[]
}
