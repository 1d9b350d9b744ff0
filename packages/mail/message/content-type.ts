/**
 * What a part says it is: every reading of its Content-Type fields, its disposition, file name
 * and transfer encodings (RFC 2045, RFC 2183).
 *
 * Two fields of one name are read differently by different programs, so all of them are kept.
 */
import { decodeCharset } from './charset.ts'
import { decodeHeaderText } from './encoded-words.ts'
import {
  BOUNDARIES_MAX,
  FILE_NAMES_MAX,
  PARAMETER_FIELD_LENGTH_MAX,
  PARAMETERS_MAX,
  REPEATED_FIELDS_MAX,
  TRANSFER_ENCODINGS_MAX,
} from './limits.ts'
import type { HeaderField, Oddity } from './message.ts'
import { type TransferEncoding, transferEncodingOf } from './transfer-encoding.ts'

/** One Content-Type field, or the default where there is none. */
export interface MediaType {
  /** 'text/plain', lower case. */
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
  readonly boundaries: readonly string[]
}

export interface ContentDescription {
  /** At least one; the first is the one that most readers take. */
  readonly mediaTypes: readonly MediaType[]
  readonly disposition: string
  readonly fileName: string | undefined
  /** Other names that the fields give it: one program takes `name`, another `filename`. */
  readonly otherNames: readonly string[]
  /** Content-Transfer-Encoding as written, in lower case; '7bit' where absent. */
  readonly transferEncoding: string
  /** The encodings that the fields name: at least one, no value twice. */
  readonly encodings: readonly TransferEncoding[]
  readonly oddities: readonly Oddity[]
}

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map()

/** A type and a subtype in the characters of RFC 6838. */
const TYPE = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/

/** @param defaultType the type of a part without Content-Type: message/rfc822 inside a digest. */
export function describeContent(
  fields: readonly HeaderField[],
  defaultType: string,
): ContentDescription {
  const types = rawBodies(fields, 'content-type')
  const parsed = types.slice(0, REPEATED_FIELDS_MAX).map(parseParameterized)
  const mediaTypes = parsed.length > 0 ? parsed.map(mediaTypeOf) : [defaultMediaType(defaultType)]
  const dispositions = rawBodies(fields, 'content-disposition')
    .slice(0, REPEATED_FIELDS_MAX)
    .map(parseParameterized)
  const disposition = dispositions[0]
  const encodings = rawBodies(fields, 'content-transfer-encoding').map(encodingName)
  const fileName = disposition?.parameters.get('filename') ?? mediaTypes[0]!.parameters.get('name')
  const fileNames = [...dispositions, ...parsed].flatMap((field) => field.fileNames)
  return {
    mediaTypes,
    disposition: disposition?.value ?? '',
    fileName,
    otherNames: [...new Set(fileNames)]
      .filter((name) => name !== fileName)
      .slice(0, FILE_NAMES_MAX),
    transferEncoding: encodings[0] ?? '7bit',
    encodings: distinctEncodings(encodings),
    oddities: [
      ...(types.length > 1 ? (['CONTENT_TYPE_REPEATED'] as const) : []),
      ...(parsed.some(isMalformed) ? (['CONTENT_TYPE_MALFORMED'] as const) : []),
      ...(mediaTypes.some((media) => media.boundaries.length > 1)
        ? (['BOUNDARY_REPEATED'] as const)
        : []),
      ...(encodings.length > 1 ? (['TRANSFER_ENCODING_REPEATED'] as const) : []),
      ...(encodings.some((name) => transferEncodingOf(name) === undefined)
        ? (['TRANSFER_ENCODING_UNKNOWN'] as const)
        : []),
    ],
  }
}

function rawBodies(fields: readonly HeaderField[], name: string): string[] {
  return fields.filter((field) => field.name === name).map((field) => field.rawBody)
}

function defaultMediaType(type: string): MediaType {
  return { type, parameters: NO_PARAMETERS, boundaries: [] }
}

function isMalformed(parsed: ParameterizedValue): boolean {
  return !TYPE.test(parsed.value)
}

function mediaTypeOf(parsed: ParameterizedValue): MediaType {
  const type = isMalformed(parsed) ? guessedType(parsed) : parsed.value
  return { type, parameters: parsed.parameters, boundaries: parsed.boundaries }
}

/** A type that cannot be read is text/plain (RFC 2045 §5.2), unless it plainly means another. */
function guessedType(parsed: ParameterizedValue): string {
  if (parsed.boundaries.length > 0) return 'multipart/mixed'
  return parsed.value.includes('html') ? 'text/html' : 'text/plain'
}

/** Characters of a field that are read for the name of an encoding. */
const ENCODING_NAME_LENGTH_MAX = 40

/** The token of the field, without comments and whatever else follows; where that names no encoding, all words of it: 'quoted printable'. */
function encodingName(rawBody: string): string {
  const unquoted = rawBody.replace(/^"|"$/g, '')
  const token = parseParameterized(unquoted).value
  if (transferEncodingOf(token) !== undefined) return token
  const words = /^[^;(]*/.exec(unquoted.slice(0, ENCODING_NAME_LENGTH_MAX))![0].trim().toLowerCase()
  return transferEncodingOf(words) === undefined ? token : words
}

function distinctEncodings(names: readonly string[]): TransferEncoding[] {
  const known = names.map((name) => transferEncodingOf(name) ?? 'identity')
  return known.length === 0 ? ['identity'] : [...new Set(known)].slice(0, TRANSFER_ENCODINGS_MAX)
}

// Content-Type and Content-Disposition: a value and its parameters (RFC 2045 §5.1, RFC 2183),
// with continuations, charsets and languages (RFC 2231).
//
// Senders leave out semicolons and quotes, repeat parameters, and write spaces in file names. Mail
// programs differ in how they read that, so every value of the boundary parameter and every file name
// is kept (amavis CVE-2024-28054: the scanner took the last of two boundaries, the mail program the
// first).

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
