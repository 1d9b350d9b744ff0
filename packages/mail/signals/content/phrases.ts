/** The text that signals of the content look at, and the known phrases in it (phrases.tsv), found in one pass. */
import { readLists } from '../../data-table.ts'
import type { Message } from '../../message/message.ts'
import { originOf } from '../origin.ts'
import { perMessage } from '../per-message.ts'
import { type Signal, signal } from '../signal.ts'
import { readerText, subjectOf } from '../text.ts'
import { type PhraseMatch, phraseScanner } from './phrase-scanner.ts'

/** Groups of phrases by what they show. */
const GROUPS = [
  'buyCall',
  'saleText',
  'donationCall',
  'subscribeCall',
  'readCall',
  'newsletter',
  'password',
  'notYou',
  'confirmCall',
  'signIn',
  'invitation',
  'paymentDue',
  'total',
  'purchase',
  'activity',
  'serviceNotice',
  'noReply',
  'receivedBecause',
  'caseReference',
  'absence',
  'closing',
  'currencySign',
  'currencyWord',
  'fortune',
  'discount',
  'coupon',
  'order',
  'invoice',
  'tracking',
  'codeWord',
  'codePurpose',
  'cryptocurrency',
  'unsubscribe',
  'copyright',
  'viewInBrowser',
  'genericGreeting',
  'accountConfirmation',
  'sentFromPhone',
  'wrote',
  'forwarded',
  'sentLine',
] as const

export type PhraseGroup = (typeof GROUPS)[number]

const findPhrases = phraseScanner(readPhrases(new URL('phrases.tsv', import.meta.url), GROUPS))

/** The phrases of a table as phrase-scanner.ts reads them: there `_` stands for a space at an end, which nobody would see. */
function readPhrases<const Group extends string>(
  url: URL,
  groups: readonly Group[],
): Readonly<Record<Group, readonly string[]>> {
  const lists = readLists(url, groups, ' · ')
  const spaced = groups.map((group) => [
    group,
    Array.from(lists[group], (it) => it.replaceAll('_', ' ')),
  ])
  return Object.fromEntries(spaced)
}

/** What a message says, and the phrases in it. */
export interface Content {
  /** Subject and visible text, parted by a line break. */
  readonly text: string
  readonly phrases: ReadonlyMap<PhraseGroup, readonly PhraseMatch[]>
}

export const contentOf = perMessage((message: Message): Content => {
  const text = `${subjectOf(message)}\n${readerText(message)}`
  return { text, phrases: findPhrases(text) }
})

/** Where the phrases of a group stand. */
export function matchesOf(content: Content, group: PhraseGroup): readonly PhraseMatch[] {
  return content.phrases.get(group) ?? []
}

/** Pushes the signal `name` where a phrase of `group` is in the text, with it as evidence. */
export function pushPhrase(
  found: Signal[],
  name: string,
  content: Content,
  group: PhraseGroup,
): void {
  const first = matchesOf(content, group)[0]
  if (first !== undefined) found.push(signal(name, phraseAt(content, first)))
}

/** The phrase itself, in lower case. */
export function phraseAt({ text }: Content, { start, end }: PhraseMatch): string {
  return text.slice(start, end).toLowerCase()
}

/**
 * Phrases by which kinds of honest mail are told from the fraud in the same dress. No signal is raised from them: they
 * are conditions of the verdict's allowances (verdict/allowances.ts) and of the class of a security notice
 * (verdict/allowances.ts).
 */

/** The groups of kind-phrases.tsv. */
const KINDS = [
  'confirmAddress',
  'signedUp',
  'accountThreat',
  'appeal',
  'untraceablePayment',
  'credential',
  'mustAct',
] as const

type KindPhraseGroup = (typeof KINDS)[number]

/** Made when first needed, since few messages are asked. */
let scanner: ReturnType<typeof phraseScanner<KindPhraseGroup>> | undefined

function findKindPhrases(text: string) {
  scanner ??= phraseScanner(readPhrases(new URL('kind-phrases.tsv', import.meta.url), KINDS))
  return scanner(text)
}

/** The groups of which a phrase is in the sender's name, the subject or the visible text. Asked only of messages that are built like one of the kinds. */
export const kindPhrasesIn = perMessage(
  (message: Message): ReadonlySet<KindPhraseGroup> =>
    new Set(
      findKindPhrases(
        `${originOf(message).mailbox?.displayName ?? ''}\n${contentOf(message).text}`,
      ).keys(),
    ),
)

/**
 * Signals from set phrases that say what a message is for: what is asked of the reader, what is
 * told, and whether a person or a machine tells it.
 *
 * Each joins the languages, so that what is learned of mail in one is known of the others.
 */

/** The signals of which a phrase anywhere is enough. */
const BY_PHRASE: readonly (readonly [string, PhraseGroup])[] = [
  ['ASKS_TO_BUY', 'buyCall'],
  ['ASKS_TO_GIVE', 'donationCall'],
  ['ASKS_TO_JOIN', 'subscribeCall'],
  ['ASKS_TO_READ', 'readCall'],
  ['ASKS_TO_CONFIRM', 'confirmCall'],
  ['INVITES_READER', 'invitation'],
  ['SALE_WORDING', 'saleText'],
  ['NEWSLETTER_WORDING', 'newsletter'],
  ['PASSWORD_WORDING', 'password'],
  ['SIGN_IN_WORDING', 'signIn'],
  ['IF_NOT_YOU', 'notYou'],
  ['PAYMENT_DUE', 'paymentDue'],
  ['PURCHASE_WORDING', 'purchase'],
  ['ACTIVITY_WORDING', 'activity'],
  ['SERVICE_WORDING', 'serviceNotice'],
  ['NO_REPLY_WORDING', 'noReply'],
  ['RECEIVED_BECAUSE', 'receivedBecause'],
  ['CASE_REFERENCE', 'caseReference'],
  ['ABSENCE_WORDING', 'absence'],
]

/** Where the number of a total ends at the latest, behind its word. */
const TOTAL_LENGTH_MAX = 40

/** A number with a currency before or behind it, or with two decimals. */
const AMOUNT =
  /[$£€¥₹₽₩₺]\s?\d|\d\s?[$£€¥₹₽₩₺円元원]|\d[.,]\d{2}(?!\d)|\d\s(?:kr|zł|kč|ft|lei|руб|грн|tl|rp|eur|usd|chf|sek|nok|dkk)/i

export const PURPOSE_SIGNALS = [
  ...BY_PHRASE.map(([name]) => name),
  'TOTAL_PRICE',
  'CLOSING_FORMULA',
]

export function purposeSignals(content: Content): Signal[] {
  const found: Signal[] = []
  for (const [name, group] of BY_PHRASE) pushPhrase(found, name, content, group)
  const { text } = content
  if (
    matchesOf(content, 'total').some(({ end }) =>
      AMOUNT.test(text.slice(end, end + TOTAL_LENGTH_MAX)),
    )
  ) {
    found.push(signal('TOTAL_PRICE'))
  }
  if (matchesOf(content, 'closing').some(({ start }) => isLineStart(text, start))) {
    found.push(signal('CLOSING_FORMULA'))
  }
  return found
}

function isLineStart(text: string, start: number): boolean {
  return start === 0 || /\n[ \t>]{0,3}$/.test(text.slice(Math.max(0, start - 4), start))
}
