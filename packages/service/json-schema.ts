/**
 * JSON Schemas (draft 2020-12) with the types of what they describe, and the check of a value against one.
 *
 * A schema is plain data; its type exists only at compile time. The check knows the keywords that occur below and
 * no others. Libraries for this take each thread 50 to 300 ms of CPU time and 15 to 30 MB to load.
 */

declare const TYPE: unique symbol
const OPTIONAL = Symbol('optional')

/** A schema of values of the type `T`. */
export interface Schema<T = unknown> {
  readonly [TYPE]?: T
  readonly [keyword: string]: unknown
}

/** The type of what `S` describes. */
export type Static<S extends Schema> = S extends Schema<infer T> ? T : never

export type Properties = Readonly<Record<string, Schema>>

interface Optional {
  readonly [OPTIONAL]: true
}

type OptionalNames<P extends Properties> = {
  [Name in keyof P]: P[Name] extends Optional ? Name : never
}[keyof P]

type Fields<P extends Properties> = {
  [Name in Exclude<keyof P, OptionalNames<P>>]: Static<P[Name]>
} & { [Name in OptionalNames<P>]?: Static<P[Name]> }

export interface ObjectSchema<P extends Properties = Properties>
  extends Schema<{ [Name in keyof Fields<P>]: Fields<P>[Name] }> {
  readonly properties: P
}

type Keywords = Readonly<Record<string, unknown>>

/** Makes schemas; `keywords` are added to each as they are. */
export const Type = {
  Boolean: (keywords?: Keywords): Schema<boolean> => ({ type: 'boolean', ...keywords }),
  Integer: (keywords?: Keywords): Schema<number> => ({ type: 'integer', ...keywords }),
  Number: (keywords?: Keywords): Schema<number> => ({ type: 'number', ...keywords }),
  String: (keywords?: Keywords): Schema<string> => ({ type: 'string', ...keywords }),
  Null: (): Schema<null> => ({ type: 'null' }),
  /** A schema that is written out. */
  Of: <T>(keywords: Keywords): Schema<T> => keywords as Schema<T>,
  Literal: <const T extends string>(value: T): Schema<T> => ({ type: 'string', const: value }),
  Enum: <const T extends string>(values: readonly T[], keywords?: Keywords): Schema<T> => ({
    enum: values,
    ...keywords,
  }),
  Union: <S extends readonly Schema[]>(
    anyOf: readonly [...S],
    keywords?: Keywords,
  ): Schema<Static<S[number]>> => ({ anyOf, ...keywords }),
  Array: <S extends Schema>(items: S, keywords?: Keywords): Schema<Static<S>[]> => ({
    type: 'array',
    items,
    ...keywords,
  }),
  /** An object with `value` under each name, of which `pattern` says what it may be. */
  Record: <S extends Schema>(
    value: S,
    pattern = '^.*$',
    keywords?: Keywords,
  ): Schema<Record<string, Static<S>>> => ({
    type: 'object',
    patternProperties: { [pattern]: value },
    ...keywords,
  }),
  Object: <P extends Properties>(properties: P, keywords?: Keywords): ObjectSchema<P> => {
    const required = Object.keys(properties).filter((name) => !isOptional(properties[name]!))
    return {
      type: 'object',
      ...(required.length > 0 && { required }),
      properties,
      ...keywords,
    } as ObjectSchema<P>
  },
  /** A field that may be absent. */
  Optional: <S extends Schema>(schema: S): S & Optional => ({ ...schema, [OPTIONAL]: true }),
}

function isOptional(schema: Schema): boolean {
  return OPTIONAL in schema
}

/** What is wrong with a value: where, as a path `texts/3`, '' for the value itself, and how, 'must be an integer'. */
export interface Fault {
  readonly path: string
  readonly what: string
}

/** What a schema may say, as the check reads it. */
interface Rules {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly required?: readonly string[]
  readonly properties?: Properties
  readonly patternProperties?: Properties
  readonly additionalProperties?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
}

type FaultOf = Fault | undefined

/** Whether `value` is what `schema` describes. */
export function isOf<S extends Schema>(schema: S, value: unknown): value is Static<S> {
  return faultIn(schema, value) === undefined
}

