/**
 * Reasons that are no signals, in words: the same in header fields, log lines, the history, commands and the
 * console, which has none of the code that raises signals.
 */
import type { ReadingName } from '../features/readings.ts'

/** By the name that clients of other filters know them by. */
export const OWN_REASONS = {
  TAMIS_BASE: 'Where every message starts.',
  TAMIS_TEXT: 'The wording.',
  TAMIS_FORM: 'How the message is built: counts of fields, parts, links and the like.',
  TAMIS_OTHER: 'Many small reasons together.',
  TAMIS_USER_RULE: 'A rule of the recipient decided, not the models.',
  TAMIS_SITE_RULE: 'A site rule decided, not the models.',
  TAMIS_SENDER_PASSED: 'Checks confirm that it comes from the known domain in From.',
  TAMIS_SENDER_FAILED: 'Checks do not confirm that it comes from the domain in From.',
  TAMIS_READER: 'What the text means, on the second reading.',
  TAMIS_READER_LATE: 'The second reading was not done in time: a person should review the verdict.',
  TAMIS_READER_FAILED: 'The second reading failed: a person should review the verdict.',
  TAMIS_RULES_CUT:
    'Not all weighted rules were compared with it in time: a person should review the verdict.',
  TAMIS_VIRUS: 'The virus scanner knows what the message carries.',
  TAMIS_SCAN_SUSPICION: 'The virus scanner suspects the message, and is not sure.',
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

export type OwnSymbol = keyof typeof OWN_REASONS

/** What a DNS list says. */
export function listWords(list: string, meaning: string): string {
  return `The DNS list ${list} names a domain or IP address of the message: ${meaning}`
}

/** What a weighted rule says. */
export function weightedWords(name: string): string {
  return `The weighted rule ${name} holds`
}

/** What the virus scanner says. */
export function scanWords(result: 'virus' | 'suspicion', signature: string): string {
  return result === 'virus'
    ? `ClamAV found ${signature} in the message`
    : `ClamAV suspects the message: ${signature}`
}

/** What reads like spam by itself, and counts for a little less than the whole message would. */
const READINGS: Readonly<Record<ReadingName, string>> = {
  whole: 'the whole message',
  certain: 'the text that is certainly visible',
  first: 'the beginning',
  unquoted: 'the text without the reply',
  alternative: 'one of its versions',
  own: 'the text without quotations',
  elsewhere: 'the title and the texts of pictures',
  attached: 'an attached text',
  stretch: 'one passage',
}

/** Why the margin of a reading speaks against spam. */
export function readingWords(reading: ReadingName): string {
  return `It is ${READINGS[reading]} that reads most like spam, not the whole message`
}
