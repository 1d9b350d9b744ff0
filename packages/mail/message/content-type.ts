/**
 * What a part says it is: every reading of its Content-Type fields, its disposition, file name
 * and transfer encodings (RFC 2045, RFC 2183).
 *
 * Two fields of one name are read differently by different programs, so all of them are kept.
 */
import { FILE_NAMES_MAX, REPEATED_FIELDS_MAX, TRANSFER_ENCODINGS_MAX } from './limits.ts'
import type { HeaderField, Oddity } from './message.ts'
import { type ParameterizedValue, parseParameterized } from './mime-parameters.ts'
import { type TransferEncoding, transferEncodingOf } from './transfer-encoding.ts'

/** One Content-Type field, or the default where there is none. */
export interface MediaType {
  /** 'text/plain', lower case. */
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
  readonly boundaries: readonly string[]
}

/** What the header of a part says about its body. */
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
