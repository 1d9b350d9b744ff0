/**
 * Text in header fields: encoded words (RFC 2047, language tags RFC 2231 §5) and raw 8-bit text
 * (RFC 6532).
 *
 * Real senders split a multibyte character, or one run of base64, over two words, and put words inside
 * quoted strings and next to other text. All of this is read as mail programs read it: neighbouring
 * words of one charset are joined before they are decoded, also where one has the Q and one the B encoding.
 */
import { decodeByLook, decodeCharset } from './charset.ts'
import { charsetOfLabel } from './charset-labels.ts'
import { CHARSET_LENGTH_MAX, ENCODED_WORDS_MAX } from './limits.ts'
import { decodeTransfer } from './transfer-encoding.ts'

/** One encoded word in `text`, from `start` up to `end`. */
interface EncodedWord {
  readonly start: number
  readonly end: number
  readonly charset: string
  readonly encoding: 'B' | 'Q'
  /** Not decoded. */
  readonly content: string
}

interface Run {
  /** The text between the previous run and this one, '' where it is only white space. */
  readonly before: string
  readonly charset: string
  readonly stretches: Stretch[]
  end: number
}

interface Stretch {
  readonly encoding: 'B' | 'Q'
  readonly contents: string[]
}

/** `raw`, a field body with one code unit for each byte, as a reader sees it. */
export function decodeHeaderText(raw: string): string {
  if (!raw.includes('=?')) return decodeRawText(raw)
  const runs = runsOf(raw)
  const pieces = runs.map((run) => decodeRawText(run.before) + decodeRun(run))
  return pieces.join('') + decodeRawText(raw.slice(runs.at(-1)?.end ?? 0))
}

/** The runs of words in `raw`. White space between two words is dropped (RFC 2047 §6.2); anything else ends a run. */
function runsOf(raw: string): Run[] {
  const runs: Run[] = []
  let at = 0
  for (let count = 0; count < ENCODED_WORDS_MAX; count++) {
    const word = nextWord(raw, at)
    if (word === undefined) break
    const last = runs.at(-1)
    const between = raw.slice(at, word.start)
    const adjacent = last !== undefined && isWhiteSpace(between)
    if (adjacent && isSameCharset(last.charset, word.charset)) addWord(last, word)
    else runs.push(newRun(word, adjacent ? '' : between))
    at = word.end
  }
  return runs
}

/** 'utf-8' and 'UTF8' are one; of two unknown names, the same name. */
function isSameCharset(first: string, second: string): boolean {
  if (first === second) return true
  const charset = charsetOfLabel(first)
  return charset !== undefined && charset !== '' && charset === charsetOfLabel(second)
}

function addWord(run: Run, { encoding, content, end }: EncodedWord): void {
  const last = run.stretches.at(-1)
  if (last?.encoding === encoding) last.contents.push(content)
  else run.stretches.push({ encoding, contents: [content] })
  run.end = end
}

function newRun({ charset, encoding, content, end }: EncodedWord, before: string): Run {
  return { before, charset, stretches: [{ encoding, contents: [content] }], end }
}

/** True when something in `decoded` still looks like an encoded word that could not be read. */
export function hasUnreadWord(decoded: string): boolean {
  const start = decoded.indexOf('=?')
  return start >= 0 && decoded.indexOf('?=', start + 2) >= 0
}

/** Decodes text without encoded words: UTF-8 where its bytes are valid, else in the charset that they look like. */
export function decodeRawText(raw: string): string {
  if (!/[\x80-\xff]/.test(raw) || /[^\x00-\xff]/.test(raw)) return raw
  return decodeByLook(Buffer.from(raw, 'latin1')).text
}

/**
 * The next encoded word from `from` on. Each search begins where the last one ended, and there are no
 * more searches once no '?=' is left, so that a field of nothing but openings is read once.
 */
function nextWord(text: string, from: number): EncodedWord | undefined {
  for (let start = text.indexOf('=?', from); start >= 0; start = text.indexOf('=?', start + 2)) {
    const opening = wordOpening(text, start)
    if (opening === undefined) continue
    const close = text.indexOf('?=', opening.contentStart)
    if (close < 0) return undefined
    return {
      start,
      end: close + 2,
      charset: opening.charset,
      encoding: opening.encoding,
      content: text.slice(opening.contentStart, close),
    }
  }
  return undefined
}

/** '=?charset*language?B?' at `start`. */
function wordOpening(text: string, start: number) {
  const mark = text.slice(start + 2, start + 2 + CHARSET_LENGTH_MAX).indexOf('?')
  if (mark <= 0) return undefined
  const charsetEnd = start + 2 + mark
  const encoding = text.charAt(charsetEnd + 1).toUpperCase()
  if ((encoding !== 'B' && encoding !== 'Q') || text.charAt(charsetEnd + 2) !== '?')
    return undefined
  const charset = text.slice(start + 2, charsetEnd)
  if (/[\s=<>"]/.test(charset)) return undefined
  return {
    charset: charset.split('*', 1)[0]!.toLowerCase(),
    encoding: encoding as 'B' | 'Q',
    contentStart: charsetEnd + 3,
  }
}

function decodeRun({ stretches, charset }: Run): string {
  const pieces = stretches.map(({ encoding, contents }) =>
    encoding === 'B' ? base64Bytes(contents) : quotedBytes(contents),
  )
  const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
  return decodeCharset(bytes, charset).text
}

/** Joins base64: padding ends a word's data; without it the next word continues where this one stopped. */
function base64Bytes(contents: readonly string[]): Buffer {
  return decodeTransfer(Buffer.from(contents.join(''), 'latin1'), 'base64').bytes
}

/** Decodes the Q encoding, RFC 2047 §4.2: quoted-printable with '_' for the space. */
function quotedBytes(contents: readonly string[]): Buffer {
  const text = contents.join('').replaceAll('_', '=20')
  return decodeTransfer(Buffer.from(text, 'latin1'), 'quoted-printable').bytes
}

function isWhiteSpace(text: string): boolean {
  return text.trim() === ''
}
