/**
 * Messages by the grammar of MIME, with what goes wrong in it at every step: trees of parts whose
 * boundaries are missing, shared or prefixes of each other, bodies in another encoding or charset
 * than they say, and headers as headers.ts makes them.
 */
import { type Dice, repeated } from './dice.ts'
import { header, written } from './headers.ts'
import { markup } from './markup.ts'
import { base64, CHARSETS, encodedWord, escaped, line, noise, words } from './texts.ts'

/** Levels of multiparts beyond which a tree only grows where nesting is the point. */
const DEPTH_MAX = 5

/** Characters of the largest message. */
const LENGTH_MAX = 2_000_000

const MULTIPARTS = ['mixed', 'alternative', 'related', 'digest', 'report', 'signed', 'parallel', '']
// biome-ignore format: many short pieces
const ATTACHMENT_TYPES = [
  'application/pdf', 'application/zip', 'application/octet-stream', 'image/png', 'text/calendar',
  'message/delivery-status', 'application/ms-tnef', 'text/x-vcard', 'font/woff', 'x/', '',
]
// biome-ignore format: many short pieces
const ENCODINGS = [
  '7bit', '8bit', 'binary', 'base64', 'quoted-printable', 'BASE64', 'x-uuencode',
  'base64, quoted-printable', 'x-unknown', '',
]
// biome-ignore format: many short pieces
const FILE_NAMES = [
  'a.pdf', 'a.pdf.exe', 'a.html', '../../etc/passwd', 'a\u202efdp.exe', '.', '"',
  'x'.repeat(5_000), 'con.zip', '',
]
// biome-ignore format: many short pieces
const MAGIC = [
  '%PDF-1.7', 'PK\x03\x04', 'MZ\x90\0', '\x89PNG\r\n', 'Rar!', '\x1f\x8b', '{\\rtf1', '<html>', '',
]

/** A boundary, and whether parts below may use it too. */
interface Boundary {
  readonly text: string
  readonly parent: string
}

/** The message of these dice. */
export function message(dice: Dice): Buffer {
  const text = header(dice) + part(dice, { depth: 0, boundary: '' })
  return Buffer.from(text.slice(0, LENGTH_MAX), 'latin1')
}

interface Place {
  readonly depth: number
  /** The boundary of the enclosing multipart; '' at the root. */
  readonly boundary: string
}

/** Content fields, empty line and body. */
function part(dice: Dice, place: Place): string {
  if (place.depth < DEPTH_MAX && dice.chance(0.5 / (1 + place.depth))) return multipart(dice, place)
  return dice.make([
    textPart,
    textPart,
    htmlPart,
    htmlPart,
    attachment,
    () => nestedMessage(dice, place),
  ])
}

function multipart(dice: Dice, { depth, boundary: parent }: Place): string {
  const boundary = { text: boundaryOf(dice, parent), parent }
  const type = `multipart/${dice.pick(MULTIPARTS)}${parameters(dice, boundary.text)}`
  const head = written(dice, 'Content-Type', type) + contentFields(dice, ['7bit', 'base64'])
  const parts = repeated(dice.count(1_500), () => {
    const inner = dice.chance(0.1) ? header(dice) : ''
    return (
      delimiter(dice, boundary) + inner + part(dice, { depth: depth + 1, boundary: boundary.text })
    )
  })
  const end = dice.pick(['--', '--', '--', '', '-', '-- \t', '--x'])
  const preamble = dice.chance(0.3) ? `${line(dice)}\r\n` : ''
  const epilogue = dice.chance(0.3) ? `\r\n${line(dice)}` : ''
  return `${head}${headEnd(dice)}${preamble}${parts}\r\n--${boundary.text}${end}\r\n${epilogue}`
}

/** Its own, its parent's, one that begins with its parent's, none, or a strange one. */
function boundaryOf(dice: Dice, parent: string): string {
  return dice.make([
    () => `b${dice.below(1_000)}`,
    () => `b${dice.below(1_000)}`,
    () => parent,
    () => `${parent}${dice.below(10)}`,
    () => parent.slice(0, -1),
    () => dice.pick(['', '-', '--', ' ', 'a b', "'()+_,-./:=?", '=_\xe9', 'x'.repeat(300)]),
  ])
}

function parameters(dice: Dice, boundary: string): string {
  return dice.make([
    () => `; boundary="${boundary}"`,
    () => `; boundary="${boundary}"`,
    () => `; boundary=${boundary}`,
    () => `; boundary="${boundary}"; boundary="other"`,
    () => `; boundary*0="${boundary.slice(0, 1)}"; boundary*1="${boundary.slice(1)}"`,
    () => `;\r\n\tBOUNDARY = '${boundary}'; charset=${dice.pick(CHARSETS)}`,
    () => `; boundary="${boundary}`,
    () => '',
  ])
}

function delimiter(dice: Dice, { text, parent }: Boundary): string {
  const before = dice.pick(['\r\n', '\r\n', '\r\n', '\n', '', 'x'])
  const other = dice.pick([`${text}x`, `${text} `, parent, text.toUpperCase()])
  const name = dice.chance(0.6) ? text : other
  return `${before}--${name}${dice.pick(['\r\n', '\r\n', '\r\n', '\n', '--\r\n', '\r'])}`
}

