/**
 * Parts that hold the text of a message in another form than MIME: S/MIME (RFC 8551), winmail.dat, pieces
 * of a message (RFC 2046 §5.2.2), OpenPGP (RFC 3156), references to a text elsewhere. What mail programs show
 * of them without a key is opened in parts.ts; of the others nothing is known.
 */
import type { ContentDescription } from './content-type.ts'
import type { Part } from './message.ts'

const SMIME_TYPES: ReadonlySet<string> = new Set([
  'application/pkcs7-mime',
  'application/x-pkcs7-mime',
])

const TNEF_TYPES: ReadonlySet<string> = new Set([
  'application/ms-tnef',
  'application/vnd.ms-tnef',
  'application/x-tnef',
])

const FRAGMENT_TYPE = 'message/partial'

/** Types of which nothing can be read at all. */
const CLOSED_TYPES: ReadonlySet<string> = new Set([
  'application/pgp-encrypted',
  'multipart/encrypted',
  'message/external-body',
])

/** Declared types that say nothing, so that the name of a file tells its type. */
export const GENERIC_TYPES: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'application/x-octet-stream',
  'application/binary',
  'application/x-msdownload',
])

/** S/MIME, also under its file name alone (RFC 8551 §3.2.1). */
export function isSmime(content: ContentDescription): boolean {
  return content.mediaTypes.some(({ type }) => isSmimeType(type, content.fileName))
}

function isSmimeType(type: string, fileName: string | undefined): boolean {
  return SMIME_TYPES.has(type) || (GENERIC_TYPES.has(type) && /\.p7[mz]$/i.test(fileName ?? ''))
}

export function isTnefPart(content: ContentDescription): boolean {
  return content.mediaTypes.some(({ type }) => isTnefType(type, content.fileName))
}

function isTnefType(type: string, fileName: string | undefined): boolean {
  const isNamed = /^(?:winmail|win)\.dat$/i.test(fileName ?? '')
  return TNEF_TYPES.has(type) || (GENERIC_TYPES.has(type) && isNamed)
}

/** The first piece of a message that was sent in several: it has the header and the beginning. */
export function isFirstFragment({ mediaTypes }: ContentDescription): boolean {
  return mediaTypes.some(
    ({ type, parameters }) =>
      type === FRAGMENT_TYPE && !(Number.parseInt(parameters.get('number') ?? '1', 10) > 1),
  )
}

/** Whether `part` holds text in a form in which it was not read. */
export function isUnreadContainer({ type, fileName, parts }: Part): boolean {
  if (CLOSED_TYPES.has(type)) return true
  const isContainer =
    isSmimeType(type, fileName) || isTnefType(type, fileName) || type === FRAGMENT_TYPE
  return isContainer && parts.length === 0
}
