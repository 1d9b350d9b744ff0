/**
 * Signals from the Subject: what it pretends (a reply, a list), how loud it is, and what is done
 * to its letters so that a filter reads another word than the reader.
 */
import type { Message } from '../message/message.ts'
import { fieldBodies, fieldBody, fieldsOf, isEncodedNeedlessly, mailboxesOf } from './fields.ts'
import { raised, type Signal } from './signal.ts'
import { looksAscii } from './skeleton.ts'
import { GAPPY_RUN_MIN, subjectOf, subjectTally } from './text.ts'

/** Longer than fits on any screen; RFC 5322 §2.1.1 asks for lines of 78. */
const LONG_MIN = 150

/** Fewer letters are an abbreviation: 'FYI', 'RSVP', 'URGENT' is six and counts. */
const CAPITALS_MIN = 6

/** From this share of capitals on a subject shouts, although some letters are small. */
const CAPITALS_SHARE_MIN = 0.6

/** A run of spaces that pushes what follows out of sight. */
const GAP = / {5}|\t{2}/

/** Reply and forward marks of mail programs in a dozen languages, with counters: 'Re:', 'AW:', 'RV:', 'Re[2]:'. */
const REPLY_MARK =
  /^\s*(?:re|aw|sv|antw|odp|vs|res|rif|回复|回覆|答复|返信|ответ)\s?(?:\[\d{1,3}\])?\s?[:：]/i
const FORWARD_MARK = /^\s*(?:fwd?|wg|tr|rv|enc|doorst|vl|pd|i|转发|轉寄)\s?[:：]/i

/** Shorter local parts ('joe', 'info') are words that may stand in any subject. */
const NAMED_LENGTH_MIN = 5

export function subjectSignals(message: Message): Signal[] {
  const bodies = fieldBodies(message, 'subject')
  if (bodies.length === 0) return raised({ SUBJECT_MISSING: true })
  const subject = subjectOf(message)
  const isEmpty = subject.trim() === ''
  const repeated = raised({
    SUBJECT_REPEATED: bodies.length > 1 && bodies.length,
    SUBJECT_EMPTY: isEmpty,
  })
  return isEmpty ? repeated : [...repeated, ...textSignals(message, subject)]
}

function textSignals(message: Message, subject: string): Signal[] {
  const counted = subjectTally(message)
  const { upper, lower, exclamations } = counted
  const isReply = REPLY_MARK.test(subject)
  const isForward = !isReply && FORWARD_MARK.test(subject)
  const refers =
    fieldBody(message, 'references') !== undefined ||
    fieldBody(message, 'in-reply-to') !== undefined
  const shouts = upper >= CAPITALS_MIN && upper >= (upper + lower) * CAPITALS_SHARE_MIN
  return raised({
    SUBJECT_REPLY: isReply && refers && subject,
    SUBJECT_REPLY_UNREFERENCED: isReply && !refers && subject,
    SUBJECT_FORWARD: isForward && refers && subject,
    SUBJECT_FORWARD_UNREFERENCED: isForward && !refers && subject,
    SUBJECT_TAG: /^\s*(?:re:\s*)?\[[^\]]{2,60}\]/i.test(subject) && subject,
    SUBJECT_ALL_CAPITALS: shouts && lower === 0 && subject,
    SUBJECT_MOSTLY_CAPITALS: shouts && lower > 0 && subject,
    SUBJECT_EXCLAMATION: exclamations === 1 && subject,
    SUBJECT_EXCLAMATIONS: exclamations > 1 && subject,
    SUBJECT_QUESTION: counted.questions > 0 && subject,
    SUBJECT_CURRENCY: counted.currencySigns > 0 && subject,
    SUBJECT_EMOJI: counted.pictographs > 0 && subject,
    SUBJECT_PERCENT: /\d\s?%/.test(subject) && subject,
    SUBJECT_LONG: message.subject.length >= LONG_MIN && message.subject.length,
    SUBJECT_ENCODED_NEEDLESSLY: isEncodedNeedlessly(message, 'subject') && subject,
    SUBJECT_RAW_8BIT: /[\x80-\xff]/.test(fieldsOf(message, 'subject')[0]!.rawBody) && subject,
    SUBJECT_GAPPY: counted.gappyRun >= GAPPY_RUN_MIN && subject,
    SUBJECT_GAP: GAP.test(subject) && subject,
    SUBJECT_INVISIBLE: counted.invisibleInWords > 0 && subject,
    SUBJECT_STYLED: counted.styled > 0 && subject,
    SUBJECT_SCRIPTS_MIXED: counted.mixedWords.some(looksAscii) && subject,
    SUBJECT_RANDOM_END: randomEnd(subject),
    SUBJECT_ADDRESS:
      subject.includes('@') && /[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}\.[a-z]{2}/i.test(subject),
    SUBJECT_LINK: /https?:\/\/|(?:^|\s)www\./i.test(subject) && subject,
    SUBJECT_NUMBER:
      /(?:#|no\.?\s|nr\.?\s|n[º°]\s?)\s?[a-z0-9-]{0,12}\d{3}/i.test(subject) && subject,
    SUBJECT_NAMES_RECIPIENT: namesRecipient(message, subject),
  })
}

function namesRecipient(message: Message, subject: string): boolean {
  const [only, second] = mailboxesOf(message, 'to')
  const localPart = only?.localPart.toLowerCase() ?? ''
  const isNameable = second === undefined && localPart.length >= NAMED_LENGTH_MIN
  return isNameable && subject.toLowerCase().includes(localPart)
}

/** Changes between letters and digits; 'COVID19' has one, 'a1b2c3' five. */
const RANDOM_TURNS_MIN = 3

/** Words have a vowel among four letters or so; 'strengths' is one in nine. */
const RANDOM_LETTERS_PER_VOWEL = 7

/** A last word that no one wrote: letters and digits in turn, or hardly a vowel. */
function randomEnd(subject: string): string | undefined {
  const token = /(?:^|[\s#([<:|-])([a-z0-9]{6,40})[)\]>.]?$/i.exec(subject)?.[1]
  if (token === undefined) return undefined
  const turns = token.match(/\d(?=\D)|\D(?=\d)/g)?.length ?? 0
  if (turns >= RANDOM_TURNS_MIN) return token
  const vowels = token.match(/[aeiouy]/gi)?.length ?? 0
  return !/\d/.test(token) && vowels * RANDOM_LETTERS_PER_VOWEL < token.length ? token : undefined
}
