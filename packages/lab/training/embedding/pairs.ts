/**
 * Pairs of texts that say the same in other words: the positives of the training. What else
 * stands in the batch are the negatives.
 */
import { isLeftOutKind, type MailText } from './mail-texts.ts'
import type { Synset } from './material.ts'
import { readText, type Texts, textsOf, type WordNumbers } from './texts.ts'

/** Words of a text that count; more cost time and gave nothing (packages/lab/reports/embedding). */
export const TEXT_WORDS_MAX = 64

/** Code units of a text that are read to get them. */
const TEXT_LENGTH_MAX = 2_000

/** A text of fewer words is not cut in halves. */
const HALVES_WORDS_MIN = 40

/** 'Re: Fwd:' and the name of a list say nothing of what the message says. */
const SUBJECT_MARKS = /^(?:(?:re|fwd?|aw|wg) ?: ?|\[[^\]]{0,60}\] ?)/i
const SUBJECT_MARKS_MAX = 5

export interface PairSource {
  readonly name: string
  /** How many batches are of this source, against the others. */
  readonly share: number
  readonly pairs: number
  readonly left: Texts
  readonly right: Texts
}

type Pair = readonly [left: Int32Array, right: Int32Array]

/** WordNet four ways and mail five ways; chosen by sentences and retrieval together (packages/lab/reports/embedding). */
export function pairSources(
  synsets: readonly Synset[],
  mail: readonly MailText[],
  numbers: WordNumbers,
): PairSource[] {
  const of = (source: string) => mail.filter((message) => message.source === source)
  const received = [...of('spamassassin'), ...of('csdmc2010')]
  const written = of('written').filter(({ kind }) => !isLeftOutKind(kind ?? ''))
  return [
    source('wordnet lemmas, definition', 4, definitionPairs(synsets, numbers)),
    source('wordnet example, definition', 3, examplePairs(synsets, numbers)),
    source('wordnet synonyms', 1, synonymPairs(synsets, numbers)),
    source('wordnet hypernyms', 1, hypernymPairs(synsets, numbers)),
    source('enron subject, body', 1, subjectPairs(of('enron'), numbers)),
    source('received subject, body', 1, subjectPairs(received, numbers)),
    source('received halves', 1, halfPairs(received, numbers)),
    source('written subject, body', 1, subjectPairs(written, numbers)),
    source('written halves', 1, halfPairs(written, numbers)),
  ]
}

function source(name: string, share: number, pairs: readonly Pair[]): PairSource {
  const told = pairs.filter(([left, right]) => left.length > 0 && right.length > 0)
  return {
    name,
    share,
    pairs: told.length,
    left: textsOf(told.map(([left]) => left)),
    right: textsOf(told.map(([, right]) => right)),
  }
}

function definitionPairs(synsets: readonly Synset[], numbers: WordNumbers): Pair[] {
  return synsets.flatMap(({ lemmas, definitions }) =>
    definitions.map(
      (definition): Pair => [text(numbers, lemmas.join(' ')), text(numbers, definition)],
    ),
  )
}

function examplePairs(synsets: readonly Synset[], numbers: WordNumbers): Pair[] {
  return synsets.flatMap(({ examples, definitions }) =>
    examples.map((example): Pair => [text(numbers, example), text(numbers, definitions[0] ?? '')]),
  )
}

function synonymPairs(synsets: readonly Synset[], numbers: WordNumbers): Pair[] {
  return synsets
    .filter(({ lemmas }) => lemmas.length > 1)
    .map(({ lemmas: [first = '', ...others] }) => [
      text(numbers, first),
      text(numbers, others.join(' ')),
    ])
}

function hypernymPairs(synsets: readonly Synset[], numbers: WordNumbers): Pair[] {
  const lemmasOf = new Map(synsets.map(({ id, lemmas }) => [id, lemmas.join(' ')]))
  return synsets.flatMap(({ lemmas, hypernyms }) =>
    hypernyms.map(
      (id): Pair => [text(numbers, lemmas.join(' ')), text(numbers, lemmasOf.get(id) ?? '')],
    ),
  )
}

function subjectPairs(mail: readonly MailText[], numbers: WordNumbers): Pair[] {
  return mail.map((message) => [
    text(numbers, withoutMarks(message.subject)),
    text(numbers, message.text),
  ])
}

function halfPairs(mail: readonly MailText[], numbers: WordNumbers): Pair[] {
  return mail
    .map((message) => readText(numbers, message.text, 2 * TEXT_LENGTH_MAX))
    .filter((words) => words.length >= HALVES_WORDS_MIN)
    .map((words) => {
      const middle = words.length >> 1
      return [
        words.slice(0, Math.min(middle, TEXT_WORDS_MAX)),
        words.slice(middle, middle + TEXT_WORDS_MAX),
      ]
    })
}

function text(numbers: WordNumbers, from: string): Int32Array {
  return readText(numbers, from, TEXT_LENGTH_MAX).slice(0, TEXT_WORDS_MAX)
}

function withoutMarks(subject: string): string {
  let bare = subject.trim()
  for (let i = 0; i < SUBJECT_MARKS_MAX && SUBJECT_MARKS.test(bare); i++) {
    bare = bare.replace(SUBJECT_MARKS, '')
  }
  return bare
}
