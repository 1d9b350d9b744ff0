/**
 * The bytes of a message as its signer saw them, with lines that end in CRLF (RFC 6376 §5.3), within bounds.
 *
 * mailauth verifies any message at any cost, and three things make its time grow faster than the message: fields of many lines,
 * signatures that each hash another stretch of the body, and bodies of one long line. What is beyond the bounds is not verified.
 */
import type { HeaderField, Message } from '../../mail/message/message.ts'
import type { Octets } from '../../mail/message/octets.ts'
import { authorDomains } from './author.ts'
import { isSignedBy } from './signature-keys.ts'

/** Bytes of header that are verified. ARC chains and recipient lists of real mail stay below 150 KB. */
const HEADER_BYTES_MAX = 160 * 1024

/** Lines of header; mailauth joins the lines of a field in quadratic time, 5,000 in 20 ms. */
const HEADER_LINES_MAX = 4_000

/** Number of fields: each name that a signature covers is looked for among all of them. */
const FIELDS_MAX = 1_000

/** Signatures verified: those of the domains in From, then the others, from the top. Senders add one to three. Each may hash the body again. */
const SIGNATURES_MAX = 8

/** The same for a body of LARGE_BODY_BYTES and more, where each may cost 3 ms of CPU for every MiB. */
const SIGNATURES_OF_LARGE_MAX = 3

const LARGE_BODY_BYTES = 1024 * 1024

/** Bytes of one signature field. Real ones have up to 3 KB; stops a list of 60,000 covered names. */
const SIGNATURE_BYTES_MAX = 8 * 1024

/** Sets of ARC fields; a chain of the 50 that RFC 8617 §4.2.1 allows means 50 keys to fetch. Real ones have up to five. */
const ARC_SETS_MAX = 10

/** Bytes of body verified, 0.5 s of CPU. Larger messages are beyond what mail hosts accept. */
export const BODY_BYTES_MAX = 32 * 1024 * 1024

/** Lines of body verified; 32 MiB of base64 have 440,000. Stops millions of empty lines, 0.1 µs each for every signature. */
const BODY_LINES_MAX = 1_000_000

/** Bytes handed over at a time, about 1 ms of work; the event loop runs in between. */
const CHUNK_BYTES = 64 * 1024

/** Longest line of a body. mailauth reads an unfinished line again with every chunk. */
const LINE_BYTES_MAX = 1024 * 1024

/** Bytes within which a byte order mark, empty lines and the 'From ' line of a mailbox have to end. */
const LEAD_BYTES_MAX = 1_024

const LF = 0x0a
const CR = 0x0d

/** A message within the bounds. */
export interface SignedMessage {
  /** The fields and the empty line after them, without the signatures beyond the bounds. */
  readonly header: Buffer
  /** The fields in `header`, as message/ reads them. */
  readonly fields: readonly HeaderField[]
  readonly isSigned: boolean
  readonly hasArc: boolean
  readonly bodyStart: number
}

/** The message in `octets`, cut to the bounds; undefined when that is impossible, or when different programs would read it differently. */
export function signedMessage(
  octets: Octets,
  message: Pick<Message, 'fields'>,
): SignedMessage | undefined {
  const start = headerStart(octets)
  const block = octets
    .slice(start, Math.min(octets.length, start + HEADER_BYTES_MAX))
    .toString('latin1')
  const end = emptyLine(block)
  if (end === undefined && start + block.length < octets.length) return undefined
  const { headerEnd, bodyStart } = end ?? { headerEnd: block.length, bodyStart: block.length }
  const body = start + bodyStart
  if (octets.length - body > BODY_BYTES_MAX) return undefined
  const raw = rawFields(block.slice(0, headerEnd))
  if (raw === undefined || raw.length !== message.fields.length) return undefined

  const kept = keptFields(raw, message, octets.length - body)
  const names = new Set(message.fields.map(({ name }) => name))
  const arcSets = message.fields.filter(({ name }) => name === 'arc-seal').length
  return {
    header: Buffer.from(`${kept.map((at) => raw[at]).join('\r\n')}\r\n\r\n`, 'latin1'),
    fields: kept.map((at) => message.fields[at]!),
    isSigned: names.has('dkim-signature'),
    hasArc: arcSets > 0 && arcSets <= ARC_SETS_MAX,
    bodyStart: body,
  }
}

