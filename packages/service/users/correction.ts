/**
 * A correction as it goes into the log, and as it comes out of it again: for the global model that
 * learns from it, and for the user's memory that compares it.
 *
 * HMACs (`messageKey`, `senderKey`, `domainKey`) are made under the secret of the installation; see
 * message-keys.ts.
 */
import type { Authority, LearnEvent, SpamLabel } from '../../mail/learning/learn-event.ts'
import type { MessageClass } from '../../mail/models/prediction.ts'
import type { Kind } from '../../mail/personalization/kinds.ts'
import type { StoredMemoryItem } from '../../mail/personalization/memory.ts'
import type { PersonalAnalysis } from '../../mail/personalization/personal-analysis.ts'
import type { CorrectionRule, ExplicitRule } from '../../mail/personalization/rule-index.ts'

/** What a user says about a message. */
export type Opinion =
  | { readonly kind: 'spam'; readonly label: SpamLabel }
  | { readonly kind: 'tabs'; readonly label: MessageClass }

export function spamOrHam(isSpam: boolean): Opinion {
  return { kind: 'spam', label: isSpam ? 'spam' : 'ham' }
}

/** The user who corrects, and whether it counts as the operator's word. */
export interface Corrector {
  readonly userId: string
  readonly authority: Authority
}

/** The rest of a correction: its user, and the message. */
export interface CorrectedMessage {
  readonly userId: string
  readonly authority: Authority
  readonly messageKey: Uint8Array
  readonly senderKey: Uint8Array
  readonly domainKey: Uint8Array
  readonly authenticatedDomain?: string
  /** The registrable domain in From of a message that was not authenticated: the user sees of whose mail it was. */
  readonly claimedDomain?: string
  /** The address an automatic Sender rule is made for; absent when none is. */
  readonly rulePattern?: string
  /**
   * The address whose automatic rules of another label this correction removes; not those of
   * authenticated messages, unless its own was authenticated.
   */
  readonly dropsRulesFor?: string
  readonly featureVersion: string
  readonly embeddingModel: string
  /** What the global model learns from. */
  readonly features: Uint8Array
  /** What the user's memory compares. */
  readonly memory: Uint8Array
}

export type NewCorrection = CorrectedMessage & Opinion

export interface Recorded {
  readonly status: 'recorded' | 'already_recorded'
  /** The id of the correction that now holds. */
  readonly feedbackId: string
}

/** A user withdraws a correction of a message, of one kind. */
export interface Withdrawal {
  readonly userId: string
  readonly authority: Authority
  readonly kind: Kind
  readonly messageKey: Uint8Array
}

export interface Withdrawn {
  /** `already_recorded`: there was nothing to withdraw. */
  readonly status: 'reset' | 'already_recorded'
  /** The id of the correction that was ended last; if there never was one, that of the withdrawal. */
  readonly feedbackId: string
}

/** A correction that holds, as the log gives it. */
export interface LoggedCorrection extends LearnEvent {
  /** Place in the log: ascending in the order of commits. */
  readonly seq: number
}

/** Decides whether a further correction of a user can count for the shared model. */
export interface UserStanding {
  /** When the first correction that holds was made; undefined for none. */
  readonly firstAt: Date | undefined
  /** When the newest ones of authenticated messages were made. */
  readonly newest: readonly Date[]
}

/** What a correction that holds corrects the models. */
export interface CorrectedFeatures
  extends Pick<LearnEvent, 'feedbackId' | 'kind' | 'label' | 'features'> {
  /** See CorrectedMessage. */
  readonly memory: Uint8Array
}

/** A correction that holds, as its user's memory has it. */
export interface MemoryItem extends StoredMemoryItem {
  readonly kind: Kind
  readonly messageKey: Uint8Array
  readonly senderKey: Uint8Array
  /** See CorrectedMessage. */
  readonly claimedDomain?: string
}

/** What became of a correction about spam: see `SpamFeedbackResult` in docs/openapi.json. */
export const SPAM_FEEDBACK_STATUSES = [
  'success',
  'personalization_only',
  'already_recorded',
] as const

/** What became of a correction about classes, or of withdrawing it: see `TabsFeedbackResult`. */
export const CLASS_FEEDBACK_STATUSES = ['success', 'reset', 'already_recorded'] as const

/** What is kept of a message that a user corrects or makes a rule from; never its text. */
export interface LearnableMessage extends Pick<PersonalAnalysis, 'patterns' | 'identity'> {
  /** What a memory keeps of it. */
  readonly item: Pick<StoredMemoryItem, 'memory' | 'embeddingModel'>
  /** What the global model learns from; see mail/features/event-features.ts. */
  readonly eventFeatures: Uint8Array
  /** For which domain the message was authenticated; absent when it was not. */
  readonly authenticatedDomain?: string
}

export interface Rule extends ExplicitRule {
  readonly userId: string
  /** The key of the message that it was made from; absent for a rule by pattern. */
  readonly messageKey?: Uint8Array
}

export type NewRule = Omit<Rule, 'id' | 'createdAt'>

/** What names a rule of a user. */
export type RuleName = Pick<Rule, 'userId' | 'kind' | 'ruleType' | 'pattern'>

export interface UserProfile {
  readonly rules: readonly Rule[]
  readonly automaticRules: readonly CorrectionRule[]
  readonly spam: readonly MemoryItem[]
  readonly tabs: readonly MemoryItem[]
}

/** All data of the user, or only that about classes. */
export type DeletionKind = 'all' | 'tabs'

/** Makes the models anew without the user, if they may have learned from the user, and overwrites what was deleted. */
export interface DeletionJob {
  readonly id: string
  /** Of the user; see access/namespace.ts. */
  readonly namespace?: string
  readonly createdAt: Date
  /** Absent until nothing of the user is left. */
  readonly finishedAt?: Date
}

export interface DeletedUser {
  readonly rules: number
  /** The number of active corrections that were removed. */
  readonly memory: number
  /** The number of corrections in the log that were removed, including ended ones. */
  readonly feedback: number
  /** Correspondents of all kinds. */
  readonly correspondents: number
  readonly history: number
  /** The job that rebuilds the models without the user, and is done when nothing of the user is left in the files. */
  readonly jobId: string
  readonly deletedAt: Date
}