/** An empty line, mostly. */
function headEnd(dice: Dice): string {
  return dice.pick(['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', ' \r\n', '\r\r\n', ''])
}

function textPart(dice: Dice): string {
  const charset = dice.pick(CHARSETS)
  const flowed = dice.pick(['', '', '; format=flowed; delsp=yes'])
  const lines = repeated(
    dice.count(3_000),
    () =>
      `${dice.pick(['', '', '> ', '>>'])}${line(dice)}${dice.pick(['\r\n', '\n', ' \r\n', '=\r\n'])}`,
  )
  const body = dice.chance(0.1) ? lines + enclosed(dice) + lines : lines
  return leaf(dice, `text/plain; charset=${charset}${flowed}`, body)
}

/** Files encoded in the text, with what goes wrong there. */
function enclosed(dice: Dice): string {
  return repeated(1 + dice.count(50), () => {
    const end = dice.pick(['`\nend\n', 'end', '====\r\n', ''])
    return `${dice.pick(['begin 644 ', 'begin '])}${dice.pick(FILE_NAMES)}\n${line(dice)}\n${end}`
  })
}

function htmlPart(dice: Dice): string {
  const charset = dice.pick(CHARSETS)
  const content = markup(dice)
  const wide = charset === 'utf-16le' && dice.chance(0.8)
  const body = wide ? Buffer.from(content, 'utf16le').toString('latin1') : content
  return leaf(
    dice,
    `${dice.pick(['text/html', 'TEXT/HTML', 'application/xhtml+xml'])}; charset="${charset}"`,
    body,
  )
}

function attachment(dice: Dice): string {
  const name = fileName(dice)
  const type = `${dice.pick(ATTACHMENT_TYPES)}; name${name}`
  const disposition = written(
    dice,
    'Content-Disposition',
    `${dice.pick(['attachment', 'inline', 'x'])}; filename${name}`,
  )
  return disposition + leaf(dice, type, dice.pick(MAGIC) + noise(dice))
}

function fileName(dice: Dice): string {
  const name = Buffer.from(dice.pick(FILE_NAMES), 'utf8').toString('latin1')
  return dice.make([
    () => `="${name}"`,
    () => `=${name}`,
    () => `="${encodedWord(dice)}"`,
    () => `*=utf-8''${escaped(name, '%')}`,
    () => `*=${dice.pick(CHARSETS)}'${words(dice)}`,
    () => repeated(dice.count(3_000), (at) => `*${at}${dice.pick(['', '*'])}=%41; name`),
  ])
}

/** A part without parts: its body in the encoding that it names, in another one, or in part of it. */
function leaf(dice: Dice, type: string, body: string): string {
  const encoding = dice.pick(ENCODINGS)
  const head = written(dice, 'Content-Type', type) + contentFields(dice, [encoding])
  return (
    head + headEnd(dice) + encoded(dice, body, dice.chance(0.9) ? encoding : dice.pick(ENCODINGS))
  )
}

function contentFields(dice: Dice, encodings: readonly string[]): string {
  const times = dice.pick([0, 1, 1, 1, 1, 2, 5])
  return repeated(times, () => written(dice, 'Content-Transfer-Encoding', dice.pick(encodings)))
}

function encoded(dice: Dice, body: string, encoding: string): string {
  if (/^base64/i.test(encoding)) return spoiltBase64(dice, body)
  if (encoding === 'quoted-printable') return spoiltQuotedPrintable(dice, body)
  if (encoding === 'x-uuencode')
    return `begin 644 a\r\nM${base64(body)}\r\n${dice.pick(['`\r\nend\r\n', ''])}`
  return body
}

/** Lines of base64: whole, cut anywhere, without line ends, with padding inside or what is no base64. */
function spoiltBase64(dice: Dice, body: string): string {
  const text = base64(body)
  const at = dice.below(text.length + 1)
  return dice.make([
    () => text.replaceAll(/.{76}/g, '$&\r\n'),
    () => text,
    () => text.slice(0, at),
    () => `${text.slice(0, at)}==${text.slice(at)}`,
    () => `${text.slice(0, at)}${line(dice)}${text.slice(at)}`,
    () => text.replaceAll(/.{3}/g, '$&\r\n'),
    () => text.replaceAll('+', '-').replaceAll('/', '_'),
  ])
}

function spoiltQuotedPrintable(dice: Dice, body: string): string {
  const start = body.slice(0, 20_000)
  return dice.make([
    () => escaped(start, '='),
    () => start.replaceAll('=', '=3D').replaceAll(/[^ -~\r\n]/g, (byte) => escaped(byte, '=')),
    () => start,
    () => start.replaceAll(' ', '=\r\n '),
    () => start.replaceAll('e', dice.pick(['=6', '=', '=ZZ', '=6 5', '=\n', '=0', '= \t\r\n'])),
    () => `${start}${dice.pick([' ', '\t', '=', '=\r\n']).repeat(dice.count(50_000))}`,
  ])
}

function nestedMessage(dice: Dice, { depth, boundary }: Place): string {
  const inner = header(dice) + part(dice, { depth: depth + 1, boundary })
  return leaf(dice, dice.pick(['message/rfc822', 'message/global', 'message/partial']), inner)
}
