/** Header fields of a message by name: aspects ask for some fifty of them, most of which are not there. */
import type { HeaderField, Message } from '../message/message.ts'
import { perMessage } from './per-message.ts'

const fieldsByName = perMessage((message: Message): ReadonlyMap<string, HeaderField[]> => {
  const byName = new Map<string, HeaderField[]>()
  for (const field of message.fields) {
    const fields = byName.get(field.name)
    if (fields === undefined) byName.set(field.name, [field])
    else fields.push(field)
  }
  return byName
})

const NO_FIELDS: readonly HeaderField[] = []

/** All fields of that name (lower case), in order. */
export function fieldsOf(message: Message, name: string): readonly HeaderField[] {
  return fieldsByName(message).get(name) ?? NO_FIELDS
}

/** Decoded bodies of all fields of that name (lower case), in order. */
export function fieldBodies(message: Message, name: string): string[] {
  return fieldsOf(message, name).map((field) => field.body)
}

/** Decoded body of the first field of that name (lower case), undefined when there is none. */
export function fieldBody(message: Message, name: string): string | undefined {
  return fieldsOf(message, name)[0]?.body
}
