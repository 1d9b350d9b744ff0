/**
 * packages/client/answers.ts, from the schemas of the routes: types that need neither the service's
 * code nor a library, so that the client stands by itself.
 */
import { ERRORS } from '../packages/errors/errors.ts'
import { HTTP_OPERATIONS } from '../packages/service/http/operations.ts'
import type { Operation } from '../packages/service/http/route.ts'
import { ErrorResult } from '../packages/service/http/schemas.ts'
import { isFlag, isList, optionName } from './client-arguments.ts'

/** What of JSON Schema (draft 2020-12) the schemas use. */
export interface Schema {
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
}

/** Titles in the document for which the client has a name of its own. */
const CLIENT_NAMES: Readonly<Record<string, string>> = {
  Error: 'ErrorResult',
  Stats: 'StatsResult',
  RecentWork: 'RecentResult',
  RecentMessages: 'RecentMessagesResult',
}

export function clientTypes(): string {
  const codes = Object.keys(ERRORS).map((code) => `  | '${code}'\n`)
  const types = [...namedSchemas(), ...headerTypes()]
  return `/** What the HTTP API takes and answers. Made by \`npm run docs\` from the service's routes. */

/** The service's error codes: docs/errors.md. */
export type ErrorCode =
${codes.join('')}
${types.join('\n')}`
}

/** What the client calls a schema; undefined for one that has no title. */
export function nameOf({ title }: Schema): string | undefined {
  return title && (CLIENT_NAMES[title] ?? title)
}

/** A type for every schema with a title that a body or an answer is, or has in it. */
function namedSchemas(): string[] {
  const named = new Map<string, Schema>()
  const collect = (schema: Schema) => {
    const name = nameOf(schema)
    if (name !== undefined) named.set(name, schema)
    const { properties = {}, items, anyOf = [] } = schema
    for (const each of [...Object.values(properties), ...anyOf, ...(items ? [items] : [])]) {
      collect(each)
    }
  }
  for (const { body, answers } of HTTP_OPERATIONS) {
    for (const { schema } of Object.values(answers)) collect(schema)
    if (typeof body === 'object') collect(body.schema)
  }
  collect(ErrorResult)
  return [...named].map(
    ([name, schema]) => `${comment(schema, '')}export type ${name} = ${objectType(schema, '')}\n`,
  )
}

/** A type for what travels in the headers of a message, each by its title. */
function headerTypes(): string[] {
  const schemas = new Map<string, Schema>()
  for (const { headers } of HTTP_OPERATIONS) {
    if (headers !== undefined) schemas.set(headersName(headers), headers as Schema)
  }
  return [...schemas].map(([name, schema]) => {
    const shared = name === DELIVERY ? {} : (schemas.get(DELIVERY)?.properties ?? {})
    const own = Object.entries(schema.properties ?? {}).filter(
      ([header, field]) => shared[header] !== field,
    )
    const fields = own.map(([header, field]) => {
      const type = headerType(header, field)
      const value = schema.required?.includes(header) ? `: ${type}` : `?: ${type} | undefined`
      return `${comment(field, '  ')}  readonly ${optionName(header)}${value}\n`
    })
    return `${comment(schema, '')}export interface ${name}${baseOf(schema, shared)} {\n${fields.join('')}}\n`
  })
}

/** What all messages may have; the others have it too, but for what they say anew or leave out. */
const DELIVERY = 'Delivery'

function baseOf({ properties = {} }: Schema, shared: Readonly<Record<string, Schema>>): string {
  if (Object.keys(shared).length === 0) return ''
  const others = Object.keys(shared).filter((header) => properties[header] !== shared[header])
  const names = others.map((header) => `'${optionName(header)}'`)
  return ` extends ${names.length === 0 ? DELIVERY : `Omit<${DELIVERY}, ${names.join(' | ')}>`}`
}

/** What the client calls the headers of an operation on a message. */
export function headersName(headers: Operation['headers']): string {
  return String((headers as Schema | undefined)?.title)
}

function headerType(header: string, schema: Schema): string {
  if (isList(header)) return 'readonly string[]'
  return isFlag(schema) ? 'boolean' : typeOf(schema, '')
}

/** `schema` as TypeScript; what is on further lines is indented by `indent`. */
export function typeOf(schema: Schema, indent: string): string {
  const name = nameOf(schema)
  if (name !== undefined) return name
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((each) => typeOf(each, indent)).join(' | ')
  }
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => typeOf({ ...schema, type }, indent)).join(' | ')
  }
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return arrayOf(typeOf(schema.items!, indent))
    case 'object':
      return objectType(schema, indent)
    default:
      throw new TypeError(`No type for the schema ${JSON.stringify(schema)}`)
  }
}

function arrayOf(type: string): string {
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})[]` : `${type}[]`
}

function objectType(schema: Schema, indent: string): string {
  const [values] = Object.values(schema.patternProperties ?? {})
  if (values !== undefined) return `Record<string, ${typeOf(values, indent)}>`
  const deeper = `${indent}  `
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const optional = schema.required?.includes(name) ? '' : '?'
    const key = /^[a-z]\w*$/i.test(name) ? name : `'${name}'`
    return `${comment(field, deeper)}${deeper}${key}${optional}: ${typeOf(field, deeper)}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}

function comment({ description }: Schema, indent: string): string {
  return !description ? '' : `${indent}/** ${description} */\n`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
}
