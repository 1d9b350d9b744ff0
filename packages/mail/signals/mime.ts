/**
 * Signals from the MIME structure (RFC 2045, 2046): conflicts in it, what kinds of bodies there
 * are, and bodies whose forms tell different things.
 *
 * A structure that two programs read differently shows the filter one text and the reader
 * another. Mail programs make no such mistakes; careless scripts and attackers do.
 */
import type { Message } from '../message/message.ts'
import { aspect } from './aspect.ts'
import { fieldBody } from './fields.ts'
import { webTargets } from './link-targets.ts'
import { type Signal, signal } from './signal.ts'
import { readerText, textOf } from './text.ts'

export const mimeAspect = aspect('mime', mimeSignals, {
  MIME_BARE_CR: `A carriage return has no line feed after it.
    A line that ends in CR alone`,
  MIME_NUL_BYTE: `The message has a zero byte.
    A zero byte in the text`,
  MIME_HEADER_LINE_MALFORMED: `A line of the header is neither a field nor the continuation of one.
    A header line without a colon`,
  MIME_HEADER_UNTERMINATED: `No empty line ends the header.
    A message that stops within its header`,
  MIME_CONTENT_TYPE_REPEATED: `A part has more than one Content-Type.
    Content-Type: text/plain and Content-Type: text/html`,
  MIME_CONTENT_TYPE_MALFORMED: `A Content-Type cannot be read.
    Content-Type: html`,
  MIME_TRANSFER_ENCODING_REPEATED: `A part has more than one Content-Transfer-Encoding.
    Content-Transfer-Encoding: 7bit and base64`,
  MIME_TRANSFER_ENCODING_UNKNOWN: `A Content-Transfer-Encoding is unknown.
    Content-Transfer-Encoding: base65`,
  MIME_MULTIPART_ENCODED: `A multipart is itself encoded, which RFC 2045 forbids.
    Content-Type: multipart/mixed with Content-Transfer-Encoding: base64`,
  MIME_BOUNDARY_REPEATED: `A Content-Type has more than one boundary parameter.
    boundary=a; boundary=b`,
  MIME_BOUNDARY_MISSING: `A multipart has no boundary parameter.
    Content-Type: multipart/mixed`,
  MIME_BOUNDARY_NEVER_USED: `The boundary of a multipart does not occur in it.
    boundary=a, and no line --a`,
  MIME_BOUNDARY_INSIDE_LINE: `A boundary is in the middle of a line.
    text --a`,
  MIME_BOUNDARY_UNTERMINATED: `A multipart has no end.
    boundary=a, and no line --a--`,
  MIME_BASE64_MALFORMED: `A body in base64 has other characters in it.
    A base64 body with '!' in it`,
  MIME_QUOTED_PRINTABLE_MALFORMED: `A body in quoted-printable has an invalid '='.
    =ZZ in a quoted-printable body`,
  MIME_ENCODED_WORD_MALFORMED: `An encoded word of the header cannot be decoded.
    Subject: =?utf-8?X?abc?=`,
  MIME_CHARSET_UNKNOWN: `A charset is unknown.
    charset=utf-88`,
  MIME_CHARSET_MISMATCH: `The text is not in the charset it declares.
    charset=us-ascii and bytes beyond ASCII`,
  MIME_TEXT_AFTER_END: `There is text after the end of a multipart, where no reader sees it.
    A paragraph below --a--`,
  MIME_LIMIT_REACHED: `The message exceeds a limit, so part of it was not read.
    Thousands of parts`,
  MIME_VERSION_MISSING: `The message has a Content-Type but no MIME-Version.
    Content-Type: text/html without MIME-Version`,
  MIME_MANY_PARTS: `The message has twenty parts or more.
    A letter with twenty pictures`,
  MIME_NESTED_MESSAGE: `The message contains another message.
    A part of type message/rfc822`,
  MIME_SIGNED: `The message is signed with OpenPGP or S/MIME.
    Content-Type: multipart/signed`,
  MIME_ENCRYPTED: `The message is encrypted or wrapped with OpenPGP or S/MIME.
    Content-Type: multipart/encrypted`,
  MIME_BODY_UNREAD: `The body is not empty, and nothing could be read from it.
    A body in an encoding that does not exist`,
  MIME_BODY_EMPTY: `The message has no visible text, no picture and no attachment.
    A header and nothing else`,
  MIME_PLAIN_ONLY: `The message has plain text and no HTML.
    Content-Type: text/plain`,
  MIME_HTML_ONLY: `The message has HTML but no plain text.
    Content-Type: text/html`,
  MIME_PLAIN_AND_HTML: `The message has both plain text and HTML.
    Content-Type: multipart/alternative`,
  MIME_BASE64_ASCII: `Text is in base64 although all of it is ASCII.
    Content-Transfer-Encoding: base64, text 'Hello'`,
  MIME_IMAGE_ONLY: `The message has pictures and at most 100 characters of text.
    One picture and 'Click to see'`,
  MIME_TINY_WITH_LINK: `The message has a link and at most 200 characters of text.
    'Hi, look at this' and a link`,
  MIME_PLAIN_PLACEHOLDER: `The plain text has hardly any words of the HTML.
    'This is an HTML message' beside a whole letter in HTML`,
  MIME_ALTERNATIVES_DIFFER: `Plain text and HTML have fewer than a fifth of their words in common.
    A piece of a novel as plain text, an offer as HTML`,
})

