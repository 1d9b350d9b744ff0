/**
 * winmail.dat: what Outlook makes of a message that it sends as "rich text" (application/ms-tnef,
 * MS-OXTNEF). It holds the text, as plain text, HTML or RTF, and the attachments. Outlook and many other
 * programs show what is in it, so it is read; RTF is not.
 *
 * A file is a sequence of attributes, one of which is a table of MAPI properties (MS-OXCMSG).
 */

/** A text or file in a winmail.dat, in the terms of MIME. */
export interface TnefFile {
  /** 'text/plain', 'text/html', or 'application/octet-stream' for an attachment. */
  readonly type: string
  /** Label of the charset of a text. */
  readonly charset: string | undefined
  /** The name of an attachment, as the bytes it was written in. */
  readonly fileName: Buffer | undefined
  readonly bytes: Buffer
}

const SIGNATURE = 0x223e9f78

/** Where the first attribute begins: after the signature and a key of two bytes. */
const ATTRIBUTES_START = 6

/** Level, type and id, length; and the checksum that follows the data. */
const ATTRIBUTE_HEAD_BYTES = 9
const CHECKSUM_BYTES = 2

const BODY = 0x0002800c
const MESSAGE_PROPERTIES = 0x00069003
const CODE_PAGE = 0x00069007
const ATTACHMENT_TITLE = 0x00018010
const ATTACHMENT_DATA = 0x0006800f

/** Attributes read of a file: some thirty, and four for each attachment, are in use. Stops a million empty ones. */
const ATTRIBUTES_MAX = 1_000

/** Properties read of a table: some two hundred are in use. Stops a million empty ones. */
const PROPERTIES_MAX = 1_000

/** Texts and attachments that are given. Stops hundreds of them. */
const FILES_MAX = 50

/** Whether `bytes` begin as such a file does. */
function isTnef(bytes: Buffer): boolean {
  return bytes.length >= ATTRIBUTES_START && bytes.readUInt32LE(0) === SIGNATURE
}

/** The texts and attachments in `bytes`, as far as they go. */
export function tnefFiles(bytes: Buffer): TnefFile[] {
  const files: TnefFile[] = []
  if (!isTnef(bytes)) return files
  let charset: string | undefined
  let title: Buffer | undefined
  let at = ATTRIBUTES_START
  for (let read = 0; read < ATTRIBUTES_MAX && files.length < FILES_MAX; read++) {
    if (at + ATTRIBUTE_HEAD_BYTES > bytes.length) break
    const attribute = bytes.readUInt32LE(at + 1)
    const start = at + ATTRIBUTE_HEAD_BYTES
    const end = start + bytes.readUInt32LE(at + 5)
    const data = bytes.subarray(start, end)
    if (attribute === CODE_PAGE && data.length >= 4) charset = labelOf(data.readUInt32LE(0))
    else if (attribute === BODY) files.push(textFile('text/plain', data, charset))
    else if (attribute === MESSAGE_PROPERTIES) files.push(...textsOfProperties(data, charset))
    else if (attribute === ATTACHMENT_TITLE) title = withoutZeros(data)
    else if (attribute === ATTACHMENT_DATA) {
      files.push({
        type: 'application/octet-stream',
        charset: undefined,
        fileName: title,
        bytes: data,
      })
      title = undefined
    }
    at = end + CHECKSUM_BYTES
  }
  return files
}

function textFile(type: string, bytes: Buffer, charset: string | undefined): TnefFile {
  const width = charset === UTF_16 ? 2 : 1
  return { type, charset, fileName: undefined, bytes: withoutZeros(bytes, width) }
}

/** Strings end with a zero, of two bytes where a character has two. */
function withoutZeros(bytes: Buffer, width = 1): Buffer {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return bytes.subarray(0, Math.ceil(end / width) * width)
}

/** The charset of a Windows code page. */
function labelOf(codePage: number): string {
  return OTHER_CODE_PAGES.get(codePage) ?? `windows-${codePage}`
}

