/**
 * JSON bodies are read, limited to what the route can use, checked by its schema, and refused with
 * the name of the wrong field.
 *
 * All of this is done on the thread that answers all requests. So a body is limited before it is
 * parsed: by its bytes, and by its number of values, each of which costs a hundred times as much as
 * a byte of text.
 */
import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify'
import { ERRORS, TamisError } from '../../errors/errors.ts'
import { GrowingBytes } from '../admission/growing-bytes.ts'
import { readToEnd } from '../admission/receive.ts'
import { faultIn, type ObjectSchema, type Schema } from '../json-schema.ts'
import { fieldError } from './field-errors.ts'

/**
 * The most values in one body, including those in arrays and objects. No route takes more than 1,100
 * texts. The limit is twice as many, so that a body with a few too many is refused by its
 * schema, which names the field. It stops a million small elements or keys: parsing 4 MiB of them
 * takes a second.
 */
const VALUES_MAX = 2_048

/** The first size of the buffer for a body of unknown length, in bytes: most bodies are smaller. */
const FIRST_CAPACITY_BYTES = 4 * 1024

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b

/** Lets the routes of `app` take JSON bodies, each up to its `bodyLimit`. */
export function acceptJson(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) =>
    parseJson(await readBody(request, payload, request.routeOptions.bodyLimit)),
  )
}

/** @throws TamisError MESSAGE_TOO_LARGE, BODY_TRUNCATED */
async function readBody(
  { headers }: FastifyRequest,
  payload: Readable,
  bytesMax: number,
): Promise<Buffer> {
  const declared = Number(headers['content-length'] ?? FIRST_CAPACITY_BYTES)
  if (declared > bytesMax) throw tooLarge(bytesMax)
  const body = new GrowingBytes(Math.min(declared, FIRST_CAPACITY_BYTES))
  await readToEnd(payload, (chunk) => {
    if (body.length + chunk.length > bytesMax) throw tooLarge(bytesMax)
    body.add(chunk)
    return undefined
  })
  return body.bytes
}

function tooLarge(bytesMax: number): TamisError {
  return new TamisError('MESSAGE_TOO_LARGE', `The body is larger than ${bytesMax} bytes`)
}

/** @throws TamisError FIELD_INVALID */
function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw fieldInvalid('The body is empty; it must be a JSON object')
  // Decoded loosely, it would have U+FFFD for invalid bytes, and two users could become one.
  if (!isUtf8(bytes)) throw fieldInvalid('The body is not UTF-8')
  if (hasTooManyValues(bytes)) throw fieldInvalid(`The body has more than ${VALUES_MAX} values`)
  try {
    return JSON.parse(bytes.toString())
  } catch (cause) {
    throw fieldInvalid('The body is not JSON', cause)
  }
}

/** Counts the characters that stand before values, without parsing. So nesting has the same limit. */
function hasTooManyValues(json: Buffer): boolean {
  let values = 1
  let isInText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isInText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isInText = false
    } else if (byte === QUOTE) isInText = true
    else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values++
      if (values > VALUES_MAX) return true
    }
  }
  return false
}

/**
 * A query is percent-encoded UTF-8 (RFC 3986 §2.5). Programs read other encodings differently, so two
 * users could become one.
 *
 * @throws TamisError FIELD_INVALID
 */
export function checkQuery(url: string): void {
  const start = url.indexOf('?')
  if (start < 0) return
  try {
    decodeURIComponent(url.slice(start))
  } catch (cause) {
    throw fieldInvalid('The query is not percent-encoded UTF-8', cause)
  }
}

function fieldInvalid(message: string, cause?: unknown): TamisError {
  return new TamisError('FIELD_INVALID', message, { cause })
}

/**
 * Checks bodies, queries and parameters of paths, and refuses with the name of the wrong field. Texts
 * of a query are converted to the types of the schema; a body already has its types.
 */
export const compileSchema: FastifySchemaCompiler<unknown> =
  ({ schema: declared, httpPart }) =>
  (sent: unknown) => {
    const schema = declared as Schema
    const value = httpPart === 'body' ? sent : withNumbers(schema, sent)
    const fault = faultIn(schema, value)
    if (fault === undefined) return { value }
    // A path has no fields that an error could name.
    const isPath = httpPart === 'params'
    return {
      error: isPath
        ? new TamisError('REQUEST_MALFORMED', ERRORS.REQUEST_MALFORMED.meaning)
        : fieldError(fault),
    }
  }

/** The texts of `query` that write a number, as numbers where `schema` has one; there are no other types in queries. */
function withNumbers(schema: Schema, query: unknown): unknown {
  const { properties } = schema as ObjectSchema
  const entries = Object.entries(query as object).map(([name, text]) => {
    const isNumber = properties[name]?.['type'] === 'integer' && /^-?\d+$/.test(text)
    return [name, isNumber ? Number(text) : text]
  })
  return Object.fromEntries(entries)
}

type Write = (value: unknown) => string

/**
 * The function that writes what `schema` describes: of an object the fields that its schema has, required ones first, and no
 * others, so that nothing is sent that the interface does not name. It is made when it is first used: there are some two
 * hundred, most for errors.
 */
export function answerWriter(schema: Schema): Write {
  let write: Write | undefined
  return (value) => {
    write ??= writerOf(schema)
    return write(value)
  }
}

function writerOf(schema: Schema): Write {
  const { properties, additionalProperties, items, anyOf } = schema as Shape
  if (anyOf !== undefined) {
    const write = anyOf.map(writerOf).find((each) => each !== writeAny) ?? writeAny
    return (value) => (typeof value === 'object' && value !== null ? write : writeAny)(value)
  }
  if (items !== undefined) {
    const write = writerOf(items)
    return write === writeAny ? writeAny : (value) => `[${(value as unknown[]).map(write).join()}]`
  }
  if (properties === undefined || additionalProperties === true) return writeAny
  return objectWriter(schema as Shape & Schema)
}

interface Shape {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

function objectWriter({ properties = {}, required = [] }: Shape): Write {
  const names = [
    ...new Set([
      ...Object.keys(properties).filter((name) => required.includes(name)),
      ...Object.keys(properties),
    ]),
  ]
  const fields = names.map((name) => ({
    name,
    start: `${JSON.stringify(name)}:`,
    write: writerOf(properties[name]!),
  }))
  return (value) => {
    let json = ''
    for (const { name, start, write } of fields) {
      const field = (value as Readonly<Record<string, unknown>>)[name]
      if (field !== undefined) json += `${json === '' ? '{' : ','}${start}${write(field)}`
    }
    return json === '' ? '{}' : `${json}}`
  }
}

const writeAny: Write = (value) => JSON.stringify(value)
