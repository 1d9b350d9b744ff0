/** The metadata headers of the stream forms. Their values are UTF-8. */
import type { IncomingHttpHeaders } from 'node:http'
import { TamisError } from '../errors.ts'
import { type Metadata, type MetadataNames, readMetadata } from './metadata.ts'

const HEADERS: MetadataNames = {
  kind: 'header',
  senderIp: 'X-Sender-IP',
  senderEmail: 'X-Sender-Email',
  userId: 'X-User-ID',
}

/** Beyond ASCII a header has to be decoded. */
const NON_ASCII = /[^\0-\x7f]/

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws TamisError HEADER_INVALID naming the header. */
export function metadataFromHeaders(headers: IncomingHttpHeaders): Metadata {
  return readMetadata(
    {
      senderIp: headerText(headers, HEADERS.senderIp),
      senderEmail: headerText(headers, HEADERS.senderEmail),
      userId: headerText(headers, HEADERS.userId),
    },
    HEADERS,
  )
}

/** Node gives each byte of a header as one code unit. */
function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  // Node joins a repeated header into one value, which the rules then refuse.
  const text = Array.isArray(value) ? value.join(', ') : value
  if (text === undefined || !NON_ASCII.test(text)) return text
  try {
    return utf8.decode(Buffer.from(text, 'latin1'))
  } catch (cause) {
    throw new TamisError('HEADER_INVALID', `${name} is not UTF-8`, {
      cause,
      details: { header: name },
    })
  }
}