/** More parts than a letter with a few pictures has. */
const MANY_PARTS_MIN = 20

/** Less text than this is no letter: a picture or a link has to say the rest. */
const LITTLE_TEXT_MAX = 100

/** Text so short that its link is all there is to it: a greeting and a line. */
const TINY_TEXT_MAX = 200

function mimeSignals(message: Message): Signal[] {
  return [
    ...message.oddities.map((oddity) => signal(`MIME_${oddity}`)),
    ...structureSignals(message),
    ...bodySignals(message),
    ...alternativeSignals(message),
  ]
}

function structureSignals(message: Message): Signal[] {
  const found: Signal[] = []
  if (message.limitsReached.length > 0) {
    found.push(signal('MIME_LIMIT_REACHED', message.limitsReached.join(' ')))
  }
  const hasContentType = message.root.fields.some((field) => field.name === 'content-type')
  if (hasContentType && fieldBody(message, 'mime-version') === undefined) {
    found.push(signal('MIME_VERSION_MISSING'))
  }
  if (message.parts.length >= MANY_PARTS_MIN) {
    found.push(signal('MIME_MANY_PARTS', String(message.parts.length)))
  }
  if (message.parts.some((part) => part.type === 'message/rfc822')) {
    found.push(signal('MIME_NESTED_MESSAGE'))
  }
  const protection = message.parts.find((part) => PROTECTED_TYPES.has(part.type))
  if (protection !== undefined) {
    const encrypted = protection.type !== 'multipart/signed'
    found.push(signal(encrypted ? 'MIME_ENCRYPTED' : 'MIME_SIGNED', protection.type))
  }
  return found
}

/** OpenPGP and S/MIME, RFC 3156 and 8551. */
const PROTECTED_TYPES: ReadonlySet<string> = new Set([
  'multipart/signed',
  'multipart/encrypted',
  'application/pkcs7-mime',
  'application/x-pkcs7-mime',
])

function bodySignals(message: Message): Signal[] {
  if (message.bodyUnread) return [signal('MIME_BODY_UNREAD')]
  const found: Signal[] = []
  const hasHtml = message.texts.some((body) => body.kind === 'html')
  const hasPlain = message.texts.some((body) => body.kind === 'plain')
  if (hasHtml) found.push(signal(hasPlain ? 'MIME_PLAIN_AND_HTML' : 'MIME_HTML_ONLY'))
  else if (hasPlain) found.push(signal('MIME_PLAIN_ONLY'))

  if (isAsciiInBase64(message)) found.push(signal('MIME_BASE64_ASCII'))

  const text = readerText(message)
  const images = message.texts.reduce((sum, body) => sum + (body.html?.images.length ?? 0), 0)
  const attachedImages = message.attachments.filter((it) => it.type.startsWith('image/')).length
  if (text === '' && images === 0 && message.attachments.length === 0) {
    found.push(signal('MIME_BODY_EMPTY'))
  } else if (text.length <= LITTLE_TEXT_MAX && images + attachedImages > 0) {
    found.push(signal('MIME_IMAGE_ONLY', `${images + attachedImages} images`))
  } else if (text.length <= TINY_TEXT_MAX && webTargets(message).length > 0) {
    found.push(signal('MIME_TINY_WITH_LINK', webTargets(message)[0]!.host))
  }
  return found
}

