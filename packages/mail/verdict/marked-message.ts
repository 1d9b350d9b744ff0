/**
 * The text of a message as its reader sees it, with what each word said for or against spam, for a
 * person who asks why. The text model knows words in the form that normalise.ts gives them; here they
 * are located in the original text. Words that mean nothing by themselves are left unmarked: of "your" a person learns nothing.
 */

import { normalise } from '../features/normalise.ts'
import type { Span } from '../features/sparse-vector.ts'
import {
  BODY_HEAD_LENGTH,
  BODY_TAIL_LENGTH,
  isUnspaced,
  SUBJECT_LENGTH_MAX,
} from '../features/text-features.ts'
import type { Message } from '../message/message.ts'
import { readerText } from '../signals/text.ts'
import { isMeaningless } from './wording.ts'

/** A stretch of a text, in UTF-16 code units, and what it adds to the fused logit. */
export interface Mark {
  readonly start: number
  readonly end: number
  readonly logit: number
}

export interface MarkedText {
  readonly text: string
  /** In order, without overlaps. */
  readonly marks: readonly Mark[]
}

export interface MarkedMessage {
  readonly subject: MarkedText
  /** The visible text, at most TEXT_LENGTH_MAX characters of it. */
  readonly body: MarkedText & {
    /** The part that the text model does not look at: the middle of a long text. */
    readonly unread: { readonly start: number; readonly end: number } | null
  }
}

/** What the text feature of `span` adds to the fused logit; 0 for a feature that the message does not have. */
export type LogitOf = (span: Span) => number

/** Characters of a subject that are shown: longer subjects are padding, and no window has room for them. */
const SUBJECT_SHOWN_MAX = 1_000

/** Weaker words are left unmarked: a tenth of a percent of probability at most. */
const LOGIT_MIN = 0.004

/** A word as the model saw it, and where it stands. */
interface Word {
  readonly word: string
  readonly start: number
  readonly end: number
}

/** The subject and visible text of `message` with their marks. */
export function markedMessage(message: Message, logitOf: LogitOf): MarkedMessage {
  const subject = message.subject.slice(0, SUBJECT_SHOWN_MAX)
  const body = readerText(message)
  const [head, tail] = stretchesRead(body)
  return {
    subject: {
      text: subject,
      marks: marksIn(subject.slice(0, SUBJECT_LENGTH_MAX), 0, ['subject', 'message'], logitOf),
    },
    body: {
      text: body,
      marks: [head, tail].flatMap((it) =>
        it === undefined
          ? []
          : marksIn(body.slice(it.start, it.end), it.start, ['message'], logitOf),
      ),
      unread: tail === undefined ? null : { start: head.end, end: tail.start },
    },
  }
}

type Stretch = { readonly start: number; readonly end: number }

function stretchesRead({ length }: string): [head: Stretch, tail?: Stretch] {
  if (length <= BODY_HEAD_LENGTH + BODY_TAIL_LENGTH) return [{ start: 0, end: length }]
  return [
    { start: 0, end: BODY_HEAD_LENGTH },
    { start: length - BODY_TAIL_LENGTH, end: length },
  ]
}

/** A word has its own weight in each of `views`, and half that of the pairs it stands in. */
function marksIn(text: string, offset: number, views: readonly string[], logitOf: LogitOf): Mark[] {
  const words = wordsIn(text)
  const pairs = words.map(({ word }, i) => {
    const next = words[i + 1]?.word
    if (next === undefined) return 0
    return logitOf({ view: 'message', kind: 'pair', text: `${word} ${next}` })
  })
  return words.flatMap(({ word, start, end }, i) => {
    if (isMeaningless(word)) return []
    const own = views.reduce((sum, view) => sum + wordLogit(view, word, logitOf), 0)
    const logit = own + ((pairs[i - 1] ?? 0) + pairs[i]!) / 2
    return Math.abs(logit) < LOGIT_MIN ? [] : [{ start: offset + start, end: offset + end, logit }]
  })
}

/** The logit of a word; for a run of a script without spaces it is that of its pairs of characters. */
function wordLogit(view: string, word: string, logitOf: LogitOf): number {
  if (!isUnspaced(word.charCodeAt(0))) return logitOf({ view, kind: 'word', text: word })
  let sum = 0
  for (let at = 0; at + 2 <= word.length; at++) {
    sum += logitOf({ view, kind: 'word', text: word.slice(at, at + 2) })
  }
  return sum
}

/** Letters and what may occur within a word; invisible characters do not divide it. */
const WORD = /[\p{L}\p{N}\p{M}\p{S}\p{Cf}$%+]+/gu

function wordsIn(text: string): Word[] {
  return Array.from(text.matchAll(/\S+/g)).flatMap(({ 0: run, index: start }) => {
    const whole = { word: normalise(run), start, end: start + run.length }
    if (!whole.word.includes(' ')) return whole.word === '' ? [] : [trimmed(whole, run)]
    return Array.from(run.matchAll(WORD)).flatMap(({ 0: piece, index }) => {
      const word = normalise(piece)
      const from = start + index
      return word === '' || word.includes(' ')
        ? []
        : [{ word, start: from, end: from + piece.length }]
    })
  })
}

/** The word without the punctuation around it, unless it is a link or an address. */
function trimmed(word: Word, run: string): Word {
  if (word.word.includes('\u0001')) return word
  const pieces = Array.from(run.matchAll(WORD))
  const [first] = pieces
  const last = pieces.at(-1)
  if (first === undefined || last === undefined) return word
  return {
    word: word.word,
    start: word.start + first.index,
    end: word.start + last.index + last[0].length,
  }
}
