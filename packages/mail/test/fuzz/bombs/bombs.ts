/**
 * Messages made to cost more than they weigh, each aimed at one loop.
 *
 * Each is written for any number of bytes: what is linear in a thousand and quadratic in a million
 * shows when it grows (bombs.system.test.ts). Most repeat a piece: bombs.tsv has a row for each, its
 * name, what comes first, the piece, what comes last, and for some another piece and its end, which
 * share the bytes. There № counts the repetitions, and ⟨piece×3⟩ is written three times.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { wordsOf } from '../../../../../test/words.ts'
import { utf8 } from '../texts.ts'

/** A message of about so many bytes, one code unit a byte. */
export type Bomb = (bytes: number) => string

/** Levels of parts that are read (PART_DEPTH_MAX), in each of which a bomb opens boundaries. */
const LEVELS = 32

/** As many of what `write` gives for 0, 1, 2 … as `bytes` have room for; one at least. */
function many(bytes: number, write: (number: number) => string): string {
  const pieces = [write(0)]
  let length = pieces[0]!.length
  for (let number = 1; ; number++) {
    const piece = write(number)
    length += piece.length
    if (length > bytes) return pieces.join('')
    pieces.push(piece)
  }
}

/** What `write` gives for 0 … `count` - 1. */
function times(count: number, write: (number: number) => string): string {
  return Array.from({ length: count }, (_, number) => write(number)).join('')
}

function base64Lines(text: string): string {
  return btoa(text).replaceAll(/.{76}/g, '$&\n')
}

