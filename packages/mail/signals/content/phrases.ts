/**
 * The text that signals of the content look at, and the known phrases in it, found in one pass: by groups of what they
 * show, which join the languages, so that what is learned of mail in one is known of the others.
 */
import { readTable, requiredText } from '../../data-table.ts'
import type { Message } from '../../message/message.ts'
import { originOf } from '../origin.ts'
import { perMessage } from '../per-message.ts'
import { raised, type Signal } from '../signal.ts'
import { readerText, subjectOf } from '../text.ts'
import { type PhraseMatch, phraseScanner } from './phrase-scanner.ts'

/** The phrases of each group of a table, of which a group may have several rows; `_` stands for a space at an end. */
function readPhrases(file: string): Record<string, string[]> {
  const groups: Record<string, string[]> = {}
  const columns = { list: requiredText, words: requiredText }
  for (const { list, words } of readTable(new URL(file, import.meta.url), columns)) {
    groups[list] = [...(groups[list] ?? []), ...words.replaceAll('_', ' ').split(' · ')]
  }
  return groups
}

const PHRASES = readPhrases('phrases.tsv')

const findPhrases = phraseScanner(PHRASES)

/** What a message says, and the phrases in it. */
export interface Content {
  /** Subject and visible text, parted by a line break. */
  readonly text: string
  readonly phrases: ReadonlyMap<string, readonly PhraseMatch[]>
}

export const contentOf = perMessage((message: Message): Content => {
  const text = `${subjectOf(message)}\n${readerText(message)}`
  return { text, phrases: findPhrases(text) }
})

/** Where the phrases of a group stand. */
export function matchesOf(content: Content, group: string): readonly PhraseMatch[] {
  return content.phrases.get(group) ?? []
}

/** The first phrase of a group in the text. */
export function firstPhrase(content: Content, group: string): string | undefined {
  const [first] = matchesOf(content, group)
  return first && phraseAt(content, first)
}

/** The phrase itself, in lower case. */
export function phraseAt({ text }: Content, { start, end }: PhraseMatch): string {
  return text.slice(start, end).toLowerCase()
}

/** Made when first needed, since few messages are asked. */
let findKindPhrases: ReturnType<typeof phraseScanner> | undefined

/**
 * The groups of kind-phrases.tsv of which a phrase is in the sender's name, the subject or the visible text: by them
 * kinds of honest mail are told from the fraud in the same dress (verdict/allowances.ts). No signal is raised from them.
 */
export const kindPhrasesIn = perMessage((message: Message): ReadonlySet<string> => {
  findKindPhrases ??= phraseScanner(readPhrases('kind-phrases.tsv'))
  const name = originOf(message).mailbox?.displayName ?? ''
  return new Set(findKindPhrases(`${name}\n${contentOf(message).text}`).keys())
})

/** The groups that are named for a signal, which a phrase anywhere raises. */
const BY_PHRASE = Object.keys(PHRASES).filter((group) => group === group.toUpperCase())

/** Signals that say what a message is for: what is asked of the reader, what is told, and whether a person tells it. */
export const PURPOSE_SIGNALS = [...BY_PHRASE, 'TOTAL_PRICE', 'CLOSING_FORMULA']

/** Where the number of a total ends at the latest, behind its word. */
const TOTAL_LENGTH_MAX = 40

/** A number with a currency before or behind it, or with two decimals. */
const AMOUNT =
  /[$£€¥₹₽₩₺]\s?\d|\d\s?[$£€¥₹₽₩₺円元원]|\d[.,]\d{2}(?!\d)|\d\s(?:kr|zł|kč|ft|lei|руб|грн|tl|rp|eur|usd|chf|sek|nok|dkk)/i

export function purposeSignals(content: Content): Signal[] {
  const { text } = content
  return raised({
    ...Object.fromEntries(BY_PHRASE.map((name) => [name, firstPhrase(content, name)])),
    TOTAL_PRICE: matchesOf(content, 'total').some(({ end }) =>
      AMOUNT.test(text.slice(end, end + TOTAL_LENGTH_MAX)),
    ),
    CLOSING_FORMULA: matchesOf(content, 'closing').some(({ start }) =>
      /^$|\n[ \t>]{0,3}$/.test(text.slice(Math.max(0, start - 4), start)),
    ),
  })
}
