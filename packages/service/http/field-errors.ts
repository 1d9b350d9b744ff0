/** Says what a schema finds wrong with a body or a query, in a sentence for the developer of the client. */
import { TamisError } from '../../errors/errors.ts'
import type { Fault } from '../json-schema.ts'

/** The longest part of a caller's own field name that the answer repeats, in characters. */
const FIELD_LENGTH_MAX = 64

/** FIELD_INVALID for `field`. It says what is allowed and not what was sent: that may be somebody's address. */
export function invalidField(field: string, fault: string): TamisError {
  return new TamisError('FIELD_INVALID', `${field} ${fault}`, { details: { field } })
}

/** HEADER_INVALID for `header`; the same of what it says. */
export function invalidHeader(header: string, fault: string, cause?: unknown): TamisError {
  return new TamisError('HEADER_INVALID', `${header} ${fault}`, { cause, details: { header } })
}

/** FIELD_INVALID, with the field that the fault is in, if it is in one. */
export function fieldError({ path, what }: Fault): TamisError {
  if (path === '') return new TamisError('FIELD_INVALID', `The body ${what}`)
  const field = path.slice(0, FIELD_LENGTH_MAX)
  return new TamisError('FIELD_INVALID', `${spoken(field)} ${what}`, { details: { field } })
}

/** A path as code has it: 'texts[3]' for 'texts/3'. */
function spoken(field: string): string {
  return field.replaceAll(/\/([0-9]{1,9})(?=\/|$)/g, '[$1]').replaceAll('/', '.')
}