/** Characters of each text that are looked at for being ASCII. */
const ASCII_LOOKED_AT_MAX = 20_000

/**
 * True when a text part in base64 has nothing but ASCII in it. Which text came from which part is
 * not kept, so that all texts must be ASCII.
 */
function isAsciiInBase64(message: Message): boolean {
  const isEncoded = message.parts.some(
    (part) =>
      part.transferEncoding === 'base64' &&
      part.type.startsWith('text/') &&
      part.disposition !== 'attachment',
  )
  return (
    isEncoded &&
    message.texts.length > 0 &&
    message.texts.every((body) => /^[\0-\x7f]*$/.test(body.source.slice(0, ASCII_LOOKED_AT_MAX)))
  )
}

/** Different words of the shorter form that are looked for in the longer. */
const COMPARED_WORDS_MAX = 60

/** A form with fewer words is a placeholder: 'Please view this message in a browser'. */
const COMPARED_WORDS_MIN = 12

/** Share of the words looked for, below which they are two texts. */
const SHARED_WORDS_MIN = 0.2

function alternativeSignals(message: Message): Signal[] {
  if (!message.parts.some((part) => part.type === 'multipart/alternative')) {
    return differentPartsSignals(message)
  }
  const plain = textOf(message.texts.filter((body) => body.replaced))
  const html = textOf(message.texts.filter((body) => body.kind === 'html'))
  if (wordsOf(html, COMPARED_WORDS_MIN).size < COMPARED_WORDS_MIN) return []
  const plainWords = wordsOf(plain, COMPARED_WORDS_MIN).size
  if (plainWords < COMPARED_WORDS_MIN) {
    return [signal('MIME_PLAIN_PLACEHOLDER', `${plainWords} words`)]
  }
  return differenceSignals(plain, html)
}

/** Words of a plain text from which it says something beside a page below it. */
const PART_WORDS_MIN = 6

/** Of plain text in front of a longer page that is not another form of it: some programs show one, some the other. */
function differentPartsSignals({ texts }: Message): Signal[] {
  if (texts[0]?.kind !== 'plain' || texts[0].replaced) return []
  const plain = textOf(texts.filter((body) => body.kind === 'plain'))
  const html = textOf(texts.filter((body) => body.kind === 'html'))
  if (html.length < plain.length || wordsOf(plain, PART_WORDS_MIN).size < PART_WORDS_MIN) return []
  return differenceSignals(plain, html)
}

function differenceSignals(plain: string, html: string): Signal[] {
  const [shorter, longer] = plain.length < html.length ? [plain, html] : [html, plain]
  const words = wordsOf(shorter, COMPARED_WORDS_MAX)
  const sharedMin = words.size * SHARED_WORDS_MIN
  let shared = 0
  for (const word of words) {
    // Honest forms have most words in common, so that the first dozen settles it.
    if (longer.includes(word)) shared += 1
    if (shared >= sharedMin) return []
  }
  return [signal('MIME_ALTERNATIVES_DIFFER', `${shared} of ${words.size} words shared`)]
}

/** The first `most` different words of four letters and more. */
function wordsOf(text: string, most: number): Set<string> {
  const words = new Set<string>()
  for (const [word] of text.matchAll(/[^\s\x00-@[-`{-\x7f]{4,40}/g)) {
    words.add(word)
    if (words.size >= most) break
  }
  return words
}
