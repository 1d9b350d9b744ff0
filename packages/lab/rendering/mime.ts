/** Text and files -> MIME entities (RFC 2045, 2046), in the spelling of the program that makes them. */
import { type Dice, fill } from './dice.ts'

type TransferEncoding = '7bit' | '8bit' | 'quoted-printable' | 'base64'

/** How a program writes its entities. */
export interface MimeHabit {
  /** Pattern of the boundary. */
  readonly boundary: string
  /** 'utf-8', 'UTF-8', '"UTF-8"', as the program spells it. */
  readonly charset: string
  /** Plain text in Latin letters goes out as ISO-8859-1, and ASCII as us-ascii. */
  readonly narrowCharsets?: boolean
  /** For text beyond ASCII or with long lines; ASCII in short lines is 7bit unless `always`. */
  readonly plainEncoding: TransferEncoding
  readonly htmlEncoding: TransferEncoding
  readonly always?: boolean
  /** Between the type and its parameters: a space, or a break and a tab. */
  readonly parameterBreak?: string
  /** A line for readers without MIME (RFC 2046 §5.1.1). */
  readonly preamble?: string
  /** The transfer encoding stands before the type. */
  readonly encodingFirst?: boolean
}

/** What a Content-Type and Content-Transfer-Encoding say, and the body under them. */
export interface Entity {
  readonly type: string
  readonly encoding: TransferEncoding | undefined
  /** Other fields of a part: 'Content-Disposition: …'. */
  readonly otherFields: readonly string[]
  readonly body: string
}

/** RFC 5322 §2.1.1; beyond it a line has to be encoded. */
const LINE_LENGTH_MAX = 998

/** Programs encode long before they must: quoted-printable wraps at 76. */
const LINE_LENGTH_ENCODED = 200

const BASE64_LINE = /.{76}/g

/** `parameters` go behind the charset: '; format=flowed'. */
export function textEntity(
  subtype: 'plain' | 'html',
  text: string,
  habit: MimeHabit,
  parameters = '',
): Entity {
  const { charset, spelled } = charsetOf(
    text,
    subtype === 'html' ? { charset: habit.charset } : habit,
  )
  const encoding = encodingOf(text, subtype, habit)
  return {
    type: `text/${subtype};${habit.parameterBreak ?? ' '}charset=${spelled}${parameters}`,
    encoding,
    otherFields: [],
    body: encoded(Buffer.from(text.replace(/\r?\n/g, '\r\n'), charset), encoding),
  }
}

function charsetOf(
  text: string,
  { charset, narrowCharsets }: Pick<MimeHabit, 'charset' | 'narrowCharsets'>,
) {
  if (narrowCharsets === true) {
    const quote = charset.startsWith('"') ? '"' : ''
    if (/^[\t\n\r\x20-\x7e]*$/.test(text)) {
      return { charset: 'latin1' as const, spelled: `${quote}us-ascii${quote}` }
    }
    if (/^[\t\n\r\x20-\x7e\xa0-\xff]*$/.test(text)) {
      return { charset: 'latin1' as const, spelled: `${quote}iso-8859-1${quote}` }
    }
  }
  return { charset: 'utf8' as const, spelled: charset }
}

function encodingOf(text: string, subtype: 'plain' | 'html', habit: MimeHabit): TransferEncoding {
  const usual = subtype === 'plain' ? habit.plainEncoding : habit.htmlEncoding
  const longest = text.split('\n').reduce((most, line) => Math.max(most, line.length), 0)
  const isAscii = /^[\t\n\r\x20-\x7e]*$/.test(text)
  if (isAscii && longest <= LINE_LENGTH_ENCODED && habit.always !== true) return '7bit'
  const isUnencoded = usual === '7bit' || usual === '8bit'
  if (isUnencoded && longest > LINE_LENGTH_MAX / 4) return 'quoted-printable'
  return usual === '7bit' && !isAscii ? '8bit' : usual
}

/** `bytes` as an attachment. */
export function fileEntity(mediaType: string, name: string, bytes: Uint8Array): Entity {
  return {
    type: `${mediaType}; name="${name}"`,
    encoding: 'base64',
    otherFields: [`Content-Disposition: attachment; filename="${name}"`],
    body: encoded(Buffer.from(bytes), 'base64'),
  }
}

/** A multipart of `parts`; parameters go before the boundary: ' report-type=delivery-status;'. */
export function multipart(
  subtype: string,
  parts: readonly Entity[],
  habit: MimeHabit,
  dice: Dice,
  parameters = '',
): Entity {
  const boundary = fill(habit.boundary, {}, dice)!
  const pieces = parts.map((part) => `--${boundary}\r\n${partText(part, habit)}\r\n`)
  const preamble = habit.preamble === undefined ? '' : `${habit.preamble}\r\n`
  return {
    type: `multipart/${subtype};${parameters}${habit.parameterBreak ?? ' '}boundary="${boundary}"`,
    encoding: undefined,
    otherFields: [],
    body: `${preamble}${pieces.join('')}--${boundary}--\r\n`,
  }
}

function partText({ type, encoding, otherFields, body }: Entity, habit: MimeHabit): string {
  const about = [`Content-Type: ${type.replace(/\n/g, '\r\n')}`]
  if (encoding !== undefined) {
    const field = `Content-Transfer-Encoding: ${encoding}`
    if (habit.encodingFirst === true) about.unshift(field)
    else about.push(field)
  }
  return `${[...about, ...otherFields].join('\r\n')}\r\n\r\n${body}`
}

function encoded(bytes: Buffer, encoding: TransferEncoding): string {
  if (encoding === 'base64') return `${bytes.toString('base64').replace(BASE64_LINE, '$&\r\n')}\r\n`
  const text = bytes.toString('latin1')
  return encoding === 'quoted-printable' ? quotedPrintable(text) : text
}

/** `octets` as a string of one character an octet, lines ended by CRLF. */
function quotedPrintable(octets: string): string {
  return octets.split('\r\n').map(quotedLine).join('\r\n')
}

/** Soft breaks after at most 75 characters (RFC 2045 §6.7 (5)), none in an escape; white space at the end does not stand for itself (3). */
function quotedLine(line: string): string {
  const escaped = line.replace(/[^\t\x20-\x3c\x3e-\x7e]|[\t ]$/g, (character) => {
    const hex = character.charCodeAt(0).toString(16).toUpperCase()
    return `=${hex.padStart(2, '0')}`
  })
  return (escaped.match(/.{1,75}(?<!=|=.)/g) ?? []).join('=\r\n')
}
