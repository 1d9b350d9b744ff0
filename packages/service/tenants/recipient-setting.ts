/** What a tenant has set for a user, or for the recipients of a domain. */
import type { Thresholds } from '../../mail/models/fusion.ts'

/** A user by the id as written, or a domain as comparedHost gives it. */
export const RECIPIENT_KINDS = ['user', 'domain'] as const

export interface RecipientName {
  readonly kind: (typeof RECIPIENT_KINDS)[number]
  readonly name: string
}

/** A preset, or a probability in (0, 1). */
export type RecipientThreshold = keyof Thresholds | number

/** `off`: nothing is learned but the user's own rules and memory. */
export const RECIPIENT_LEARNING = ['on', 'off'] as const

export type RecipientLearning = (typeof RECIPIENT_LEARNING)[number]

/** At least one of the two is set. */
export interface RecipientSetting extends RecipientName {
  readonly threshold?: RecipientThreshold
  readonly learning?: RecipientLearning
  readonly updatedAt: Date
}

/** What is absent stays as it is, and null takes it away. */
export interface RecipientChange extends RecipientName {
  readonly threshold?: RecipientThreshold | null | undefined
  readonly learning?: RecipientLearning | null | undefined
}
