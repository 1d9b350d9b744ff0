/**
 * Reads requests of the spamd protocol, versions 1.2 to 1.5: a command line, header lines, and the
 * message, as long as `Content-length` says or, without it, up to the end of what the client sends
 * (https://svn.apache.org/repos/asf/spamassassin/trunk/spamd/PROTOCOL).
 */
import { Refusal } from './response.ts'

export const COMMANDS = [
  'CHECK',
  'SYMBOLS',
  'REPORT',
  'REPORT_IFSPAM',
  'PROCESS',
  'HEADERS',
  'TELL',
  'PING',
  'SKIP',
] as const

export type Command = (typeof COMMANDS)[number]

/** Commands that come without a message, and before 1.5 without header lines. */
const BARE: readonly Command[] = ['PING', 'SKIP']

const FIRST_LINE = /^([A-Z_]{1,16}) SPAMC\/(\d\.\d)$/

/** The first version with several header lines in an answer, and an answer's length. */
const WITH_LENGTH = 1.3
const WITH_BARE_FIELDS = 1.5
const VERSION_MIN = 1.2

/** Header lines of a request: spamc sends about five, and a user id has at most a kilobyte of UTF-8. Heads do not count against the budget of messages. */
const FIELDS_MAX = 64
const LINE_BYTES_MAX = 2 * 1024

const LENGTH = /^\d{1,12}$/
/** ASCII control characters and DEL, without the space. */
const CONTROL = /[\0-\x1f\x7f]/

const CR = 13
const LF = 10

const utf8 = new TextDecoder('utf-8', { fatal: true })

export interface RequestHead {
  readonly command: Command
  readonly version: number
  /** Whether answers give their length. */
  readonly answersWithLength: boolean
  /** The user as the client names them; undefined when it names none. */
  readonly user: string | undefined
  /** Length of the body as sent, in bytes; undefined when it ends with the connection. */
  readonly length: number | undefined
  /** True when the body is packed with zlib. */
  readonly packed: boolean
  readonly tell: Tell
}

/** What a TELL request asks for. */
export interface Tell {
  readonly messageClass: string | undefined
  readonly set: readonly string[]
  readonly remove: readonly string[]
}

/** A head, with what of the message has arrived with it. */
export interface ReadHead {
  readonly head: RequestHead
  readonly rest: Uint8Array
}

/** Collects the head of a request. */
export class HeadReader {
  #line: Uint8Array = new Uint8Array(0)
  readonly #lines: string[] = []

  /**
   * Takes a chunk; once the head is complete, returns it with the rest of `chunk`; undefined until then.
   *
   * @throws Refusal EX_PROTOCOL
   */
  add(chunk: Uint8Array): ReadHead | undefined {
    let start = 0
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      const line = this.#take(chunk.subarray(start, end))
      start = end + 1
      if (this.#isLast(line)) {
        return { head: headOf(this.#lines), rest: chunk.subarray(start) }
      }
    }
    this.#line = joined(this.#line, chunk.subarray(start))
    return undefined
  }

  /** Whether anything has arrived. */
  get begun(): boolean {
    return this.#lines.length > 0 || this.#line.length > 0
  }

  #take(end: Uint8Array): string {
    const line = joined(this.#line, end)
    this.#line = new Uint8Array(0)
    return Buffer.from(line.at(-1) === CR ? line.subarray(0, -1) : line).toString('latin1')
  }

  /** Keeps a line; returns true for the empty line that ends the head. */
  #isLast(line: string): boolean {
    if (this.#lines.length > 0 && line === '') return true
    this.#lines.push(line)
    if (this.#lines.length > 1) {
      if (this.#lines.length > FIELDS_MAX + 1) throw protocolError('too many header lines')
      return false
    }
    const { command, version } = firstLine(line)
    return BARE.includes(command) && version < WITH_BARE_FIELDS
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length + b.length > LINE_BYTES_MAX) throw protocolError('a header line is too long')
  return a.length === 0 ? Uint8Array.from(b) : Buffer.concat([a, b])
}

function firstLine(line: string): { readonly command: Command; readonly version: number } {
  const [, name, version] = FIRST_LINE.exec(line) ?? []
  const command = COMMANDS.find((each) => each === name)
  if (command === undefined) throw protocolError('the first line is not a command of SPAMC')
  if (Number(version) < VERSION_MIN) throw protocolError('the version is too old')
  return { command, version: Number(version) }
}

function headOf([first = '', ...lines]: readonly string[]): RequestHead {
  const { command, version } = firstLine(first)
  const fields = new Map(lines.map(field))
  const tokens = (name: string) => (fields.get(name) ?? '').toLowerCase().split(/[ ,]+/)
  return {
    command,
    version,
    answersWithLength: version >= WITH_LENGTH,
    user: userOf(fields.get('user')),
    length: lengthOf(fields.get('content-length')),
    packed: isPacked(fields.get('compress')),
    tell: {
      messageClass: fields.get('message-class')?.toLowerCase(),
      set: tokens('set'),
      remove: tokens('remove'),
    },
  }
}

function field(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  if (colon < 1) throw protocolError('a header line is not of the form Name: value')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

function lengthOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!LENGTH.test(value)) throw protocolError('the Content-length is not a number')
  return Number(value)
}

function isPacked(value: string | undefined): boolean {
  if (value === undefined) return false
  if (value.toLowerCase() !== 'zlib') throw protocolError('Compress must be zlib')
  return true
}

/** The user's name. Bytes were read as Latin-1; names are UTF-8, and one that is not belongs to no user. */
function userOf(value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined
  if (CONTROL.test(value)) throw protocolError('the User has control characters')
  try {
    return utf8.decode(Buffer.from(value, 'latin1'))
  } catch {
    return undefined
  }
}

function protocolError(what: string): Refusal {
  return new Refusal('EX_PROTOCOL', `Bad request: ${what}`)
}
