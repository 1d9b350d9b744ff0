/** Encoded words (RFC 2047) around text that needs no encoding: a way past filters that read the raw header. */
import type { Message } from '../message/message.ts'
import { fieldsOf } from './fields.ts'

const ENCODED_WORD = /=\?[^?]{1,40}\?[bq]\?/i

const PRINTABLE_ASCII = /^[ -~\t]*$/

/**
 * Honest encoders take a whole field as soon as one character needs it, break long lines only
 * when encoded, and protect '=?'. A short field of plain ASCII has none of these reasons.
 */
const LINE_LENGTH_MAX = 70

/** True when the first field `name` (lower case) has encoded words and only ASCII in them. */
export function isEncodedNeedlessly(message: Message, name: string): boolean {
  const field = fieldsOf(message, name)[0]
  if (field === undefined || !field.rawBody.includes('=?')) return false
  return (
    ENCODED_WORD.test(field.rawBody) &&
    PRINTABLE_ASCII.test(field.body) &&
    field.body.length <= LINE_LENGTH_MAX &&
    !field.body.includes('=?')
  )
}
