/**
 * Header fields as they go over the wire: text beyond ASCII in encoded words (RFC 2047), long
 * lines folded (RFC 5322 §2.2.3).
 */

export type HeaderField = readonly [name: string, body: string]

/** Base64 or quoted-printable, as RFC 2047 names them. */
export type WordEncoding = 'B' | 'Q'

/** Octets of text in one encoded word: in base64 within the 75 characters that RFC 2047 §2 allows. */
const WORD_OCTETS_B = 42
const WORD_OCTETS_Q = 20

/** Beyond this a line is folded at a space, where it has one. RFC 5322 §2.1.1 recommends 78. */
const LINE_LENGTH_MAX = 76

export function headerText(fields: readonly HeaderField[]): string {
  return fields.map(([name, body]) => `${folded(`${name}: ${body}`)}\r\n`).join('')
}

/** Lines of `field`, parted by CRLF and a space; breaks that are in it already stay. */
function folded(field: string): string {
  return field
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))
    .map(foldedLine)
    .join('\r\n')
}

function foldedLine(line: string): string {
  const lines: string[] = []
  let rest = line
  while (rest.length > LINE_LENGTH_MAX) {
    const space = rest.lastIndexOf(' ', LINE_LENGTH_MAX)
    const cut = space > NAME_LENGTH_MAX ? space : rest.indexOf(' ', LINE_LENGTH_MAX)
    if (cut < 0) break
    lines.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...lines, rest].join('\r\n')
}

/** A fold right behind the field's name would leave the first line empty. */
const NAME_LENGTH_MAX = 26

/** `text` of an unstructured field: as it is in ASCII, else encoded whole. */
export function encodedText(text: string, encoding: WordEncoding, charset: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  const octetsMax = encoding === 'B' ? WORD_OCTETS_B : WORD_OCTETS_Q
  return chunks(text, octetsMax)
    .map((chunk) => `=?${charset}?${encoding}?${encodedWord(chunk, encoding)}?=`)
    .join(' ')
}

/** `name <address>`, the name quoted or encoded where it must be, or always quoted. */
export function mailboxText(
  name: string,
  address: string,
  { encoding, charset, quote }: { encoding: WordEncoding; charset: string; quote: boolean },
): string {
  if (name === '') return address
  if (!/^[\x20-\x7e]*$/.test(name)) return `${encodedText(name, encoding, charset)} <${address}>`
  const isSpecial = /[",.:;<>@()[\]\\]/.test(name)
  return `${quote || isSpecial ? `"${name.replace(/["\\]/g, '')}"` : name} <${address}>`
}

/** Whole characters, at most `octetsMax` octets of UTF-8 a chunk. */
function chunks(text: string, octetsMax: number): string[] {
  const found: string[] = []
  let chunk = ''
  for (const character of text) {
    if (Buffer.byteLength(chunk + character) > octetsMax) {
      found.push(chunk)
      chunk = ''
    }
    chunk += character
  }
  return [...found, chunk]
}

function encodedWord(text: string, encoding: WordEncoding): string {
  if (encoding === 'B') return Buffer.from(text).toString('base64')
  return [...Buffer.from(text)]
    .map((octet) => {
      const character = String.fromCharCode(octet)
      if (character === ' ') return '_'
      return /[a-z0-9]/i.test(character)
        ? character
        : `=${octet.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}
