/**
 * Correspondents as the store keeps them: keyed hashes (message-keys.ts), times and counts. No address and
 * no Message-ID is kept.
 */

/**
 * `written`: an address that the user has written to, or has in an address book. `sent`: the Message-ID of a
 * message that the user has sent. `received`: an authenticated sender whose mail the user receives without
 * complaint, which counts once it has been received for long.
 */
export const CORRESPONDENT_KINDS = ['written', 'sent', 'received'] as const

export type CorrespondentKind = (typeof CORRESPONDENT_KINDS)[number]

/** Correspondents of a user and kind; the oldest leave (docs/decisions). */
export const CORRESPONDENTS_MAX = 5_000

/** What mail tells of a user. */
export interface LearnedCorrespondent {
  readonly userId: string
  readonly kind: CorrespondentKind
  /** CORRESPONDENT_KEY_BYTES bytes; it names the user, too. */
  readonly key: Uint8Array
  /** When the message was judged. */
  readonly at: Date
}

/** What a user states. */
export type StatedCorrespondent = Pick<LearnedCorrespondent, 'key'> & {
  readonly kind: 'written' | 'sent'
}

/** A correspondent as it is listed. */
export interface ListedCorrespondent {
  readonly kind: CorrespondentKind
  readonly key: Uint8Array
  /** How often it was learned; of `received`, on how many days. */
  readonly times: number
  readonly firstAt: Date
  readonly lastAt: Date
}

/** How many correspondents users have. */
export type CorrespondentCounts = Readonly<Record<CorrespondentKind, number>>
