/**
 * A correction as it goes into the log, and as it comes out of it again: for the global model that
 * learns from it, and for the user's memory that compares it.
 *
 * HMACs (`messageKey`, `senderKey`, `domainKey`) are made under the secret of the installation; see
 * message-keys.ts.
 */
import type { LearnEvent, Word } from '../../mail/learning/learn-event.ts'
import type { Kind } from '../../mail/personalization/kinds.ts'
import type { StoredMemoryItem } from '../../mail/personalization/memory.ts'

export interface NewCorrection {
  readonly tenant: string
  readonly userId: string
  readonly word: Word
  readonly kind: Kind
  /** `spam` or `ham`; a class or `automatic`. */
  readonly label: string
  readonly messageKey: Uint8Array
  readonly senderKey: Uint8Array
  readonly domainKey: Uint8Array
  readonly authenticatedDomain?: string
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

export interface Recorded {
  readonly status: 'recorded' | 'reset' | 'already_recorded'
  /** Of the correction that now holds; for `automatic` of the last that was ended. */
  readonly feedbackId: string
  /** The correction of the same message that this one ended. */
  readonly endedFeedbackId?: string
}

/** A correction that holds, as the log gives it. */
export interface LoggedCorrection extends LearnEvent {
  /** Place in the log: ascending in the order of commits within a tenant. */
  readonly seq: number
  readonly senderKey: Uint8Array
  readonly featureVersion: string
}

/** A correction that holds, as its user's memory has it. */
export interface MemoryItem extends StoredMemoryItem {
  readonly kind: Kind
  readonly messageKey: Uint8Array
  readonly senderKey: Uint8Array
}
