/** The text of a message as its reader sees it: what content, language and word signals look at. */
import { isUnreadContainer } from '../message/containers.ts'
import { TEXT_HEAD_BYTES, TEXT_TAIL_BYTES } from '../message/limits.ts'
import type { Message, TextBody } from '../message/message.ts'
import { typeByName } from '../message/text-bodies.ts'
import { type Tally, tally } from './characters.ts'
import { perMessage } from './per-message.ts'
import { raised, type Signal } from './signal.ts'
import { looksAscii } from './skeleton.ts'

/** Characters of text looked at. 20,000 are some ten pages. */
export const TEXT_LENGTH_MAX = 20_000

/** 'a b c' may be a list; four single letters in a row and more are one word. */
export const GAPPY_RUN_MIN = 4

/** How many of these characters are from the end of a longer text: small print stands there, and text hidden behind padding. */
const TEXT_TAIL_LENGTH = 4_000

/** And how many from its start. */
export const TEXT_HEAD_LENGTH = TEXT_LENGTH_MAX - TEXT_TAIL_LENGTH

/** Where HTML says less than this share of what the plain text beside it says, it is a footer that a list added. */
const ALTERNATIVE_SHARE_MIN = 0.25

/** Visible text in the order of its bodies, at most TEXT_LENGTH_MAX characters: that of plain text too where the HTML beside it is only a footer. */
export const readerText = perMessage((message: Message): string =>
  textOf(shownBodies(message.texts), TEXT_LENGTH_MAX),
)

/** Characters in which a stretch is looked for: all that is read of one body, so that spam between innocent pages is seen. */
const LONG_TEXT_LENGTH_MAX = TEXT_HEAD_BYTES + TEXT_TAIL_BYTES

/** The text of `readerText` up to LONG_TEXT_LENGTH_MAX characters. */
export const longReaderText = perMessage((message: Message): string => {
  const text = readerText(message)
  if (text.length < TEXT_LENGTH_MAX) return text
  return textOf(shownBodies(message.texts), LONG_TEXT_LENGTH_MAX)
})

/** Those of `texts` that a reader is shown. */
export function shownBodies(texts: readonly TextBody[]): readonly TextBody[] {
  const shown = texts.filter(({ replaced }) => !replaced)
  if (shown.length === texts.length) return texts
  const html = textOf(shown.filter(({ kind }) => kind === 'html'))
  const plain = textOf(texts.filter(({ replaced }) => replaced))
  return html !== '' && html.length >= plain.length * ALTERNATIVE_SHARE_MIN ? shown : texts
}

/** A word between white space; a character of a script that writes none between words. */
const WORD =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]|[^\s\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+/gu

/** Whether `text` has more than `most` words. */
export function hasMoreWords(text: string, most: number): boolean {
  let words = 0
  for (const _ of text.matchAll(WORD)) if (++words > most) return true
  return false
}

/** The characters of `readerText`. */
export const textTally = perMessage((message: Message): Tally => tally(readerText(message)))

/** Characters of a subject looked at. RFC 5322 §2.1.1 has lines of at most 998, folded lines any length. */
const SUBJECT_LENGTH_MAX = 500

/** The subject, at most SUBJECT_LENGTH_MAX characters. */
export function subjectOf(message: Message): string {
  return message.subject.slice(0, SUBJECT_LENGTH_MAX)
}

/** The characters of `subjectOf`. */
export const subjectTally = perMessage((message: Message): Tally => tally(subjectOf(message)))

/** Visible text of `bodies`: all of it, or the first and last of `lengthMax` characters. */
export function textOf(bodies: readonly TextBody[], lengthMax: number = TEXT_LENGTH_MAX): string {
  const text = bodies
    .map((body) => body.visible)
    .join('\n')
    .trim()
  if (text.length <= lengthMax) return text
  return text.slice(0, lengthMax - TEXT_TAIL_LENGTH) + text.slice(-TEXT_TAIL_LENGTH)
}

/** The least share of the text that must be looked at for a message to count as read. */
const READ_SHARE_MIN = 0.5

/** Bytes of an attached text that might say something. */
const ATTACHED_TEXT_MIN = 120

/** Text beside a container below which the container is the message. */
const BESIDE_CONTAINER_MAX = 120

/** Whether all that `message` says is in a container that was not read: it is encrypted, a piece of a message, a winmail.dat of RTF. */
export function saysNothingOutsideContainer({ parts, texts }: Message): boolean {
  return parts.some(isUnreadContainer) && !texts.some(({ source }) => /\S/.test(source))
}

/** Whether so much text was left unread that a message which is taken for good may be none. */
export function isTextUnread(message: Message): boolean {
  const { texts, parts, attachments } = message
  const length = texts.reduce((sum, { visible }) => sum + visible.length, 0)
  return (
    length * READ_SHARE_MIN > TEXT_LENGTH_MAX ||
    texts.some(({ truncated }) => truncated) ||
    (parts.some(isUnreadContainer) && readerText(message).length < BESIDE_CONTAINER_MAX) ||
    parts.some(
      ({ type, fileName, disposition, bodyBytes }) =>
        disposition === 'attachment' &&
        isTextType(typeByName(type, fileName)) &&
        bodyBytes >= ATTACHED_TEXT_MIN,
    ) ||
    // Those that stand encoded in a text are no parts.
    attachments.some(
      ({ type, disposition, bytes }) =>
        disposition === 'attachment' && isTextType(type) && bytes >= ATTACHED_TEXT_MIN,
    )
  )
}

function isTextType(type: string): boolean {
  return type === 'text/plain' || type === 'text/html'
}

/** Two words may be a slip of the keyboard layout; three were made. */
const MIXED_WORDS_MIN = 2

/** Invisible characters inside words; one may come from copying. */
const INVISIBLE_MIN = 3

/** Letters that a text needs for its shares to mean anything. */
const LETTERS_MIN = 100

const CAPITALS_SHARE_MIN = 0.35
const EXCLAMATIONS_MIN = 4
const EXCLAMATIONS_MANY = 10
const CURRENCY_SIGNS_MIN = 5
const EMOJI_MIN = 3
const STYLED_MIN = 10

/** Signals from what is done to words so that a filter does not know them, and from how loud they are. */
export function textStyleSignals(message: Message): Signal[] {
  const counted = textTally(message)
  const { exclamations } = counted
  const mixed = counted.mixedWords.filter(looksAscii)
  const capitals = counted.letters < LETTERS_MIN ? 0 : counted.upper / counted.letters
  const isMany = exclamations >= EXCLAMATIONS_MANY
  return raised({
    WORDS_SCRIPTS_MIXED: mixed.length >= MIXED_WORDS_MIN && mixed[0],
    WORDS_INVISIBLE: counted.invisibleInWords >= INVISIBLE_MIN && counted.invisibleInWords,
    WORDS_STYLED: counted.styled >= STYLED_MIN && counted.styled,
    WORDS_GAPPY: counted.gappyRun >= GAPPY_RUN_MIN,
    WORDS_CAPITALS: capitals >= CAPITALS_SHARE_MIN && capitals.toFixed(2),
    WORDS_MANY_EXCLAMATIONS: isMany && exclamations,
    WORDS_EXCLAMATIONS: !isMany && exclamations >= EXCLAMATIONS_MIN && exclamations,
    WORDS_MANY_CURRENCY_SIGNS: counted.currencySigns >= CURRENCY_SIGNS_MIN && counted.currencySigns,
    WORDS_EMOJI: counted.pictographs >= EMOJI_MIN && counted.pictographs,
    WORDS_LONG_TEXT: counted.length >= TEXT_LENGTH_MAX,
  })
}
