/**
 * Programs in which people write, and the systems that carry what they write: the fields each
 * sets, in its order and spelling. After messages of their versions of 2023 to 2025. They stand in
 * packages/lab/data/rendering/mail-clients and mailbox-systems.
 *
 * A row of a header whose value the message does not have is left out.
 */
import type { Shares } from './dice.ts'
import type { WordEncoding } from './header.ts'
import type { MimeHabit } from './mime.ts'
import { drawsOf, readPrograms } from './templates.ts'

export type PartsForm = 'alternative' | 'html' | 'plain'

export interface MailClient {
  readonly name: string
  /** Fields that the program sets, from its first to its last. */
  readonly header: string
  readonly mime: MimeHabit
  readonly words: WordEncoding
  /** In personal-markup. */
  readonly markup: string
  readonly parts: Shares<PartsForm>
  /** Plain text in lines of this many characters; undefined for whole paragraphs. */
  readonly wrapAt?: number
  /** Lines are flowed (RFC 3676). */
  readonly flowed?: boolean
  /** Names in quotation marks even where they need none. */
  readonly quoteNames?: boolean
  /** What the program calls the telephone it runs on. */
  readonly device?: string
}

export const MAIL_CLIENTS: Readonly<Record<string, MailClient>> = readPrograms(
  'mail-clients',
  'header',
)

/** Where a person's mailbox is: what carries the mail out, and which programs people use with it. */
export interface MailboxSystem {
  readonly name: string
  readonly clients: Shares<string>
  /** Fields set on the way out, above the program's own; the topmost first. */
  readonly transit: string
  /** The machine that hands the message to the reader's server. */
  readonly relay: string
  /** The domain that the system signs for, with a selector; {domain} the sender's own. */
  readonly signer: string
  readonly selector: string
  /** Instead of the owner's, where the owner has set nothing up. */
  readonly defaultSigner?: string
}

export const MAILBOX_SYSTEMS: Readonly<Record<string, MailboxSystem>> = readPrograms(
  'mailbox-systems',
  'transit',
)

/** Free-mail hosts by the system behind them; the others have servers of their own. */
export const SYSTEM_OF_HOST: readonly (readonly [RegExp, string])[] = [
  [/^(?:gmail|googlemail)\.com$/, 'google'],
  [/^(?:outlook|hotmail|live|msn)\./, 'microsoft'],
  [/^(?:yahoo|ymail|rocketmail|aol)\./, 'yahoo'],
  [/^(?:icloud|me|mac)\.com$/, 'icloud'],
  [/^fastmail\./, 'fastmail'],
]

/** Where companies and families have domains of their own. */
export const OWN_DOMAIN_SYSTEMS: Shares<string> = drawsOf('own domain systems')
