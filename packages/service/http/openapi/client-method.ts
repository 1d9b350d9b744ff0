/**
 * How the method of the client for an operation is called: the message and what is known of it, or
 * what stands in the path, in the query and in the body, in this order.
 */
import type { TSchema } from 'typebox'
import type { Example, Operation } from '../route.ts'

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

/** An argument of its own. */
export interface Argument {
  readonly name: string
  readonly place: Exclude<keyof Example, 'headers'>
  readonly schema: TSchema
  /** Whether it is one field of `place`, or all of it. */
  readonly isField: boolean
}

/** Before the options of the call; not of an operation on a message, which has that alone. */
export function argumentsOf({ params, query, body }: Operation): Argument[] {
  return [
    ...fieldsOf('params', params),
    ...fieldsOf('query', query),
    ...(typeof body === 'object' ? bodyArguments(body.schema) : []),
  ]
}

/** What has to be there, each by itself. */
function fieldsOf(place: Argument['place'], schema: TSchema | undefined): Argument[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema
  return required.map((name) => ({ name, place, schema: properties[name]!, isField: true }))
}

/** A body of one field is that field. */
function bodyArguments(schema: TSchema): Argument[] {
  const fields = fieldsOf('body', schema)
  const { properties = {} } = schema as ObjectSchema
  if (fields.length === 1 && Object.keys(properties).length === 1) return fields
  return [{ name: 'body', place: 'body', schema, isField: false }]
}

/** What the client calls a header: `X-Sender-IP` is `senderIp`. */
export function optionName(header: string): string {
  const words = header.toLowerCase().split('-').slice(1)
  return words
    .map((word, at) => (at === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('')
}

/** Whether `schema` of a header is a flag. */
export function isFlag(schema: TSchema): boolean {
  const { enum: names } = schema as { readonly enum?: readonly unknown[] }
  return names?.includes('true') === true
}

/** Whether a header is a list, in JSON. */
export function isList(header: string): boolean {
  return header === 'X-User-IDs'
}
