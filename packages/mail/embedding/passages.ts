/**
 * What the sender of a message wrote for it: subject and own text, without what it quotes or forwards,
 * signature and footer, disclaimers, calendar syntax, and passages that many senders share
 * (features/common-text.ts). A user's correction is about this; frames, quotations and footers stand in
 * wanted mail alike.
 *
 * Quotation and signature by RFC 3676 §4.3-4.5, and as mail clients write them.
 */
import { type CommonText, isCommonPassage } from '../features/common-text.ts'
import type { Message } from '../message/message.ts'
import { readerText, subjectOf } from '../signals/text.ts'

export interface Passages {
  readonly subject: string
  readonly own: string
}

/** Characters of each passage that are compared. */
export const PASSAGE_LENGTH_MAX: Readonly<Record<keyof Passages, number>> = {
  subject: 200,
  own: 4_000,
}

/** Lines looked at. Stops a text of line breaks; each line is matched against every rule below. */
const LINES_MAX = 400

/** Characters of a line that are matched. */
const LINE_LENGTH_MAX = 400

/** Characters of a paragraph after which another is taken to begin. */
const PARAGRAPH_LENGTH_MAX = 4_000

/** Characters of a notice that is left out whole; of a longer paragraph only the sentences that say so are. */
const NOTICE_LENGTH_MAX = 1_500

/** The share of the text after which a line of dashes or underscores begins a list's footer; before that it divides paragraphs. */
const FOOTER_START_MIN = 0.5

/** A line below this length ends where its writer ended it; a longer one may have been wrapped (RFC 5322 §2.1.1 recommends 78). */
const WRAPPED_LENGTH_MIN = 55

/** 'Re:', 'Fwd:' and the same in other languages, and the name of a list. */
const SUBJECT_MARKS = /^(?:(?:re|fwd?|aw|wg|rv|tr|sv|vs|r|i|odp) ?: ?|\[[^\]]{0,60}\] ?)/i
const SUBJECT_MARKS_MAX = 5

const QUOTED_LINE = /^ ?[>|]/

/** 'On Monday, Ann wrote:'. */
const REPLY_HEADING =
  /(?:wrote|writes|schrieb|schreibt|escribió|a écrit|ha scritto|escreveu|schreef|skrev|napisał\(a\)|пишет|写道) ?: ?$/i

/** The date or the address in it: 'Our team wrote:' is text. */
const QUOTED_WHOM = /[\d@]/

/** What mail clients write above a message that is forwarded, or answered below one's own text. Everything below is somebody's message. */
const FORWARD_HEADING =
  /^[-_* ]{0,40}(?:original message|forwarded message|begin forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|anfang der weitergeleiteten|mensaje original|mensaje reenviado|message d'origine|message transféré|messaggio originale|messaggio inoltrato|mensagem original|mensagem encaminhada|oorspronkelijk bericht|doorgestuurd bericht|wiadomość oryginalna|пересылаемое сообщение)[-_*: ]{0,40}$/i

/** The header that Outlook repeats above a message: 'From: …', and 'Sent: …' within a few lines. */
const REPEATED_FROM = /^\*?(?:from|von|de|da|van|från|fra|od|от) ?:\*? /i
const REPEATED_DATE =
  /^\*?(?:sent|date|gesendet|datum|enviado(?: el)?|fecha|envoyé|inviato|data|verzonden|skickat|sendt|wysłano|отправлено|дата) ?:\*? /i
const REPEATED_HEADER_LINES = 4

const SIGNATURE_MARK = /^--\s?$/
const FOOTER_RULE = /^[-_=*]{10}/

/** What mailing list programs put above their footer, wherever in the text it stands. */
const LIST_RULE = /^_{20,80}$/

/** Characters of a line that is left out whole for such a phrase; of a longer one, a paragraph of HTML, only the sentence is. */
const FOOTER_LINE_LENGTH_MAX = 120

/** Phrases of the footers of bulk mail. */
const FOOTER_LINE =
  /unsubscribe|mailing list|opt.out|privacy policy|all rights reserved|view (?:it )?in (?:your )?browser|you (?:are receiv|receiv)|this email was sent|©|abmelden|abbestellen|austragen|mailingliste|impressum|datenschutz|cancelar (?:la )?suscripci|darse de baja|désabonner|désinscrire|disiscriv|cancelar inscri|afmelden|wypisz|отписаться|avregistrera/i

/** Phrases of confidentiality notices and of virus scanners' footers: they stand below mail of all senders of an organisation or product. */
const NOTICE =
  /intended (?:solely |only |exclusively )?for the (?:use of the )?(?:named |individual|person|addressee|recipient|intended|entity)|not the (?:intended|named) (?:recipient|addressee)|strictly prohibited|received (?:this|it) (?:e-?mail |message |communication )?(?:in error|by mistake)|confidential(?:ity)? (?:notice|information)|(?:is|are) confidential|legally privileged|vertrauliche? (?:und|oder|informationen)|nicht der (?:richtige |vorgesehene )?adressat|irrtümlich erhalten|confidentiel et|pas le destinataire|confidencial y|no es (?:usted )?el destinatario|riservat[aeo] e|virus.free|auf (?:viren|schadsoftware)|(?:checked|scanned) (?:for|by) |virenfrei|consider the environment|think before (?:you )?print|sent from my |get outlook for|von meinem .{2,20} gesendet|envoyé de mon |enviado desde mi /i

const REPORT_PART =
  /^message\/(?:global-)?(?:delivery-status|disposition-notification|feedback-report)$/

const SENTENCE_END = /(?<=[.!?:;。！？])\s+/

/** Lines of iCalendar (RFC 5545 §3.1): a name in capitals, parameters, a colon. */
const CALENDAR_LINE = /^(?:BEGIN|END|[A-Z][A-Z-]{2,30})(?:;[^:]{0,200})?:\S/

/** @param common passages that many senders share: they are left out. */
export function passagesOf(message: Message, common: CommonText): Passages {
  // A delivery report (RFC 6522) is a program's words about somebody's message: of its own it says nothing.
  if (isReport(message)) return { subject: '', own: '' }
  const subject = bareSubject(subjectOf(message))
  return {
    subject: isCommonPassage(common, subject) ? '' : subject,
    own: ownText(readerText(message), common),
  }
}

/** RFC 6522 §3: without its second part it is no report, whatever its header says. */
function isReport({ root, parts }: Message): boolean {
  return root.type === 'multipart/report' && parts.some(({ type }) => REPORT_PART.test(type))
}

/** What of `text` its sender wrote for it, at most PASSAGE_LENGTH_MAX.own characters, a line for each sentence. */
export function ownText(text: string, common: CommonText): string {
  let own = ''
  for (const paragraph of unwrapped(ownLines(text))) {
    if (own.length >= PASSAGE_LENGTH_MAX.own) break
    own += ownSentences(paragraph, common)
  }
  return own.slice(0, PASSAGE_LENGTH_MAX.own)
}

/** The sentences of all of a text: what is counted as passages. */
export function passagesIn(text: string): string[] {
  const lines = linesOf(text).map(({ seen }) => seen)
  return unwrapped(lines).flatMap((paragraph) => paragraph.split(SENTENCE_END))
}

/** Lines with those joined that were wrapped where a line was full. */
function unwrapped(lines: readonly string[]): string[] {
  const paragraphs: string[] = []
  let paragraph = ''
  for (const line of lines) {
    paragraph += line
    const goesOn = line.length >= WRAPPED_LENGTH_MIN && paragraph.length <= PARAGRAPH_LENGTH_MAX
    if (goesOn) paragraph += ' '
    else if (paragraph !== '') {
      paragraphs.push(paragraph)
      paragraph = ''
    }
  }
  if (paragraph !== '') paragraphs.push(paragraph)
  return paragraphs
}

/** The lines before a signature, a footer or a forwarded message, without those quoted; '' between paragraphs. */
function ownLines(text: string): string[] {
  const lines = linesOf(text)
  const own: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const { seen, position } = lines[i]!
    // Above the first line of a message's own there is no signature.
    if (startsFooter(seen, position) && own.some((line) => line !== '')) break
    if (startsForwarded(lines, i)) break
    const isHeading = REPLY_HEADING.test(seen)
    if (isHeading && QUOTED_LINE.test(nextLine(lines, i))) {
      // Below a quotation marked line by line the sender may go on; an unmarked one has no end.
      own.push('')
      continue
    }
    if (isHeading && QUOTED_WHOM.test(seen)) break
    if (!QUOTED_LINE.test(seen) && !isFooterLine(seen) && !CALENDAR_LINE.test(seen)) own.push(seen)
  }
  return own
}

