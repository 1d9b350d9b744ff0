/**
 * Writes answers as JSON: of an object the fields that its schema has, required ones first, and no others, so that
 * nothing is sent that the interface does not name.
 */
import type { Schema } from '../json-schema.ts'

type Write = (value: unknown) => string

/** The function that writes what `schema` describes. It is made when it is first used: there are some two hundred, most for errors. */
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
