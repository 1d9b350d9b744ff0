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
import type { ModelTerm, TextTerm, WeighedWord } from '../models/contributions.ts'
import type { ScoredReading } from '../models/worst-reading.ts'
import { FUNCTION_WORDS, LANGUAGES } from '../signals/language.ts'
import { signalNamed, signalsOfAspects } from '../signals/table.ts'

type Wording = Extract<ModelTerm, { readonly kind: 'wording' }>

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
    ...[FUNCTION_WORDS, STOP_WORDS]
      .flatMap(Object.values<ReadonlySet<string>>)
      .flatMap((it) => [...it]),
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

// Which of the models' terms are named: those that a person believes. The others count in a sum. A weight may go against what
// its signal says: most newsletters have a tracking pixel, so it weighs for ham. And a reading that is a part of the message may
// be plain text where the message is a page.

/** Signals of how the whole message is made. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(signalsOfAspects(['mime', 'html']))

/** False where `logit` speaks for spam and the description of the signal against it, or the other way round. True for what is no signal. */
export function agreesWithDescription(name: string, logit: number): boolean {
  const direction = signalNamed(name)?.direction ?? 'either'
  return direction === 'either' || (direction === 'spam') === logit > 0
}

/** The names of signals that are true of the part that was judged and not of the message. */
export function onlyOfReading(
  whole: Pick<ScoredReading, 'signals'>,
  decided: Pick<ScoredReading, 'signals'>,
): ReadonlySet<string> {
  if (whole === decided) return new Set()
  const ofWhole = new Set<string>(whole.signals.map(({ name }) => name))
  const names = decided.signals.map(({ name }) => name)
  return new Set(names.filter((name) => OF_THE_WHOLE.has(name) && !ofWhole.has(name)))
}

/**
 * `terms`, the baseline last, as they are shown, with the same sum: all words as one term, the
 * `count` largest of the others that are believed, and one for the rest.
 *
 * @param message the reading that `terms` are of.
 * @param disbelieved names of signals that are not true of the message.
 */
export function believedTerms(
  terms: readonly (ModelTerm | TextTerm)[],
  message: Message,
  disbelieved: ReadonlySet<string>,
  count: number,
): ModelTerm[] {
  const words = terms.filter((term) => term.kind === 'text')
  const wording = words.length === 0 ? [] : [wordingOf(words, message)]
  const others = terms.slice(0, -1).filter((term) => term.kind !== 'text')
  const isBelieved = (term: ModelTerm) =>
    term.kind !== 'meta' ||
    (agreesWithDescription(term.name, term.logit) && !disbelieved.has(term.name))
  const named = others.filter(isBelieved).slice(0, count)
  const rest = others.filter((term) => !named.includes(term))
  const logit = rest.reduce((sum, term) => sum + term.logit, 0)
  return [
    ...[...wording, ...named].sort((a, b) => Math.abs(b.logit) - Math.abs(a.logit)),
    ...(rest.length === 0 ? [] : [{ kind: 'rest' as const, count: rest.length, logit }]),
    terms.at(-1) as ModelTerm,
  ]
}