const OTHER_CODE_PAGES: ReadonlyMap<number, string> = new Map([
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [20127, 'us-ascii'],
  [20866, 'koi8-r'],
  [28591, 'iso-8859-1'],
  [50220, 'iso-2022-jp'],
  [65001, 'utf-8'],
])

const BODY_PROPERTY = 0x1000
const HTML_PROPERTY = 0x1013
const INTERNET_CODE_PAGE_PROPERTY = 0x3fde

/** Properties from here on are named: a GUID, and a number or a name, stand before the value. */
const NAMED_FROM = 0x8000
const NAMED_BY_STRING = 1

const MULTIPLE_VALUES = 0x1000
const UNICODE = 0x1f
const UTF_16 = 'utf-16le'

/** Types whose value has a length of its own: object, string in a code page, string in UTF-16, binary. */
const OF_OWN_LENGTH: ReadonlySet<number> = new Set([0x0d, 0x1e, UNICODE, 0x102])

/** Bytes of the values of other types, filled up to four. */
const VALUE_BYTES: ReadonlyMap<number, number> = new Map([
  [0x02, 4],
  [0x03, 4],
  [0x04, 4],
  [0x05, 8],
  [0x06, 8],
  [0x07, 8],
  [0x0a, 4],
  [0x0b, 4],
  [0x14, 8],
  [0x40, 8],
  [0x48, 16],
])

function textsOfProperties(table: Buffer, fallback: string | undefined): TnefFile[] {
  const found: TnefFile[] = []
  let charset = fallback
  let at = 4
  for (let read = 0; read < PROPERTIES_MAX && at + 4 <= table.length; read++) {
    const type = table.readUInt16LE(at) & ~MULTIPLE_VALUES
    const isMultiple = (table.readUInt16LE(at) & MULTIPLE_VALUES) !== 0
    const id = table.readUInt16LE(at + 2)
    at = id >= NAMED_FROM ? afterName(table, at + 4) : at + 4
    const isCounted = isMultiple || OF_OWN_LENGTH.has(type)
    if (isCounted && at + 4 > table.length) break
    let values = isCounted ? table.readUInt32LE(at) : 1
    if (isCounted) at += 4
    for (; values > 0 && at < table.length; values--) {
      const fixed = VALUE_BYTES.get(type)
      if (fixed !== undefined) {
        if (id === INTERNET_CODE_PAGE_PROPERTY && fixed === 4 && at + 4 <= table.length) {
          charset = labelOf(table.readUInt32LE(at))
        }
        at += fixed
        continue
      }
      if (!OF_OWN_LENGTH.has(type) || at + 4 > table.length) return withCharset(found, charset)
      const start = at + 4
      const end = Math.min(start + table.readUInt32LE(at), table.length)
      const value = table.subarray(start, end)
      const of = type === UNICODE ? UTF_16 : undefined
      if (id === BODY_PROPERTY) found.push(textFile('text/plain', value, of))
      else if (id === HTML_PROPERTY) found.push(textFile('text/html', value, of))
      at = filledUp(end)
      if (found.length >= FILES_MAX) return withCharset(found, charset)
    }
  }
  return withCharset(found, charset)
}

/** Where the value of a named property begins. */
function afterName(table: Buffer, at: number): number {
  const kindAt = at + 16
  if (kindAt + 8 > table.length) return table.length
  const second = table.readUInt32LE(kindAt + 4)
  if (table.readUInt32LE(kindAt) !== NAMED_BY_STRING) return kindAt + 8
  return filledUp(Math.min(kindAt + 8 + second, table.length))
}

/** Values are filled up to four bytes; the table begins at such a place. */
function filledUp(at: number): number {
  return (at + 3) & ~3
}

function withCharset(files: readonly TnefFile[], charset: string | undefined): TnefFile[] {
  return files.map((file) => ({ ...file, charset: file.charset ?? charset }))
}
