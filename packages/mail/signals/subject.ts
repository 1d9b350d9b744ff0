/**
 * Signals from the Subject: what it pretends (a reply, a list), how loud it is, and what is done
 * to its letters so that a filter reads another word than the reader.
 */
import type { Message } from '../message/message.ts'
import { fieldBodies, fieldBody, fieldsOf, isEncodedNeedlessly, mailboxesOf } from './fields.ts'
import { type Signal, signal } from './signal.ts'
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

/** Shortest token at the end that is looked at for being random. */
const RANDOM_LENGTH_MIN = 6

export function subjectSignals(message: Message): Signal[] {
  const bodies = fieldBodies(message, 'subject')
  if (bodies.length === 0) return [signal('SUBJECT_MISSING')]
  const subject = subjectOf(message)
  const repeated = bodies.length > 1 ? [signal('SUBJECT_REPEATED', String(bodies.length))] : []
  if (subject.trim() === '') return [...repeated, signal('SUBJECT_EMPTY')]
  return [
    ...repeated,
    ...threadSignals(message, subject),
    ...loudnessSignals(message, subject),
    ...disguiseSignals(message, subject),
    ...contentSignals(message, subject),
  ]
}

function threadSignals(message: Message, subject: string): Signal[] {
  const refers =
    fieldBody(message, 'references') !== undefined ||
    fieldBody(message, 'in-reply-to') !== undefined
  const found: Signal[] = []
  if (REPLY_MARK.test(subject)) {
    found.push(signal(refers ? 'SUBJECT_REPLY' : 'SUBJECT_REPLY_UNREFERENCED', subject))
  } else if (FORWARD_MARK.test(subject)) {
    found.push(signal(refers ? 'SUBJECT_FORWARD' : 'SUBJECT_FORWARD_UNREFERENCED', subject))
  }
  if (subject.includes('[') && /^\s*(?:re:\s*)?\[[^\]]{2,60}\]/i.test(subject))
    found.push(signal('SUBJECT_TAG', subject))
  return found
}

function loudnessSignals(message: Message, subject: string): Signal[] {
  const counted = subjectTally(message)
  const found: Signal[] = []
  if (counted.upper >= CAPITALS_MIN) {
    if (counted.lower === 0) found.push(signal('SUBJECT_ALL_CAPITALS', subject))
    else if (counted.upper >= (counted.upper + counted.lower) * CAPITALS_SHARE_MIN) {
      found.push(signal('SUBJECT_MOSTLY_CAPITALS', subject))
    }
  }
  if (counted.exclamations === 1) found.push(signal('SUBJECT_EXCLAMATION', subject))
  if (counted.exclamations > 1) found.push(signal('SUBJECT_EXCLAMATIONS', subject))
  if (counted.questions > 0) found.push(signal('SUBJECT_QUESTION', subject))
  if (counted.currencySigns > 0) found.push(signal('SUBJECT_CURRENCY', subject))
  if (counted.pictographs > 0) found.push(signal('SUBJECT_EMOJI', subject))
  if (subject.includes('%') && /\d\s?%/.test(subject))
    found.push(signal('SUBJECT_PERCENT', subject))
  if (message.subject.length >= LONG_MIN) {
    found.push(signal('SUBJECT_LONG', String(message.subject.length)))
  }
  return found
}

function disguiseSignals(message: Message, subject: string): Signal[] {
  const counted = subjectTally(message)
  const field = fieldsOf(message, 'subject')[0]!
  const found: Signal[] = []
  if (isEncodedNeedlessly(message, 'subject'))
    found.push(signal('SUBJECT_ENCODED_NEEDLESSLY', subject))
  if (/[\x80-\xff]/.test(field.rawBody)) found.push(signal('SUBJECT_RAW_8BIT', subject))
  if (counted.gappyRun >= GAPPY_RUN_MIN) found.push(signal('SUBJECT_GAPPY', subject))
  if (GAP.test(subject)) found.push(signal('SUBJECT_GAP', subject))
  if (counted.invisibleInWords > 0) found.push(signal('SUBJECT_INVISIBLE', subject))
  if (counted.styled > 0) found.push(signal('SUBJECT_STYLED', subject))
  if (counted.mixedWords.some(looksAscii)) found.push(signal('SUBJECT_SCRIPTS_MIXED', subject))
  const random = randomEnd(subject)
  if (random !== undefined) found.push(signal('SUBJECT_RANDOM_END', random))
  return found
}

/** A last word that no one wrote: letters and digits in turn, or hardly a vowel. */
function randomEnd(subject: string): string | undefined {
  const token = /(?:^|[\s#([<:|-])([a-z0-9]{6,40})[)\]>.]?$/i.exec(subject)?.[1]
  if (token === undefined || token.length < RANDOM_LENGTH_MIN) return undefined
  let turns = 0
  for (let at = 1; at < token.length; at += 1) {
    if (isDigit(token[at]!) !== isDigit(token[at - 1]!)) turns += 1
  }
  if (turns >= RANDOM_TURNS_MIN) return token
  const vowels = token.match(/[aeiouy]/gi)?.length ?? 0
  const digits = token.match(/\d/g)?.length ?? 0
  return digits === 0 && vowels * RANDOM_LETTERS_PER_VOWEL < token.length ? token : undefined
}

/** Changes between letters and digits; 'COVID19' has one, 'a1b2c3' five. */
const RANDOM_TURNS_MIN = 3

/** Words have a vowel among four letters or so; 'strengths' is one in nine. */
const RANDOM_LETTERS_PER_VOWEL = 7

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

/** Shorter local parts ('joe', 'info') are words that may stand in any subject. */
const NAMED_LENGTH_MIN = 5

function contentSignals(message: Message, subject: string): Signal[] {
  const found: Signal[] = []
  if (subject.includes('@') && /[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}\.[a-z]{2}/i.test(subject)) {
    found.push(signal('SUBJECT_ADDRESS'))
  }
  if (/https?:\/\/|(?:^|\s)www\./i.test(subject)) found.push(signal('SUBJECT_LINK', subject))
  if (/(?:#|no\.?\s|nr\.?\s|n[º°]\s?)\s?[a-z0-9-]{0,12}\d{3}/i.test(subject)) {
    found.push(signal('SUBJECT_NUMBER', subject))
  }
  const small = subject.toLowerCase()
  const [only, second] = mailboxesOf(message, 'to')
  const localPart = only?.localPart.toLowerCase() ?? ''
  if (second === undefined && localPart.length >= NAMED_LENGTH_MIN && small.includes(localPart)) {
    found.push(signal('SUBJECT_NAMES_RECIPIENT'))
  }
  return found
}
