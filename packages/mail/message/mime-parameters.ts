/**
 * Content-Type and Content-Disposition: a value and its parameters (RFC 2045 §5.1, RFC 2183),
 * with continuations, charsets and languages (RFC 2231).
 *
 * Senders leave out semicolons and quotes, repeat parameters, and write spaces in file names. Mail
 * programs differ in how they read that, so every value of the boundary parameter and every file name
 * is kept (amavis CVE-2024-28054: the scanner took the last of two boundaries, the mail program the
 * first).
 */
import { decodeCharset } from './charset.ts'
import { decodeHeaderText } from './encoded-words.ts'
import {
  BOUNDARIES_MAX,
  FILE_NAMES_MAX,
  PARAMETER_FIELD_LENGTH_MAX,
  PARAMETERS_MAX,
} from './limits.ts'

/** The value and the parameters of a structured field. */
export interface ParameterizedValue {
  /** Lower case: 'text/plain', 'attachment'. */
  readonly value: string
  /** Names in lower case, values decoded; the first value of a repeated name. */
  readonly parameters: ReadonlyMap<string, string>
  /** Every different value of the boundary parameter, as bytes in Latin-1. */
  readonly boundaries: readonly string[]
  /** Every different file name: of `name` and `filename`, decoded, at most FILE_NAMES_MAX. */
  readonly fileNames: readonly string[]
}

/** A parameter as written: name in lower case with its asterisks, quotes removed. */
interface RawParameter {
  readonly name: string
  readonly value: string
}

/** One `name*3*=` of a continued value. */
interface Section {
  readonly index: number
  readonly extended: boolean
  readonly value: string
}

/** Parses the `rawBody` of a Content-Type or Content-Disposition field. */
export function parseParameterized(rawBody: string): ParameterizedValue {
  const body = rawBody.slice(0, PARAMETER_FIELD_LENGTH_MAX)
  const valueEnd = tokenEnd(body, 0)
  const raw = rawParameters(body, valueEnd)
  const continued = continuedSections(raw)
  return {
    value: body.slice(0, valueEnd).toLowerCase(),
    parameters: decodedParameters(raw, continued),
    boundaries: boundariesOf(raw, continued),
    fileNames: fileNamesOf(raw, continued),
  }
}

function rawParameters(body: string, from: number): RawParameter[] {
  const found: RawParameter[] = []
  let at = from
  while (at < body.length && found.length < PARAMETERS_MAX) {
    at = parameterStart(body, at)
    const nameEnd = parameterNameEnd(body, at)
    const name = body.slice(at, nameEnd).trim().toLowerCase()
    if (body.charAt(nameEnd) !== '=') {
      at = nameEnd + 1
      continue
    }
    const { value, end } = parameterValue(body, nameEnd + 1, name)
    if (name !== '') found.push({ name, value })
    at = end
  }
  return found
}

/** The next position after semicolons, white space and comments. */
function parameterStart(body: string, from: number): number {
  let at = from
  while (at < body.length) {
    const character = body.charAt(at)
    if (character === '(') at = commentEnd(body, at)
    else if (character === ';' || isSpace(character)) at++
    else break
  }
  return at
}

function parameterNameEnd(body: string, from: number): number {
  let at = from
  while (at < body.length && body.charAt(at) !== '=' && body.charAt(at) !== ';') at++
  return at
}

function parameterValue(body: string, from: number, name: string) {
  let at = from
  while (isSpace(body.charAt(at))) at++
  return body.charAt(at) === '"' ? quotedValue(body, at) : bareValue(body, at, name)
}

/** Reads a quoted string; one that is never closed runs to the next semicolon. */
function quotedValue(body: string, from: number) {
  let value = ''
  for (let at = from + 1; at < body.length; at++) {
    const character = body.charAt(at)
    if (character === '"') return { value, end: at + 1 }
    if (character === '\\' && at + 1 < body.length) at++
    value += body.charAt(at)
  }
  const end = bareEnd(body, from)
  return { value: body.slice(from + 1, end).trim(), end }
}

/** Reads a value without quotes, up to the semicolon; spaces and parentheses are part of file names only. */
function bareValue(body: string, from: number, name: string) {
  const end = bareEnd(body, from)
  if (name.startsWith('name') || name.startsWith('filename')) {
    return { value: body.slice(from, end).trim(), end }
  }
  const cut = Math.min(end, tokenEnd(body, from))
  return { value: body.slice(from, cut), end: cut }
}

