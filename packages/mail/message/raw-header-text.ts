/**
 * Raw text in header fields that is no UTF-8: senders that write it (RFC 6532 allows UTF-8 alone) mean
 * the charset of the body, or one that the header's own bytes tell.
 */
import { isUtf8 } from 'node:buffer'
import { charsetOf, decodeCharset } from './charset.ts'
import { decodeHeaderText } from './encoded-words.ts'
import type { HeaderField, TextBody } from './message.ts'

/** Characters of each field that are looked at for the charset of all; a Subject is shorter. */
const LOOKED_AT_LENGTH = 256

/** Fields that are looked at. */
const LOOKED_AT_MAX = 8

/** `fields` with the raw text of all in one charset: that of the first of `texts` which has one of its own. */
export function withRawText(
  fields: readonly HeaderField[],
  texts: readonly TextBody[],
): readonly HeaderField[] {
  const raw = fields.filter(hasRawText)
  if (raw.length === 0) return fields
  const looked = raw
    .slice(0, LOOKED_AT_MAX)
    .map(({ rawBody }) => rawBody.slice(0, LOOKED_AT_LENGTH))
    .join('\n')
  const declared = texts.find(({ charset }) => !/^(?:us-ascii|utf-.*)$/.test(charset))?.charset
  const charset = charsetOf(Buffer.from(looked, 'latin1'), declared ?? '')
  return fields.map((field) => (hasRawText(field) ? inCharset(field, charset) : field))
}

/** Whether a field has bytes beyond ASCII that are no UTF-8, or an escape of ISO-2022. */
function hasRawText({ rawBody }: HeaderField): boolean {
  if (/[\x80-\xff]/.test(rawBody)) return !isUtf8(Buffer.from(rawBody, 'latin1'))
  return rawBody.includes('\x1b$')
}

function inCharset(field: HeaderField, rawCharset: string): HeaderField {
  const body = decodeHeaderText(rawBodyInUtf8({ ...field, rawCharset }))
  return { ...field, body, rawCharset }
}

/** The raw body of `field`, each byte one code unit, in UTF-8: so read, a byte of a letter is no comma or quote. */
export function rawBodyInUtf8({ rawBody, rawCharset }: HeaderField): string {
  if (rawCharset === undefined) return rawBody
  const { text } = decodeCharset(Buffer.from(rawBody, 'latin1'), rawCharset)
  return Buffer.from(text).toString('latin1')
}
