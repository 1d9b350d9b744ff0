/**
 * The content of an S/MIME message that is signed as a whole: application/pkcs7-mime with signed-data
 * (RFC 8551 §3.5.2, RFC 5652 §5). Mail programs show what is signed, so it is read. No signature is
 * checked.
 *
 * The walk goes down to eContent and looks at nothing beside it:
 *
 *     ContentInfo ::= SEQUENCE { OID signedData, [0] SEQUENCE {
 *       version INTEGER, digestAlgorithms SET, SEQUENCE { OID, [0] OCTET STRING } ... } }
 *
 * Outlook and `openssl -stream` write BER: lengths that are not stated, and octet strings in pieces.
 */

/** An element: where its content begins, and where it ends as far as that is stated. */
interface Element {
  readonly tag: number
  readonly start: number
  /** Where the length is not stated, the end of what holds it: a marker comes before. */
  readonly end: number
  readonly isIndefinite: boolean
}

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const OBJECT_IDENTIFIER = 0x06
const OCTET_STRING = 0x04
const OCTET_STRING_IN_PIECES = 0x24
const EXPLICIT_0 = 0xa0

/** 1.2.840.113549.1.7.2 */
const SIGNED_DATA = Buffer.from('2a864886f70d010702', 'hex')

/** Octet strings in octet strings: one level is in use. Stops thousands. */
const PIECES_DEPTH_MAX = 4

/** Elements of digestAlgorithms that are passed over one by one where their set has no stated length; one or two are in use. */
const ALGORITHMS_MAX = 64

/** What is signed in `bytes`, as far as they go; undefined where nothing is. */
export function signedContent(bytes: Buffer): Buffer | undefined {
  return encapsulated(bytes) ?? entityWithin(bytes)
}

function encapsulated(bytes: Buffer): Buffer | undefined {
  const info = elementOf(SEQUENCE, bytes, 0, bytes.length)
  const type = info && elementOf(OBJECT_IDENTIFIER, bytes, info.start, info.end)
  if (!type || !bytes.subarray(type.start, type.end).equals(SIGNED_DATA)) return undefined
  const wrapper = elementOf(EXPLICIT_0, bytes, type.end, info.end)
  const signed = wrapper && elementOf(SEQUENCE, bytes, wrapper.start, wrapper.end)
  const version = signed && elementOf(INTEGER, bytes, signed.start, signed.end)
  const algorithms = version && elementOf(SET, bytes, version.end, signed.end)
  const after = algorithms && endOf(bytes, algorithms)
  const content = after && elementOf(SEQUENCE, bytes, after, signed.end)
  const contentType = content && elementOf(OBJECT_IDENTIFIER, bytes, content.start, content.end)
  const holder = contentType && elementOf(EXPLICIT_0, bytes, contentType.end, content.end)
  const string = holder && elementAt(bytes, holder.start, holder.end)
  if (!string) return undefined
  const joined = { bytes: Buffer.allocUnsafe(string.end - string.start), length: 0 }
  joinPieces(bytes, string, joined, 0)
  return joined.length === 0 ? undefined : joined.bytes.subarray(0, joined.length)
}

/** The element at `at` if its tag is `tag`. */
function elementOf(tag: number, bytes: Buffer, at: number, end: number): Element | undefined {
  const element = elementAt(bytes, at, end)
  return element?.tag === tag ? element : undefined
}

/** The element whose tag is at `at`; undefined where there is none before `end`. */
function elementAt(bytes: Buffer, at: number, end: number): Element | undefined {
  if (at + 2 > end) return undefined
  const tag = bytes[at]!
  const first = bytes[at + 1]!
  if (first < 0x80) return element(tag, at + 2, first, end)
  if (first === 0x80) return { tag, start: at + 2, end, isIndefinite: true }
  const lengthBytes = first & 0x7f
  // A length of seven bytes and more is beyond any message.
  if (lengthBytes > 6 || at + 2 + lengthBytes > end) return undefined
  return element(tag, at + 2 + lengthBytes, bytes.readUIntBE(at + 2, lengthBytes), end)
}

function element(tag: number, start: number, length: number, end: number): Element {
  return { tag, start, end: Math.min(start + length, end), isIndefinite: false }
}

/** Where what comes after the set of algorithms begins. */
function endOf(bytes: Buffer, set: Element): number | undefined {
  if (!set.isIndefinite) return set.end
  let at = set.start
  for (let passed = 0; passed < ALGORITHMS_MAX; passed++) {
    if (isEnd(bytes, at)) return at + 2
    const algorithm = elementAt(bytes, at, set.end)
    if (algorithm === undefined || algorithm.isIndefinite) return undefined
    at = algorithm.end
  }
  return undefined
}

/** Whether the marker that ends an element without a stated length is at `at`. */
function isEnd(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0 && bytes[at + 1] === 0
}

/** What has been joined of the pieces of an octet string. */
interface Joined {
  readonly bytes: Buffer
  length: number
}

/** Adds an octet string to `joined`; returns where what comes after it begins. */
function joinPieces(bytes: Buffer, string: Element, joined: Joined, depth: number): number {
  if (string.tag === OCTET_STRING && !string.isIndefinite) {
    joined.length += bytes.copy(joined.bytes, joined.length, string.start, string.end)
    return string.end
  }
  if (string.tag !== OCTET_STRING_IN_PIECES || depth >= PIECES_DEPTH_MAX) return string.end
  let at = string.start
  while (at < string.end) {
    if (string.isIndefinite && isEnd(bytes, at)) return at + 2
    const piece = elementAt(bytes, at, string.end)
    if (piece === undefined) return string.end
    at = joinPieces(bytes, piece, joined, depth + 1)
  }
  return string.end
}

/** The field with which a signed entity begins. */
const ENTITY_START = 'content-type:'

/** Bytes in which it is looked for: what stands before eContent has some sixty. */
const ENTITY_START_WITHIN = 512

/** What no text of MIME has, and the structure around it has soon: control characters, and what is not UTF-8. */
const NOT_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/

/** The entity in a structure that is damaged: from its first field up to what is no text. */
function entityWithin(bytes: Buffer): Buffer | undefined {
  const head = bytes.toString('latin1', 0, ENTITY_START_WITHIN).toLowerCase()
  const start = head.indexOf(ENTITY_START)
  if (start < 0) return undefined
  const text = bytes.toString('utf8', start)
  const end = text.search(NOT_TEXT)
  return end < 0 ? bytes.subarray(start) : Buffer.from(text.slice(0, end))
}
