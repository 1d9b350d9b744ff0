/** A correction as it is learned from: what the log keeps of it. */

import { decodeEventFeatures, type EventFeatures } from '../features/event-features.ts'
import type { Models } from '../models/models.ts'
import { CLASSES } from '../models/prediction.ts'
import type { Kind } from '../personalization/kinds.ts'

/** The source of a correction: the operator vouches for it, or only its user. */
export type Authority = 'operator' | 'user'

export interface LearnEvent {
  /** Chosen at random by the service, so that no sender can influence what is drawn from it. */
  readonly feedbackId: string
  readonly userId: string
  readonly kind: Kind
  /** `spam` or `ham`; a class. */
  readonly label: string
  readonly authority: Authority
  /** HMAC of the message's id. */
  readonly messageKey: Uint8Array
  /** HMAC of the sender's domain. */
  readonly domainKey: Uint8Array
  /** The domain for which the message was authenticated; absent when it was not. */
  readonly authenticatedDomain?: string
  /** The features, as `encodeEventFeatures` made them. */
  readonly features: Uint8Array
  /** The version of the features; see features/version.ts. */
  readonly featureVersion: string
  readonly createdAt: Date
}

/** What one step of a fit takes. */
export interface LearningExample extends EventFeatures {
  /** For a spam correction 1 for spam, 0 for ham; for a tabs correction the position in CLASSES. */
  readonly label: number
}

export const SPAM_LABELS = ['ham', 'spam'] as const

export type SpamLabel = (typeof SPAM_LABELS)[number]

/** The example of an event whose features are those of `base`. Undefined if they are damaged, or the label cannot be learned. */
export function exampleOf(
  { kind, label, features }: Pick<LearnEvent, 'kind' | 'label' | 'features'>,
  base: Pick<Models, 'metaNumbering'>,
): LearningExample | undefined {
  const labels: readonly string[] = kind === 'spam' ? SPAM_LABELS : CLASSES
  const position = labels.indexOf(label)
  if (position < 0) return undefined
  const decoded = decodeEventFeatures(features, base.metaNumbering.names.length)
  return decoded === undefined ? undefined : { ...decoded, label: position }
}
