/**
 * Files that stand uuencoded in a text instead of in a part of their own (POSIX, IEEE 1003.1). Mail programs that know them offer them as
 * attachments, the others show what stands there; so they are attachments here, and the text stays.
 *
 * A file ends with its last line, where the next one begins, or with the text.
 */
import { hash } from 'node:crypto'
import { decodeByLook } from './charset.ts'
import { ATTACHED_TEXT_BYTES, ATTACHMENT_HEAD_BYTES, type ReadingBudget } from './limits.ts'
import type { Attachment } from './message.ts'
import { decodeTransfer } from './transfer-encoding.ts'

export interface EnclosedFile {
  /** Its type is text/plain or text/html where its bytes are text, else '': none is declared. */
  readonly attachment: Attachment
  /** The decoded bytes, as far as ATTACHED_TEXT_BYTES of the encoded ones go. */
  readonly decoded: Buffer
}

/** An encoded file whose end is not known yet. */
interface Opened {
  readonly fileName: string
  /** Where the line after its first one begins. */
  readonly start: number
}

/** Lines that may begin or end a file; no line inside begins like that. */
const MARKS = /^(?:begin |end)/gm

/** What every file has. Most texts do not, and are not looked at by lines. */
const BEGIN = 'begin'

/** Characters of a first line that are read: a name has 255 bytes at most in common file systems. */
const FIRST_LINE_LENGTH_MAX = 512

/** The files in `text`, which `budget` allows as bytes read in another way. */
export function enclosedFiles(text: Buffer, budget: ReadingBudget): EnclosedFile[] {
  if (!text.includes(BEGIN)) return []
  const characters = text.toString('latin1')
  const files: EnclosedFile[] = []
  let opened: Opened | undefined
  const close = (end: number): boolean => {
    const body = opened && text.subarray(opened.start, end)
    if (opened === undefined || body === undefined || body.length === 0) return true
    if (!budget.allowsRepeating(Math.min(body.length, ATTACHED_TEXT_BYTES))) return false
    const file = decodedFile(opened, body)
    if (file.decoded.length > 0) files.push(file)
    return true
  }
  for (const { 0: mark, index } of characters.matchAll(MARKS)) {
    const next = openedAt(characters, index)
    if (next === undefined && mark !== 'end') continue
    if (!close(index)) return files
    opened = next
  }
  close(text.length)
  return files
}

function openedAt(characters: string, at: number): Opened | undefined {
  const newline = characters.indexOf('\n', at)
  if (newline < 0) return undefined
  const line = characters.slice(at, Math.min(newline, at + FIRST_LINE_LENGTH_MAX)).trimEnd()
  const name = /^begin [0-7]{3,6} (.+)$/.exec(line)?.[1]
  if (name === undefined) return undefined
  return { fileName: nameOf(name), start: newline + 1 }
}

function nameOf(latin1: string): string {
  return decodeByLook(Buffer.from(latin1.trim(), 'latin1')).text
}

function decodedFile({ fileName }: Opened, body: Buffer): EnclosedFile {
  const read = body.subarray(0, ATTACHED_TEXT_BYTES)
  const decoded = decodeTransfer(read, 'uuencode').bytes
  const head = new Uint8Array(decoded.subarray(0, ATTACHMENT_HEAD_BYTES))
  const attachment = {
    fileName,
    otherNames: [],
    type: typeOf(head, fileName),
    disposition: 'attachment',
    shown: false,
    bytes: Math.round((body.length * decoded.length) / read.length),
    headHash: hash('sha256', head, 'hex'),
    head,
  }
  return { attachment, decoded }
}

/** Share of control characters up to which a file counts as text: programs have more, compressed files a tenth. Stops a single zero from hiding a text. */
const CONTROL_SHARE_MAX = 0.02

function typeOf(head: Uint8Array, fileName: string): string {
  const controls = head.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0)
  if (controls > head.length * CONTROL_SHARE_MAX) return ''
  return /\.x?html?$/i.test(fileName) ? 'text/html' : 'text/plain'
}

/** Whether text has no such byte: white space and ESC, with which ISO 2022 changes its set, it has. */
function isControl(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b
}
