/** JSON bodies and queries are checked by the schema of their route, and refused with the name of the wrong field. */
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import { ERRORS, TamisError } from '../../errors/errors.ts'
import { faultIn, type ObjectSchema, type Schema } from '../json-schema.ts'
import { fieldError } from './field-errors.ts'

/** Lets the routes of `app` take JSON bodies, each up to its `bodyLimit`. */
export function acceptJson(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => parseJson(body),
  )
}

/** @throws TamisError FIELD_INVALID */
function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw fieldInvalid('The body is empty; it must be a JSON object')
  // Decoded loosely, it would have U+FFFD for invalid bytes, and two users could become one.
  if (!isUtf8(bytes)) throw fieldInvalid('The body is not UTF-8')
  try {
    return JSON.parse(bytes.toString())
  } catch (cause) {
    throw fieldInvalid('The body is not JSON', cause)
  }
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
