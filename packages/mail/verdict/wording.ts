/**
 * The words that are named as reasons: those that mean something by themselves.
 *
 * The text model weighs all words, and most by far are articles, numbers and names, of which a person learns
 * nothing. They count in the sum of all words, which is one term.
 */
import { readLists } from '../data-table.ts'
import { normalise } from '../features/normalise.ts'
import type { Span } from '../features/sparse-vector.ts'
import { headerBody, type Message } from '../message/message.ts'
import type { Contribution, TextTerm, WeighedWord } from '../models/contributions.ts'
import { FUNCTION_WORDS, LANGUAGES } from '../signals/language.ts'

type Wording = Extract<Contribution, { readonly kind: 'wording' }>

/** Words named: more than a line has room for, so that those of one direction can be chosen. */
const WORDS_MAX = 12

/** Log-odds below which a word is none worth naming: a tenth of doubling the odds. */
const WORD_LOGIT_MIN = 0.07

/** Letters of the shortest word that means something in a script with spaces. */
const LETTERS_MIN = 3

/** Letters of a word, for a script that writes no spaces a pair of ideographs. Kana alone are endings. */
const WORD_LETTERS = new RegExp(`^(?:[\\p{L}\\p{M}]{${LETTERS_MIN},}|\\p{Script=Han}{2})$`, 'u')

/** Pieces of web addresses that stand alone in a text whose spelling of them is unusual. */
const ADDRESS_PIECES = 'www http https com net org html htm php mailto utm nbsp'

/** Words that mean nothing by themselves, besides the function words of each language. */
const STOP_WORDS = readLists(new URL('stop-words.tsv', import.meta.url), LANGUAGES)

const MEANINGLESS: ReadonlySet<string> = new Set(
  [
    ...LANGUAGES.flatMap((code) => [...FUNCTION_WORDS[code], ...STOP_WORDS[code]]),
    ...ADDRESS_PIECES.split(' '),
  ].map(normalise),
)

/** Whether `word`, as the models have it, means nothing by itself: an article, a pronoun, the name of a month. */
export function isMeaningless(word: string): boolean {
  return MEANINGLESS.has(word)
}

/** The fields whose addresses are of this message alone. */
const ADDRESS_FIELDS = ['from', 'to', 'cc', 'reply-to', 'sender'] as const

/** Characters of each of them that are looked at. */
const ADDRESSES_LENGTH_MAX = 1_000

/** The one term that the words of `message`, whose terms are `terms`, make together. */
export function wordingOf(terms: readonly TextTerm[], message: Message): Wording {
  const names = namesIn(message)
  const byText = new Map<string, WeighedWord>()
  for (const { span, logit } of terms) {
    if (!means(span, names)) continue
    // A word of the subject counts twice, and is named once.
    const before = byText.get(span.text)
    byText.set(span.text, { span: before?.span ?? span, logit: (before?.logit ?? 0) + logit })
  }
  return {
    kind: 'wording',
    logit: terms.reduce((sum, { logit }) => sum + logit, 0),
    count: terms.length,
    words: [...byText.values()]
      .filter(({ logit }) => Math.abs(logit) >= WORD_LOGIT_MIN)
      .sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit))
      .slice(0, WORDS_MAX),
  }
}

/** The words of `wording` that speak as it does, at most `count`. */
export function wordsNamed({ logit, words }: Wording, count: number): string[] {
  return words
    .filter((word) => word.logit > 0 === logit > 0)
    .slice(0, count)
    .map(({ span }) => span.text)
}

/** Whether each word of the span means something by itself. */
function means({ text }: Span, names: ReadonlySet<string>): boolean {
  return text
    .split(' ')
    .every((word) => WORD_LETTERS.test(word) && !MEANINGLESS.has(word) && !names.has(word))
}

/** Names and parts of the addresses of those who write and receive. */
function namesIn(message: Message): ReadonlySet<string> {
  const bodies = ADDRESS_FIELDS.map((name) => headerBody(message, name) ?? '')
  const text = bodies.map((body) => body.slice(0, ADDRESSES_LENGTH_MAX)).join(' ')
  // Split at the @ before, which would make a mark of the whole address.
  return new Set(normalise(text.replace(/[@._+-]/g, ' ')).split(' '))
}
