/** The text that signals of the content look at, and the known phrases in it (phrases.tsv), found in one pass. */
import { readLists } from '../../data-table.ts'
import type { Message } from '../../message/message.ts'
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
export function readPhrases<const Group extends string>(
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
