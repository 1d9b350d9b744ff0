/**
 * The arguments of the client's method for an operation: the message and its metadata, or the
 * parameters of the path, of the query and of the body, in this order.
 */
import type { Example, Operation } from '../packages/service/http/route.ts'

/** The schema of what a route takes, as a whole or a field of it. */
type TSchema = NonNullable<Operation['query']>

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

/** A separate argument. */
export interface Argument {
  readonly name: string
  readonly place: Exclude<keyof Example, 'headers'>
  readonly schema: TSchema
  /** True if the argument is one field of `place`, false if it is all of it. */
  readonly isField: boolean
}

/** The arguments before the options of the call. An operation on a message has none besides the message. */
export function argumentsOf({ params, query, body }: Operation): Argument[] {
  return [
    ...fieldsOf('params', params),
    ...fieldsOf('query', query),
    ...(typeof body === 'object' ? bodyArguments(body.schema) : []),
  ]
}

/** The required parameters, each as an argument. */
function fieldsOf(place: Argument['place'], schema: TSchema | undefined): Argument[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema
  return required.map((name) => ({ name, place, schema: properties[name]!, isField: true }))
}

/** A body of one field becomes that field. */
function bodyArguments(schema: TSchema): Argument[] {
  const fields = fieldsOf('body', schema)
  const { properties = {} } = schema as ObjectSchema
  if (fields.length === 1 && Object.keys(properties).length === 1) return fields
  return [{ name: 'body', place: 'body', schema, isField: false }]
}

/** The client's name for a header: `X-Sender-IP` is `senderIp`. */
export function optionName(header: string): string {
  const words = header.toLowerCase().split('-').slice(1)
  return words
    .map((word, at) => (at === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('')
}

/** True if the `schema` of a header is that of a flag. */
export function isFlag(schema: TSchema): boolean {
  const { enum: names } = schema as { readonly enum?: readonly unknown[] }
  return names?.includes('true') === true
}

/** True if a header is a list, in JSON. */
export function isList(header: string): boolean {
  return header === 'X-User-IDs'
}
