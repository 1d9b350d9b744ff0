/**
 * Messages from wherever a person keeps them: a file, a folder of files, a Maildir, an mbox, each also
 * compressed with gzip, or standard input. One message in memory at a time, however large the mailbox.
 */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { TamisError } from '../../errors/errors.ts'
import { type Progress, startProgress } from '../../terminal/progress.ts'

export interface MailboxMessage {
  /** The path, with '#3' for the third message of an mbox; '-' for standard input. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Starts every message of an mbox (RFC 4155 §3). */
const MBOX_SEPARATOR = Buffer.from('From ')

/** Address and time follow: a sentence that begins with 'From ' has no time of day. */
const MBOX_SEPARATOR_LINE = /^From \S{1,320} .{0,40}\d\d:\d\d/

/** Bytes of a line that are looked at for that. */
const SEPARATOR_LENGTH_MAX = 400

/** Starts what gzip has compressed (RFC 1952 §2.3.1). */
const GZIP_START = Buffer.from([0x1f, 0x8b])

const MIB = 1024 * 1024

/** Bytes of one message in a compressed file: more than mail servers take. Stops a small file that unpacks to all of the memory. */
const UNPACKED_BYTES_MAX = 64 * MIB

const NEWLINE = 0x0a

/**
 * The messages at `path`: '-' is standard input. Folders are read with all that is below them;
 * in a Maildir (a folder with `cur`) only `cur` and `new` hold messages. Hidden files are passed over.
 */
export async function* readMailbox(path: string): AsyncGenerator<MailboxMessage> {
  if (path === '-') yield* readStream('-', process.stdin)
  else if (!statSync(path).isDirectory()) yield* readFileMessages(path)
  else for (const file of filesBelow(path)) yield* readFileMessages(file)
}

/** A bar for the messages at `paths`, by their bytes: how many they are is known at the end only. */
export function mailboxProgress(label: string, paths: readonly string[]): Progress {
  const sizes = paths.map((path) => (path === '-' ? undefined : bytesAt(path)))
  const total = sizes.includes(undefined)
    ? undefined
    : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
  return startProgress(label, total)
}

function bytesAt(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size
  return filesBelow(path).reduce((sum, file) => sum + statSync(file).size, 0)
}

function filesBelow(folder: string): string[] {
  const folders = existsSync(join(folder, 'cur'))
    ? ['cur', 'new'].map((name) => join(folder, name))
    : [folder]
  return folders
    .filter((each) => existsSync(each))
    .flatMap((each) => readdirSync(each, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

async function* readFileMessages(path: string): AsyncGenerator<MailboxMessage> {
  const start = await startOf(path)
  if (start.equals(MBOX_SEPARATOR)) yield* readStream(path, createReadStream(path))
  else if (start.subarray(0, GZIP_START.length).equals(GZIP_START)) {
    yield* unpackedMessages(path)
  } else yield { name: path, bytes: await readFile(path) }
}

/** Its first bytes: as many as tell an mbox and a packed file from a message. */
async function startOf(path: string): Promise<Buffer> {
  const start = createReadStream(path, { end: MBOX_SEPARATOR.length - 1 })
  return Buffer.concat(await start.toArray())
}

/** @throws TamisError NOT_A_MESSAGE when the file is damaged or a message too large; what comes before is read. */
async function* unpackedMessages(path: string): AsyncGenerator<MailboxMessage> {
  const unpacking = createGunzip({ chunkSize: MIB })
  // A failure to read the file comes out of `unpacking` too.
  pipeline(createReadStream(path), unpacking, () => {})
  try {
    yield* readStream(path, unpacking, UNPACKED_BYTES_MAX)
  } catch (cause) {
    const reason = (cause as Error).message
    throw new TamisError('NOT_A_MESSAGE', `${path} cannot be decompressed: ${reason}`, { cause })
  }
}

/** The messages of a stream: one, or those of an mbox if it begins as one. */
async function* readStream(
  name: string,
  stream: Readable,
  bytesMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<MailboxMessage> {
  let number = 0
  for await (const bytes of splitMbox(stream, bytesMax)) {
    number++
    yield { name: number === 1 && bytes.isWhole ? name : `${name}#${number}`, bytes: bytes.message }
  }
}

/** Cuts at every separator line that follows an empty line; the first one stands first. */
async function* splitMbox(
  stream: Readable,
  bytesMax: number,
): AsyncGenerator<{ message: Buffer; isWhole: boolean }> {
  let pending = Buffer.alloc(0)
  let isMboxStream: boolean | undefined
  let searched = 0
  for await (const chunk of stream) {
    if (pending.length + (chunk as Buffer).length > bytesMax)
      throw new Error(`it has a message of more than ${bytesMax} bytes`)
    pending = appended(pending, chunk as Buffer)
    if (isMboxStream === undefined && pending.length >= MBOX_SEPARATOR.length) {
      isMboxStream = pending.subarray(0, MBOX_SEPARATOR.length).equals(MBOX_SEPARATOR)
    }
    if (!isMboxStream) continue
    for (let next = nextSeparator(pending, searched); next > 0; next = nextSeparator(pending, 1)) {
      yield { message: withoutSeparator(pending.subarray(0, next)), isWhole: false }
      pending = pending.subarray(next)
    }
    searched = Math.max(1, pending.length - SEPARATOR_LENGTH_MAX)
  }
  if (pending.length === 0) return
  yield { message: isMboxStream ? withoutSeparator(pending) : pending, isWhole: !isMboxStream }
}

/** `bytes` and then `chunk`. Room for as much again is left behind them, so that a message is not copied for each of its chunks. */
function appended(bytes: Buffer<ArrayBuffer>, chunk: Buffer): Buffer<ArrayBuffer> {
  const { buffer, byteOffset } = bytes
  const length = bytes.length + chunk.length
  const hasRoom = byteOffset + length <= buffer.byteLength
  const room = hasRoom ? Buffer.from(buffer, byteOffset) : Buffer.allocUnsafeSlow(2 * length)
  if (!hasRoom) bytes.copy(room)
  chunk.copy(room, bytes.length)
  return room.subarray(0, length)
}

/** Where the next separator begins at `from` or after; -1 when nowhere yet. */
function nextSeparator(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(MBOX_SEPARATOR, from)
  while (at >= 0 && !isSeparator(bytes, at)) at = bytes.indexOf(MBOX_SEPARATOR, at + 1)
  return at
}

function isSeparator(bytes: Buffer, at: number): boolean {
  const afterEmptyLine =
    bytes[at - 1] === NEWLINE &&
    (bytes[at - 2] === NEWLINE || (bytes[at - 2] === 0x0d && bytes[at - 3] === NEWLINE))
  return (
    afterEmptyLine &&
    MBOX_SEPARATOR_LINE.test(bytes.toString('latin1', at, at + SEPARATOR_LENGTH_MAX))
  )
}

/** The message itself, its quoted lines ('>From ') as they were before they went into the mbox. */
function withoutSeparator(entry: Buffer): Buffer {
  const message = entry.subarray(entry.indexOf(NEWLINE) + 1)
  if (!message.includes('\n>From ')) return message
  return Buffer.from(message.toString('latin1').replaceAll('\n>From ', '\nFrom '), 'latin1')
}
