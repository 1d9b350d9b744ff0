/**
 * Requests of the spamd protocol, versions 1.2 to 1.5, as they arrive: a command line, header
 * lines, and the message, as long as `Content-length` says or, without it, to the end of what the
 * client sends (https://svn.apache.org/repos/asf/spamassassin/trunk/spamd/PROTOCOL).
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

/** spamc sends five or so, and the longest a user id can be is a kilobyte of UTF-8. Heads are not counted in the budget of messages. */
const FIELDS_MAX = 64
const LINE_BYTES_MAX = 2 * 1024

const LENGTH = /^\d{1,12}$/
/** White space, control characters and DEL of ASCII, but for the space. */
const CONTROL = /[\0-\x1f\x7f]/

const CR = 13
const LF = 10

const utf8 = new TextDecoder('utf-8', { fatal: true })

export interface RequestHead {
  readonly command: Command
  readonly version: number
  /** Whether answers say how long they are. */
  readonly answersWithLength: boolean
  /** As the client names the user; undefined where it names none. */
  readonly user: string | undefined
  /** Of the body as it is sent, in bytes; undefined when it ends with the connection. */
  readonly length: number | undefined
  /** The body is packed with zlib. */
  readonly packed: boolean
  readonly tell: Tell
}

/** What TELL is told to do. */
export interface Tell {
  readonly messageClass: string | undefined
  readonly set: readonly string[]
  readonly remove: readonly string[]
}

/** Collects the head of a request. */
export class HeadReader {
  #line: Uint8Array = new Uint8Array(0)
  readonly #lines: string[] = []

  /**
   * What of `chunk` comes after the head, once that is complete; undefined until then.
   *
   * @throws Refusal EX_PROTOCOL
   */
  add(chunk: Uint8Array): { readonly head: RequestHead; readonly rest: Uint8Array } | undefined {
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

  /** Whether anything has come. */
  get begun(): boolean {
    return this.#lines.length > 0 || this.#line.length > 0
  }

  #take(end: Uint8Array): string {
    const line = joined(this.#line, end)
    this.#line = new Uint8Array(0)
    return Buffer.from(line.at(-1) === CR ? line.subarray(0, -1) : line).toString('latin1')
  }

  /** Keeps a line, unless it is the empty one that ends the head. */
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
  if (command === undefined) throw protocolError('the first line is no command of SPAMC')
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
  if (!LENGTH.test(value)) throw protocolError('the Content-length is no number')
  return Number(value)
}

function isPacked(value: string | undefined): boolean {
  if (value === undefined) return false
  if (value.toLowerCase() !== 'zlib') throw protocolError('Compress names another way than zlib')
  return true
}

/** Bytes came as latin1; names of users are UTF-8, and one that is not is nobody's. */
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