/** The first fault of `value`; where a schema allows several forms, that of the one that was meant. */
export function faultIn(schema: Schema, value: unknown, path = ''): FaultOf {
  const rules = schema as Rules
  const { type, anyOf } = rules
  const types = [type ?? []].flat()
  if (types.length > 0 && !types.some((name) => hasType(value, name))) {
    return { path, what: `must be ${types.map(withArticle).join(' or ')}` }
  }
  if ('const' in rules && value !== rules.const) return { path, what: `must be ${rules.const}` }
  if (rules.enum?.includes(value) === false) return { path, what: `must be ${oneOf(rules.enum)}` }
  const inside = isObject(value)
    ? faultInObject(rules, value, path)
    : Array.isArray(value)
      ? faultInArray(rules, value, path)
      : undefined
  const what = typeof value === 'string' ? faultInText(rules, value) : faultInNumber(rules, value)
  return inside ?? (what === undefined ? faultInForms(anyOf, value, path) : { path, what })
}

/** The deepest fault is that of the form that was meant. */
function faultInForms(anyOf: readonly Schema[] | undefined, value: unknown, path: string): FaultOf {
  const faults = anyOf?.map((form) => faultIn(form, value, path)) ?? []
  if (faults.includes(undefined)) return undefined
  return faults.reduce(
    (deepest, fault) => (depth(fault!) > depth(deepest!) ? fault : deepest),
    faults[0],
  )
}

function depth({ path }: Fault): number {
  return path === '' ? 0 : path.split('/').length
}

function faultInObject(
  { required = [], properties = {}, patternProperties = {}, additionalProperties, ...rules }: Rules,
  value: Readonly<Record<string, unknown>>,
  path: string,
): FaultOf {
  const below = (name: string) => (path === '' ? name : `${path}/${name}`)
  const names = Object.keys(value)
  const missing = required.find((name) => value[name] === undefined)
  if (missing !== undefined) return { path: below(missing), what: 'is missing' }
  const patterns = Object.entries(patternProperties)
  const schemaOf = (name: string) =>
    Object.hasOwn(properties, name)
      ? properties[name]
      : patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1]
  const unknown = names.find((name) => schemaOf(name) === undefined)
  if (unknown !== undefined && additionalProperties === false) {
    return { path: below(unknown), what: 'is not a known field' }
  }
  for (const name of new Set([...Object.keys(properties), ...names])) {
    const schema = schemaOf(name)
    if (schema === undefined || value[name] === undefined) continue
    const fault = faultIn(schema, value[name], below(name))
    if (fault !== undefined) return fault
  }
  const { minProperties, maxProperties } = rules
  const what = faultInCount(names.length, minProperties, maxProperties, 'field')
  return what === undefined ? undefined : { path, what }
}

function faultInArray(
  { items, minItems, maxItems, uniqueItems }: Rules,
  value: readonly unknown[],
  path: string,
): FaultOf {
  const what = faultInCount(value.length, minItems, maxItems, 'item')
  if (what !== undefined) return { path, what }
  for (const [at, item] of items === undefined ? [] : value.entries()) {
    const fault = faultIn(items!, item, path === '' ? `${at}` : `${path}/${at}`)
    if (fault !== undefined) return fault
  }
  const hasTwice = uniqueItems === true && new Set(value).size < value.length
  return hasTwice ? { path, what: 'must not have duplicate items' } : undefined
}

/** RFC 3339, §5.6. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i

function faultInText({ minLength, maxLength, format, pattern }: Rules, text: string) {
  if (minLength !== undefined || maxLength !== undefined) {
    const what = faultInCount(charactersIn(text), minLength, maxLength, 'character')
    if (what !== undefined) return what
  }
  if (format === 'date-time' && !(DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)))) {
    return `must match format "${format}"`
  }
  const matches = pattern === undefined || new RegExp(pattern, 'u').test(text)
  return matches ? undefined : `must match pattern "${pattern}"`
}

/** Unicode characters. */
function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function faultInNumber(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Rules,
  value: unknown,
): string | undefined {
  if (typeof value !== 'number') return undefined
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return `must be > ${exclusiveMinimum}`
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return `must be < ${exclusiveMaximum}`
  if (minimum !== undefined && value < minimum) return `must be >= ${minimum}`
  return maximum !== undefined && value > maximum ? `must be <= ${maximum}` : undefined
}

function faultInCount(count: number, min = 0, max = Number.POSITIVE_INFINITY, unit: string) {
  const counted = (limit: number) => `${limit} ${unit}${limit === 1 ? '' : 's'}`
  if (count < min) return `must have at least ${counted(min)}`
  return count > max ? `must have at most ${counted(max)}` : undefined
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return typeof value === type
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withArticle(type: string): string {
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`
}

/** The values that are allowed, in words: 'true or false', 'one of primary, promotions, updates'. */
export function oneOf(choices: readonly unknown[]): string {
  return choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ')
}
