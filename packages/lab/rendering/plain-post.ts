/** Mail that is plain text wherever it comes from: posts through mailing lists, and bounces. */
import type { Dice } from './dice.ts'
import { mailboxText } from './header.ts'
import type { Letter } from './letter.ts'
import { type MimeHabit, multipart, textEntity } from './mime.ts'
import { typedText } from './personal.ts'
import { assembled, valuesOf } from './sending.ts'
import { readTemplate } from './templates.ts'
import type { WrittenMessage } from './written-message.ts'

const PLAIN_MIME: MimeHabit = {
  boundary: '{HEX:10}.{digits:10}/{hostLabel}',
  charset: '"utf-8"',
  narrowCharsets: true,
  plainEncoding: '8bit',
  htmlEncoding: '8bit',
}

const SPELLING = { words: 'Q', charset: 'utf-8', quoteNames: false } as const

/** Mailman 2 in front of whatever the author sent. */
const LIST_HEADER = readTemplate('list-header.txt')

const BOUNCE_HEADER = readTemplate('bounce-header.txt')

/** Bounces that come as a report (RFC 3464), as those of all but the oldest systems do. */
const REPORT_SHARE = 0.7

/** Posts that name the list in To, as Mailman leaves them; the others name the reader. */
const TO_LIST_SHARE = 0.7

/** Announcements, which nobody answers, that come from the list's own address. */
const FROM_LIST_SHARE = 0.3

export function listMessage(message: WrittenMessage, letter: Letter, dice: Dice): Uint8Array {
  const usual = valuesOf(message, letter, SPELLING, dice)
  const isReply = /^re:/i.test(message.subject)
  const references = isReply
    ? `<${dice.characters('abcdef0123456789', 24)}@${letter.fromHost}>`
    : undefined
  const address = `${usual.slug}@lists.${usual.domain}`
  const isFromList = dice.chance(FROM_LIST_SHARE) && !isReply
  const spelling = { encoding: SPELLING.words, charset: SPELLING.charset, quote: false }
  const values = {
    ...usual,
    references,
    to: dice.chance(TO_LIST_SHARE) ? address : usual.to,
    from: isFromList ? mailboxText(letter.from.name, address, spelling) : usual.from,
  }
  const entity = textEntity('plain', `${typedText(message.body)}\n`, PLAIN_MIME)
  return assembled(LIST_HEADER, values, 'lists.{domain}', letter, entity, dice)
}

export function bounceMessage(message: WrittenMessage, letter: Letter, dice: Dice): Uint8Array {
  const values = valuesOf(message, letter, SPELLING, dice)
  const text = textEntity('plain', `${typedText(message.body)}\n`, PLAIN_MIME)
  const mime = { ...PLAIN_MIME, boundary: '{HEX:10}.{digits:10}/mail' }
  const entity = dice.chance(REPORT_SHARE)
    ? multipart('report', [text, statusOf(letter)], mime, dice, ' report-type=delivery-status;')
    : text
  return assembled(
    BOUNCE_HEADER,
    { ...values, returnPath: '' },
    'mail.{domain}',
    letter,
    entity,
    dice,
  )
}

function statusOf(letter: Letter) {
  const body = `Reporting-MTA: dns; mail.${letter.fromDomain}\r\n\r\nFinal-Recipient: rfc822; reader@${letter.fromDomain}\r\nAction: failed\r\nStatus: 5.1.1\r\n`
  return { type: 'message/delivery-status', encoding: undefined, otherFields: [], body }
}
