/**
 * Messages from wherever a person keeps them: a file, a folder of files, a Maildir, an mbox, or
 * standard input. One message in memory at a time, however large the mailbox.
 */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
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
  if (await isMbox(path)) yield* readStream(path, createReadStream(path))
  else yield { name: path, bytes: await readFile(path) }
}

async function isMbox(path: string): Promise<boolean> {
  const start = createReadStream(path, { end: MBOX_SEPARATOR.length - 1 })
  for await (const chunk of start) return MBOX_SEPARATOR.equals(chunk as Buffer)
  return false
}

/** The messages of a stream: one, or those of an mbox if it begins as one. */
async function* readStream(name: string, stream: Readable): AsyncGenerator<MailboxMessage> {
  let number = 0
  for await (const bytes of splitMbox(stream)) {
    number++
    yield { name: number === 1 && bytes.isWhole ? name : `${name}#${number}`, bytes: bytes.message }
  }
}

/** Cuts at every separator line that follows an empty line; the first one stands first. */
async function* splitMbox(stream: Readable): AsyncGenerator<{ message: Buffer; isWhole: boolean }> {
  let pending = Buffer.alloc(0)
  let isMboxStream: boolean | undefined
  let searched = 0
  for await (const chunk of stream) {
    pending = Buffer.concat([pending, chunk as Buffer])
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
