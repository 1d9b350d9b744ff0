/**
 * Signals from the MIME structure (RFC 2045, 2046): a structure that two programs read differently shows the filter one text and the
 * reader another. Mail programs make no such mistakes; careless scripts and attackers do.
 */
import type { Message } from '../message/message.ts'
import { fieldBody } from './fields.ts'
import { webTargets } from './link-targets.ts'
import { raised, type Signal, signal } from './signal.ts'
import { readerText, textOf } from './text.ts'

/** More parts than a letter with a few pictures has. */
const MANY_PARTS_MIN = 20

/** Less text than this is no letter: a picture or a link has to say the rest. */
const LITTLE_TEXT_MAX = 100

/** Text so short that its link is all there is to it: a greeting and a line. */
const TINY_TEXT_MAX = 200

/** OpenPGP and S/MIME, RFC 3156 and 8551. */
const PROTECTED_TYPES: ReadonlySet<string> = new Set([
  'multipart/signed',
  'multipart/encrypted',
  'application/pkcs7-mime',
  'application/x-pkcs7-mime',
])

export function mimeSignals(message: Message): Signal[] {
  return [
    ...message.oddities.map((oddity) => signal(`MIME_${oddity}`)),
    ...structureSignals(message),
    ...bodySignals(message),
    ...alternativeSignals(message),
  ]
}

function structureSignals(message: Message): Signal[] {
  const { limitsReached, parts, root } = message
  const protection = parts.find((part) => PROTECTED_TYPES.has(part.type))?.type
  const isSigned = protection === 'multipart/signed'
  return raised({
    MIME_LIMIT_REACHED: limitsReached.length > 0 && limitsReached.join(' '),
    MIME_VERSION_MISSING:
      root.fields.some(({ name }) => name === 'content-type') &&
      fieldBody(message, 'mime-version') === undefined,
    MIME_MANY_PARTS: parts.length >= MANY_PARTS_MIN && parts.length,
    MIME_NESTED_MESSAGE: parts.some(({ type }) => type === 'message/rfc822'),
    MIME_ENCRYPTED: !isSigned && protection,
    MIME_SIGNED: isSigned && protection,
  })
}

function bodySignals(message: Message): Signal[] {
  if (message.bodyUnread) return raised({ MIME_BODY_UNREAD: true })
  const { attachments, texts } = message
  const hasHtml = texts.some(({ kind }) => kind === 'html')
  const hasPlain = texts.some(({ kind }) => kind === 'plain')
  const { length } = readerText(message)
  const shown = texts.reduce((sum, { html }) => sum + (html?.images.length ?? 0), 0)
  const images = shown + attachments.filter(({ type }) => type.startsWith('image/')).length
  const isEmpty = length === 0 && shown === 0 && attachments.length === 0
  const isImage = !isEmpty && length <= LITTLE_TEXT_MAX && images > 0
  const isTiny = !isEmpty && !isImage && length <= TINY_TEXT_MAX
  return raised({
    MIME_PLAIN_AND_HTML: hasHtml && hasPlain,
    MIME_HTML_ONLY: hasHtml && !hasPlain,
    MIME_PLAIN_ONLY: hasPlain && !hasHtml,
    MIME_BASE64_ASCII: isAsciiInBase64(message),
    MIME_BODY_EMPTY: isEmpty,
    MIME_IMAGE_ONLY: isImage && `${images} images`,
    MIME_TINY_WITH_LINK: isTiny && webTargets(message)[0]?.host,
  })
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