function unescaped(cell: string): string {
  const expanded = cell.replaceAll(/⟨([^⟨⟩]*)×(\d+)⟩/g, (_, piece: string, count: string) =>
    piece.repeat(Number(count)),
  )
  if (expanded !== cell) return unescaped(expanded)
  return cell.replaceAll(/\\(?:x(..)|(.))/g, (_, code?: string, sign?: string) =>
    code === undefined
      ? ({ n: '\n', r: '\r', t: '\t' }[sign!] ?? sign!)
      : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function repeating(cells: readonly string[]): Bomb {
  const pieces = cells.map(unescaped)
  const units = (pieces.length - 1) / 2
  return (bytes) =>
    pieces
      .map((piece, at) => {
        if (at % 2 === 0) return piece
        if (piece.includes('№')) return many(bytes / units, (n) => piece.replaceAll('№', String(n)))
        return piece.repeat(Math.max(1, Math.floor(bytes / units / piece.length)))
      })
      .join('')
}

const REPEATING = new Map(
  readFileSync(new URL('bombs.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((row) => row !== '')
    .map((row): [string, Bomb] => {
      const [name, ...cells] = row.split('\t')
      return [name!, repeating(cells)]
    }),
)

/** Multiparts in each other, of `fields` boundaries each, and then `unit` inside the innermost. */
function insideOpen(fields: number, boundary: (number: number) => string, unit: string): Bomb {
  return (bytes) => {
    const opening = times(Math.min(LEVELS, Math.ceil(bytes / (250 * fields))), (level) => {
      const boundaries = Array.from({ length: fields }, (_, field) =>
        boundary(fields * level + field),
      )
      const types = boundaries.map((name) => `Content-Type: multipart/mixed; boundary="${name}"\n`)
      return `${types.join('')}\n--${boundaries[0]}\n`
    })
    return `From: a@example.com\n${opening}\n${many(bytes - opening.length, () => unit)}`
  }
}

/** `innermost` in five messages, each encoded in the one around it. */
function encodedFiveTimes(innermost: string): string {
  const encoded = (inner: string) =>
    `Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${base64Lines(inner)}`
  return `From: a@example.com\n${[1, 2, 3, 4, 5].reduce(encoded, innermost)}`
}

/** Forty encoded words of unknown charsets to a field, in the header and in parts. */
function unknownCharsets(word: string): Bomb {
  return (bytes) => {
    const fields = (from: number, size: number) =>
      many(size, (field) => `A: ${times(40, (at) => `=?c${from + field}x${at}?Q?${word}?=x`)}\n`)
    const headerBytes = Math.min(bytes / 2, 500_000)
    const parts = many(
      bytes - headerBytes,
      (part) => `--b\n${fields(1_000 * (part + 1), 20_000)}\nx\n`,
    )
    return `Content-Type: multipart/mixed; boundary=b\n${fields(0, headerBytes)}\n${parts}`
  }
}

function multipart(body: string): string {
  return `From: a@example.com\nContent-Type: multipart/mixed; boundary=b\n\n${body}`
}

/** One of so many characters, from '0' on. */
function letter(number: number): string {
  return String.fromCharCode(0x30 + (number % 70))
}

/** Boundaries of nested multiparts, so many of each, and what is repeated inside the innermost. */
// biome-ignore format: a table
const BOUNDARIES: readonly (readonly [string, number, (number: number) => string, string])[] = [
  ['inexact boundaries of nested multiparts', 1, (n) => `b${n}`, 'x --b0\nx --b9\n'],
  ['boundaries that begin each other', 1, (n) => 'b'.repeat(n + 1), '--b\n'],
  ['boundaries that begin each other, and a line longer than all', 1, (n) => 'b'.repeat(n + 1), `--${'b'.repeat(LEVELS + 1)}x\n`],
  ['boundaries that end each other', 1, (n) => `${'x'.repeat(n)}b`, `--${'x'.repeat(LEVELS)}y\n`],
  ['boundaries that repeat each other', 1, (n) => `a${'--a'.repeat(n)}`, '--a--a--'],
  ['a hundred boundaries that begin each other', 4, (n) => 'b'.repeat(n + 1), '--x'],
  ['a hundred boundaries that end alike', 4, (n) => `${n}b`, '--b'],
  ['a hundred boundaries that end alike, in lines', 4, (n) => `${n}b`, '--b\n'],
  ['a hundred boundaries of three letters', 4, (n) => `a${letter(n)}b`, '--a\x7fb\n'],
  ['a hundred boundaries of one letter', 4, letter, '--\x7f\n'],
  ['a hundred boundaries that repeat each other, in lines', 4, (n) => `a${'--a'.repeat(n % 80)}`, `${'--a'.repeat(80)}x\n`],
]

const OTHERS: Readonly<Record<string, Bomb>> = {
  ...Object.fromEntries(
    BOUNDARIES.map(([name, fields, boundary, unit]) => [
      `structure: ${name}`,
      insideOpen(fields, boundary, unit),
    ]),
  ),
  'structure: a message in base64 in a message in base64': (bytes) =>
    encodedFiveTimes(`Subject: x\n\n${many(bytes * 0.2, () => 'word ')}`),
  'structure: a multipart in base64 in a message in base64': (bytes) =>
    encodedFiveTimes(multipart(many(bytes * 0.2, () => '--b\n\nx\n'))),
  'structure: a multipart in base64': (bytes) =>
    `Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n${base64Lines(many(bytes * 0.7, () => '--b\n\nx\n'))}`,
  'structure: a multipart in base64 with boundaries inside lines': (bytes) =>
    `Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n${base64Lines(many(bytes * 0.7, () => 'x --b\n'))}`,
  'structure: messages that are not encoded as they say, in each other': (bytes) => {
    const opening = (level: number) =>
      `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n`
    const levels = Math.min(LEVELS / 2, Math.ceil(bytes / 1_000))
    return `From: a@example.com\n${times(levels, opening)}${many(bytes, () => '--\n')}`
  },
  'field: headers of many encoded words of unknown charsets': unknownCharsets('=E9'),
  'field: headers of many encoded words of letters in unknown charsets':
    unknownCharsets('=C4=E3=BA=C3'),
  'text: base64': (bytes) =>
    `Subject: x\nContent-Transfer-Encoding: base64\n\n${base64Lines(many(bytes * 0.7, () => 'words '))}`,
  'markup: custom properties': (bytes) =>
    `Content-Type: text/html\n\n<style>:root{${many(bytes, (number) => `--a${number}:var(--a${number + 1});`)}}</style><p style="color:var(--a0)">a`,
}

/** Characters at which a scanner of addresses, links, markup, quotations or sentences stops or looks back. */
const STOPPERS = '@.:/&<>=?%#,;"\'-_+*|\\()[{$7 \t\r\0\x1b é а 中 한 ا \u0301\u200b\u202eﬁ👍“'

/** The fields that are read for more than their text. */
const RUN_FIELDS = wordsOf('Subject From To Reply-To Received References List-Unsubscribe')

/** Words and characters of one run. */
const RUN_LENGTH = 40

/** Rows of one character behind a word, in header fields, a plain text and an HTML text. */
function runsOf(character: string): Bomb {
  const run = utf8(`${'a'.repeat(RUN_LENGTH)}${character.repeat(RUN_LENGTH)}`)
  return (bytes) => {
    const share = bytes / 3
    const fields = RUN_FIELDS.map(
      (name) => `${name}: ${many(share / RUN_FIELDS.length, () => `${run}\n `)}\n`,
    )
    const text = (type: string) =>
      `--b\nContent-Type: text/${type}; charset=utf-8\n\n${many(share, () => `${run}\n`)}\n`
    return `${fields.join('')}${multipart(`${text('plain')}${text('html')}--b--\n`)}`
  }
}

export const RUN_BOMBS: ReadonlyMap<string, Bomb> = new Map(
  Array.from(new Set(STOPPERS), (character) => [
    `run: ${JSON.stringify(character)}`,
    runsOf(character),
  ]),
)

/** What costs most of each family, one after the other in one message. */
function allAtOnce(bytes: number): string {
  const share = (name: string) => REPEATING.get(name)!(bytes / 5)
  const inner = [
    share('markup: links of hosts of ligatures'),
    share('markup: paragraphs of a letter'),
    share('field: parameters of unknown charsets'),
    OTHERS['structure: boundaries that end each other']!(bytes / 5),
  ].map((message) => `--b\nContent-Type: message/rfc822\n\n${message}\n`)
  return `${unknownCharsets('=E9')(bytes / 5)}\n${inner.join('')}`
}

/** By family and name, as 'structure: boundaries inside lines'. */
export const BOMBS: ReadonlyMap<string, Bomb> = new Map([
  ...REPEATING,
  ...Object.entries(OTHERS),
  ['all that costs most, one after the other', allAtOnce],
  ...RUN_BOMBS,
])

/** The bomb of that name as bytes. */
export function bombOf(name: string, bytes: number): Buffer {
  const bomb = BOMBS.get(name)
  assert.ok(bomb, name)
  return Buffer.from(bomb(bytes), 'latin1')
}
