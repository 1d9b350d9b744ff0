/**
 * A message as passages that tell more or less about its topic: its subject, its own text, what it
 * quotes, and what stands under many messages alike (signatures, list footers, how to unsubscribe).
 */
import type { Message } from '../message/message.ts'
import { readerText, subjectOf } from '../signals/text.ts'

export const PASSAGES = ['subject', 'own', 'quoted', 'footer'] as const

export type PassageName = (typeof PASSAGES)[number]

export type Passages = Readonly<Record<PassageName, string>>

/** How much each passage counts; chosen by retrieval (packages/lab/reports/embedding). */
export const PASSAGE_WEIGHTS: Readonly<Record<PassageName, number>> = {
  subject: 0.5,
  own: 1,
  quoted: 0.6,
  footer: 0.5,
}

/** Characters read of each passage: a message says at its beginning what it is about. */
export const PASSAGE_LENGTH_MAX: Readonly<Record<PassageName, number>> = {
  subject: 200,
  own: 1_500,
  quoted: 500,
  footer: 300,
}

/** Lines looked at. Each is matched against every rule below. */
const LINES_MAX = 400

/** Characters of a line that are matched. */
const LINE_LENGTH_MAX = 400

/** The share of the lines after which a line of dashes or underscores begins a list's footer; before that it divides paragraphs. */
const FOOTER_START_MIN = 0.5

/** 'Re:', 'Fwd:' and the same in other languages, and the name of a list. */
const SUBJECT_MARKS = /^(?:(?:re|fwd?|aw|wg|rv|tr|sv|vs|r|i|odp) ?: ?|\[[^\]]{0,60}\] ?)/i
const SUBJECT_MARKS_MAX = 5

const QUOTED_LINE = /^ ?[>|]/

/** 'On Monday, Ann wrote:', and what Outlook writes above the message that it replies to. */
const QUOTE_HEADING =
  /(?:wrote|writes|schrieb|escribió|a écrit|ha scritto|escreveu|schreef) ?:$|^-{2,20} ?(?:original message|ursprüngliche nachricht|forwarded message|mensaje original|message d'origine)/i
const SIGNATURE_MARK = /^--\s?$/
const FOOTER_RULE = /^[-_=*]{10}/

/** Phrases of the footers of bulk mail. */
const FOOTER_LINE =
  /unsubscribe|mailing list|opt.out|privacy policy|all rights reserved|view (?:it )?in (?:your )?browser|you (?:are receiv|receiv)|this email was sent|©|abmelden|impressum|datenschutz|cancelar (?:la )?suscripci|darse de baja|désabonner|désinscrire|disiscriv|cancelar inscri|afmelden|wypisz|отписаться|avregistrera/i

export function passagesOf(message: Message): Passages {
  const body = bodyPassages(readerText(message))
  return { subject: bareSubject(subjectOf(message)), ...body }
}

/** Divides a text into passages line by line, each of at most PASSAGE_LENGTH_MAX characters. */
export function bodyPassages(text: string): Omit<Passages, 'subject'> {
  const passages = { own: '', quoted: '', footer: '' }
  let rest: keyof typeof passages = 'own'
  let start = 0
  for (let line = 0; line < LINES_MAX && start < text.length; line++) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const seen = text.slice(start, Math.min(end, start + LINE_LENGTH_MAX)).trimEnd()
    if (startsFooter(seen, start / text.length)) rest = 'footer'
    else if (rest === 'own' && QUOTE_HEADING.test(seen)) rest = 'quoted'
    else if (rest === 'quoted' && seen === '') rest = 'own'
    const passage = passageOf(seen, rest)
    const room = PASSAGE_LENGTH_MAX[passage] - passages[passage].length
    if (room > 0) passages[passage] += `${text.slice(start, Math.min(end, start + room))}\n`
    start = end + 1
  }
  return passages
}

function startsFooter(line: string, position: number): boolean {
  if (SIGNATURE_MARK.test(line)) return true
  return position >= FOOTER_START_MIN && FOOTER_RULE.test(line)
}

function passageOf(line: string, rest: 'own' | 'quoted' | 'footer'): 'own' | 'quoted' | 'footer' {
  if (rest === 'footer' || FOOTER_LINE.test(line)) return 'footer'
  return QUOTED_LINE.test(line) ? 'quoted' : rest
}

/** The subject without the marks that answering and forwarding add. */
export function bareSubject(subject: string): string {
  let bare = subject.trim()
  for (let i = 0; i < SUBJECT_MARKS_MAX && SUBJECT_MARKS.test(bare); i++) {
    bare = bare.replace(SUBJECT_MARKS, '')
  }
  return bare.slice(0, PASSAGE_LENGTH_MAX.subject)
}
