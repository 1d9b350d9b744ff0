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

/** A probability in (0, 1], or that nothing of the kind is done. */
export type MailLimit = number | 'never'

/** From which probability on mail that is spam is refused or held, by a mail server that asks for it. */
export interface MailLimits {
  readonly rejectAt?: MailLimit
  readonly quarantineAt?: MailLimit
}

/** At least one of them is set. */
export interface RecipientSetting extends RecipientName, MailLimits {
  readonly threshold?: RecipientThreshold
  readonly learning?: RecipientLearning
  readonly updatedAt: Date
}

/** What is absent stays as it is, and null takes it away. */
export interface RecipientChange extends RecipientName {
  readonly threshold?: RecipientThreshold | null | undefined
  readonly learning?: RecipientLearning | null | undefined
  readonly rejectAt?: MailLimit | null | undefined
  readonly quarantineAt?: MailLimit | null | undefined
}