function bareEnd(body: string, from: number): number {
  const semicolon = body.indexOf(';', from)
  return semicolon < 0 ? body.length : semicolon
}

/** Where a token ends: at white space, a semicolon or a comment. */
function tokenEnd(body: string, from: number): number {
  let at = from
  while (at < body.length && !isTokenEnd(body.charCodeAt(at))) at++
  return at
}

function isTokenEnd(code: number): boolean {
  return code <= 0x20 || code === 0x3b || code === 0x28
}

/** The position after the comment that opens at `from`. Comments nest; one that is never closed runs to the end. */
function commentEnd(body: string, from: number): number {
  let depth = 0
  for (let at = from; at < body.length; at++) {
    const character = body.charAt(at)
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return body.length
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\r' || character === '\n'
}

function boundariesOf(
  raw: readonly RawParameter[],
  continued: ReadonlyMap<string, Section[]>,
): string[] {
  const plain = raw.filter((parameter) => parameter.name === 'boundary')
  const joined = joinedSections(continued.get('boundary') ?? []).bytes.toString('latin1')
  const values = [...plain.map((parameter) => parameter.value), joined]
  return [...new Set(values.map((value) => value.trimEnd()))]
    .filter((value) => value !== '')
    .slice(0, BOUNDARIES_MAX)
}

function fileNamesOf(
  raw: readonly RawParameter[],
  continued: ReadonlyMap<string, Section[]>,
): string[] {
  const names = raw
    .filter(({ name }) => FILE_NAME_PARAMETERS.includes(name))
    .slice(0, FILE_NAMES_MAX)
    .map(({ value }) => decodeHeaderText(value))
  for (const parameter of FILE_NAME_PARAMETERS) {
    const sections = continued.get(parameter)
    if (sections !== undefined) names.push(decodedSections(sections))
  }
  return [...new Set(names)].filter((name) => name !== '').slice(0, FILE_NAMES_MAX)
}

const FILE_NAME_PARAMETERS: readonly string[] = ['filename', 'name']

/** An RFC 2231 value goes before a plain one of the same name, as in RFC 6266 §4.3. */
function decodedParameters(
  raw: readonly RawParameter[],
  continued: ReadonlyMap<string, Section[]>,
): Map<string, string> {
  const decoded = new Map<string, string>()
  for (const [base, sections] of continued) decoded.set(base, decodedSections(sections))
  for (const { name, value } of raw) {
    if (!name.includes('*') && !decoded.has(name)) decoded.set(name, decodeHeaderText(value))
  }
  return decoded
}

/** The sections of each continued name, in the order of their numbers. */
function continuedSections(raw: readonly RawParameter[]): Map<string, Section[]> {
  const continued = new Map<string, Section[]>()
  for (const { name, value } of raw) {
    const asterisk = name.indexOf('*')
    if (asterisk <= 0) continue
    const base = name.slice(0, asterisk)
    const index = Number.parseInt(name.slice(asterisk + 1), 10) || 0
    const section = { index, extended: name.endsWith('*'), value }
    const sections = continued.get(base)
    if (sections === undefined) continued.set(base, [section])
    else sections.push(section)
  }
  for (const sections of continued.values()) sections.sort((a, b) => a.index - b.index)
  return continued
}

function decodedSections(sections: readonly Section[]): string {
  const { bytes, charset } = joinedSections(sections)
  return decodeCharset(bytes, charset).text
}

function joinedSections(sections: readonly Section[]): { bytes: Buffer; charset: string } {
  const first = sections[0]
  const prefix = first?.extended ? extendedPrefix(first.value) : { charset: '', length: 0 }
  const pieces = sections.map(({ extended, value }, index) => {
    const rest = index === 0 ? value.slice(prefix.length) : value
    return extended ? percentDecoded(rest) : Buffer.from(rest, 'latin1')
  })
  return { bytes: Buffer.concat(pieces), charset: prefix.charset }
}

/** `charset'language'`, RFC 2231 §4; either may be empty. */
function extendedPrefix(value: string): { charset: string; length: number } {
  const first = value.indexOf("'")
  const second = value.indexOf("'", first + 1)
  if (first < 0 || second < 0) return { charset: '', length: 0 }
  return { charset: value.slice(0, first), length: second + 1 }
}

function percentDecoded(value: string): Buffer {
  const decoded = value.replace(/%[0-9A-Fa-f]{2}/g, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  )
  return Buffer.from(decoded, 'latin1')
}