/**
 * The message in pieces: the header, then the body in whole lines. The pieces are copies.
 *
 * @throws RangeError when a line is beyond LINE_BYTES_MAX, when there are more than BODY_LINES_MAX,
 *   and when `isOver` says that the time is over.
 */
export async function* messageChunks(
  octets: Octets,
  { header, bodyStart }: SignedMessage,
  isOver: () => boolean,
): AsyncGenerator<Buffer> {
  yield header
  let at = bodyStart
  let lines = 0
  while (at < octets.length) {
    if (isOver()) throw new RangeError('The time for reading the message is over')
    const end = linesEnd(octets, at)
    const chunk = Buffer.from(octets.slice(at, end))
    const ends = lineEnds(chunk)
    lines += ends.all
    if (lines > BODY_LINES_MAX) throw new RangeError('The body has too many lines to be verified')
    at = end
    yield ends.bare === 0 ? chunk : withCrLf(chunk)
    if (at < octets.length) await new Promise(setImmediate)
  }
}

/** Where the header starts: after a byte order mark, empty lines and a 'From ' line, which message/parse.ts skips too. */
function headerStart(octets: Octets): number {
  const head = octets.slice(0, Math.min(octets.length, LEAD_BYTES_MAX)).toString('latin1')
  return /^(?:\xef\xbb\xbf)?[\r\n]*(?:>?From (?![ \t]*:)[^\n]*\n)?/.exec(head)![0].length
}

function emptyLine(block: string): { headerEnd: number; bodyStart: number } | undefined {
  const empty = /\r?\n\r?\n/.exec(block)
  return empty === null
    ? undefined
    : { headerEnd: empty.index, bodyStart: empty.index + empty[0].length }
}

/** The fields with their continuation lines, in CRLF; undefined when there are too many of either. */
function rawFields(header: string): string[] | undefined {
  const lines = header.replace(/\r?\n$/, '').split(/\r?\n/, HEADER_LINES_MAX + 1)
  if (lines.length > HEADER_LINES_MAX) return undefined
  const fields: string[][] = []
  for (const line of lines) {
    const field = fields.at(-1)
    if (field !== undefined && /^[ \t]/.test(line)) field.push(line)
    else fields.push([line])
  }
  return fields.length > FIELDS_MAX ? undefined : fields.map((field) => field.join('\r\n'))
}

/** Indices of all fields except the signatures beyond the bounds. */
function keptFields(
  raw: readonly string[],
  message: Pick<Message, 'fields'>,
  bodyBytes: number,
): number[] {
  const { domains } = authorDomains(message)
  const all = message.fields.map(({ name, body }, at) => ({ at, name, body }))
  const isLong = ({ at, name }: (typeof all)[number]) =>
    (name === 'dkim-signature' || name === 'arc-message-signature') &&
    raw[at]!.length > SIGNATURE_BYTES_MAX
  const signatures = all.filter((it) => it.name === 'dkim-signature' && !isLong(it))
  const [own, others] = [true, false].map((isOwn) =>
    signatures.filter(({ body }) => isSignedBy(body, domains) === isOwn),
  ) as [typeof all, typeof all]
  const max = bodyBytes < LARGE_BODY_BYTES ? SIGNATURES_MAX : SIGNATURES_OF_LARGE_MAX
  const dropped = new Set([...own, ...others].slice(max))
  return all.filter((it) => !isLong(it) && !dropped.has(it)).map(({ at }) => at)
}

/** The end of the last whole line within CHUNK_BYTES; the end of the first line if that is longer. */
function linesEnd(octets: Octets, at: number): number {
  const end = Math.min(at + CHUNK_BYTES, octets.length)
  if (end === octets.length) return end
  const newline = octets.slice(at, end).lastIndexOf(LF)
  if (newline >= 0) return at + newline + 1
  const limit = Math.min(at + LINE_BYTES_MAX, octets.length)
  const found = octets.indexOf('\n', end, limit)
  if (found < 0 && limit < octets.length) throw new RangeError('A line is too long to be verified')
  return found < 0 ? limit : found + 1
}

/** How many lines end in `chunk`, and how many of them without CR. */
function lineEnds(chunk: Buffer): { all: number; bare: number } {
  let all = 0
  let bare = 0
  for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) {
    all += 1
    if (chunk[at - 1] !== CR) bare += 1
  }
  return { all, bare }
}

function withCrLf(chunk: Buffer): Buffer {
  return Buffer.from(chunk.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
}