function isFooterLine(line: string): boolean {
  return line.length <= FOOTER_LINE_LENGTH_MAX && FOOTER_LINE.test(line)
}

interface Line {
  /** What is matched of it, without white space around it. */
  readonly seen: string
  /** Where in the text it begins, in [0, 1]. */
  readonly position: number
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (let start = 0; lines.length < LINES_MAX && start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const seen = text.slice(start, Math.min(end, start + LINE_LENGTH_MAX)).trim()
    lines.push({ seen, position: start / text.length })
    // The rest of a long line is a line of its own: HTML has paragraphs in one line.
    start = end > start + LINE_LENGTH_MAX ? start + LINE_LENGTH_MAX : end + 1
  }
  return lines
}

function startsFooter(line: string, position: number): boolean {
  if (SIGNATURE_MARK.test(line) || LIST_RULE.test(line)) return true
  return position >= FOOTER_START_MIN && FOOTER_RULE.test(line)
}

function startsForwarded(lines: readonly Line[], at: number): boolean {
  const { seen } = lines[at]!
  if (FORWARD_HEADING.test(seen)) return true
  if (!REPEATED_FROM.test(seen)) return false
  return lines
    .slice(at + 1, at + 1 + REPEATED_HEADER_LINES)
    .some((line) => REPEATED_DATE.test(line.seen))
}

/** The next line with something on it. */
function nextLine(lines: readonly Line[], at: number): string {
  return lines.slice(at + 1, at + 4).find(({ seen }) => seen !== '')?.seen ?? ''
}

/** The sentences that are no notice and not shared by many senders, each with a line end. */
function ownSentences(paragraph: string, common: CommonText): string {
  if (paragraph.length <= NOTICE_LENGTH_MAX && NOTICE.test(paragraph)) return ''
  let kept = ''
  for (const sentence of paragraph.split(SENTENCE_END)) {
    if (sentence === '' || NOTICE.test(sentence) || FOOTER_LINE.test(sentence)) continue
    if (isCommonPassage(common, sentence)) continue
    kept += `${sentence}\n`
  }
  return kept
}

/** The subject without the marks that answering and forwarding add. */
export function bareSubject(subject: string): string {
  let bare = subject.trim()
  for (let i = 0; i < SUBJECT_MARKS_MAX && SUBJECT_MARKS.test(bare); i++) {
    bare = bare.replace(SUBJECT_MARKS, '')
  }
  return bare.slice(0, PASSAGE_LENGTH_MAX.subject)
}
