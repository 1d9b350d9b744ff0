/** What each reason says in a sentence: signals by their declaration, the others here. */
import { isClaim, type SenderStanding } from '../signals/clauses.ts'
import { SIGNALS } from '../signals/signals.ts'
import type { ListTerm } from './list-findings.ts'
import type { SenderTerm } from './sender-term.ts'

/** A reason for the score: what the clients of other filters call a symbol or a test. */
export interface Reason {
  /** The name of the signal, or `TAMIS_` and another source. */
  readonly name: string
  /** Negative speaks against spam. */
  readonly points: number
  /** A sentence for people; absent for a signal of another version. */
  readonly description?: string
  /** What the reason rests on; may contain words of the message. */
  readonly evidence?: string
}

/** A reason in a summary. */
export type SummaryReason = Required<Omit<Reason, 'evidence'>>

/** Reasons that are not signals, with their descriptions. */
const OWN_SYMBOLS = {
  TAMIS_BASE: 'The starting score, the same for all messages.',
  TAMIS_TEXT: 'Words and phrases of the message.',
  TAMIS_FORM: 'How the message is built: counts of fields, parts, links and the like.',
  TAMIS_OTHER: 'Many small reasons together.',
  TAMIS_USER_RULE: 'A rule of the recipient decided, not the models.',
  TAMIS_SITE_RULE: 'A site rule decided, not the models.',
  TAMIS_SENDER_PASSED: 'The sender was checked: the message comes from the known domain in From.',
  TAMIS_SENDER_FAILED: 'The sender was checked: the message does not come from the domain in From.',
  TAMIS_READER: 'What the text means, by the second reading.',
  TAMIS_READER_LATE: 'The second reading was not done in time: a person should review the verdict.',
  TAMIS_READER_FAILED: 'The second reading failed: a person should review the verdict.',
  TAMIS_GTUBE: 'The message has the test text for spam filters (GTUBE).',
  TAMIS_USER_LEARNED: "The recipient's corrections of similar mail.",
  TAMIS_CORRESPONDENT:
    'The recipient has written to the sender, is answered by it, or has long received its mail.',
  TAMIS_USER_MEMORY: 'The recipient has corrected messages like this one.',
  TAMIS_URL_FEED: 'A link in the message is in a feed of malicious URLs.',
  TAMIS_PARTLY_READ: 'Only part of the message could be read.',
  TAMIS_REVIEW: 'The verdict is uncertain: a person should review it.',
  TAMIS_CLASS_PRIMARY: 'The message is personal, or needs the recipient now.',
  TAMIS_CLASS_PROMOTIONS: 'The message wants the recipient to buy, donate or come back.',
  TAMIS_CLASS_UPDATES: 'The message is automated or from a mailing list, and sells nothing.',
  TAMIS_CLASS_TRANSACTIONS: 'The message is about one order, payment, booking or delivery.',
} as const

/** What the names of DNS lists begin with. */
const LIST_PREFIX = 'TAMIS_LIST_'

export type OwnSymbol = keyof typeof OWN_SYMBOLS

/** What follows the description of what a sender says of itself. */
const CHECKED: Readonly<Record<SenderStanding, string>> = {
  proved: ', and checks confirm the sender',
  unproved: ', but checks do not confirm the sender',
  unchecked: ', not checked',
}

/**
 * What the reason of that name says in a sentence; undefined for one that this version does not have.
 *
 * @param standing that of the sender, for what it claims of itself.
 */
export function reasonDescription(
  name: string,
  standing: SenderStanding = 'unchecked',
): string | undefined {
  if (name.startsWith(LIST_PREFIX)) return 'A DNS list names a domain or IP address of the message.'
  const descriptions: Readonly<Record<string, string | undefined>> = OWN_SYMBOLS
  const signals: Readonly<Record<string, { readonly description: string } | undefined>> = SIGNALS
  if (Object.hasOwn(descriptions, name)) return descriptions[name]
  const description = Object.hasOwn(signals, name) ? signals[name]?.description : undefined
  if (description === undefined || !isClaim(name)) return description
  return `${description.replace(/\.$/, '')}${CHECKED[standing]}.`
}

/** A reason that is no signal. */
export function own<Name extends OwnSymbol>(
  name: Name,
  points: number,
): SummaryReason & { readonly name: Name } {
  return { name, points, description: OWN_SYMBOLS[name] }
}

/** What checks of the sender found. */
export function senderReason({ result, logit }: SenderTerm): SummaryReason {
  return own(result === 'passed' ? 'TAMIS_SENDER_PASSED' : 'TAMIS_SENDER_FAILED', logit)
}

/** Each list has a symbol of its own: clients keep one of each name. */
export function listReason({ list, meaning, logit }: ListTerm): SummaryReason {
  return {
    name: `${LIST_PREFIX}${list.toUpperCase().replaceAll('-', '_')}`,
    points: logit,
    description: `The DNS list ${list} names a domain or IP address of the message: ${meaning}.`,
  }
}
