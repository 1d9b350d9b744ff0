/**
 * Reads feeds in their various formats, which are told apart by their content.
 *
 * Text: one URL per line, as from OpenPhish, with `#` before comments. CSV (RFC 4180) with a column
 * `url`: PhishTank names its columns in the first row, URLhaus in its last comment. JSON: an array of
 * objects with a member `url`, as from PhishTank. General stream parsers take 11 s (csv-parse) and 22 s
 * (@streamparser/json) for a million entries, as measured.
 */

import { FeedRefusal } from './refusal.ts'

export type FeedForm = 'text' | 'csv' | 'json'

/** Called for each entry with its URL as written, and the number that the feed gives it, '' when it gives none. */
export type TakeEntry = (url: string, number: string) => void

/** How a form of feed is read, entry by entry. */
interface Form {
  readonly endOf: EndFinder
  take(record: Buffer): void
  /** Whether something is missing at the end of what was read. @param isWhole whether it is known that nothing was cut off */
  isCutOff(isWhole: boolean, isHolding: boolean): boolean
}

/** Finds the end of the record that continues in `chunk` at `start`: the index after it, or -1 when the end is not in this chunk. May keep state between calls. */
type EndFinder = (chunk: Buffer, start: number) => number

const NEWLINE = 0x0a
const QUOTE = 0x22
const HASH = 0x23
const BACKSLASH = 0x5c

/**
 * The form of the feed that begins with `head`; undefined when that has only comments and blank lines.
 *
 * @throws FeedRefusal HTML_PAGE, NOT_A_FEED.
 */
export function formOf(head: Buffer): FeedForm | undefined {
  const first = firstDataLine(head.toString('latin1'))
  if (first === undefined) return undefined
  if (first.startsWith('<')) throw new FeedRefusal('HTML_PAGE')
  if (first.startsWith('{')) throw new FeedRefusal('NOT_A_FEED')
  if (first.startsWith('[')) return 'json'
  return /^(?:https?|ftp):/i.test(first) ? 'text' : 'csv'
}

/** The first line that is neither blank nor a comment, trimmed and without a byte order mark. */
function firstDataLine(head: string): string | undefined {
  let start = head.startsWith('\xef\xbb\xbf') ? 3 : 0
  // Each round goes past a line.
  while (start < head.length) {
    const end = head.indexOf('\n', start)
    const line = head.slice(start, end < 0 ? head.length : end).trim()
    if (line !== '' && !line.startsWith('#')) return line
    if (end < 0) return undefined
    start = end + 1
  }
  return undefined
}

export function readerOf(form: FeedForm, take: TakeEntry): FeedReader {
  return new FeedReader({ text, csv, json }[form](take))
}

function text(take: TakeEntry): Form {
  return {
    endOf: (chunk, start) => chunk.indexOf(NEWLINE, start) + 1 || -1,
    take(record) {
      const line = record.toString('utf8').trim()
      if (line !== '' && !line.startsWith('#')) take(line, '')
    },
    // A URL that is cut off may name a bare host.
    isCutOff: (isWhole, isHolding) => isHolding && !isWhole,
  }
}

/** Names of the column with the feed's own number for an entry. */
const NUMBER_COLUMNS: readonly string[] = ['phish_id', 'id']

function csv(take: TakeEntry): Form {
  let urlColumn = -1
  let numberColumn = -1
  function readHeader(fields: readonly string[]): void {
    const names = fields.map((field) => field.trim().toLowerCase())
    if (!names.includes('url')) return
    urlColumn = names.indexOf('url')
    numberColumn = names.findIndex((name) => NUMBER_COLUMNS.includes(name))
  }
  const quotes = { isOpen: false }
  return {
    endOf: csvEndFinder(quotes),
    take(record) {
      const line = record
        .toString('utf8')
        .replace(/^\ufeff/, '')
        .trim()
      if (line === '') return
      if (line.startsWith('#')) return readHeader(csvFields(line.slice(1)))
      const fields = csvFields(line)
      if (urlColumn >= 0) return take(fields[urlColumn] ?? '', fields[numberColumn] ?? '')
      readHeader(fields)
      if (urlColumn < 0) throw new FeedRefusal('NOT_A_FEED')
    },
    isCutOff: (isWhole, isHolding) => quotes.isOpen || (isHolding && !isWhole),
  }
}

/** A row ends at a line end outside quotes. Quotes in comments do not count. */
function csvEndFinder(quotes: { isOpen: boolean }): EndFinder {
  let atStart = true
  let inComment = false
  return (chunk, start) => {
    for (let i = start; i < chunk.length; i += 1) {
      const byte = chunk[i]
      if (atStart) inComment = byte === HASH
      atStart = false
      if (byte === QUOTE && !inComment) quotes.isOpen = !quotes.isOpen
      if (byte === NEWLINE && !quotes.isOpen) {
        atStart = true
        return i + 1
      }
    }
    return -1
  }
}

/** Fields of one row, RFC 4180 §2, without white space around them. */
function csvFields(row: string): string[] {
  const fields: string[] = []
  let at = 0
  // Each round goes past a comma or to the end.
  while (at <= row.length) {
    while (row[at] === ' ') at += 1
    const isQuoted = row[at] === '"'
    const quoted = isQuoted ? quotedEnd(row, at + 1) : at
    const comma = row.indexOf(',', quoted)
    const end = comma < 0 ? row.length : comma
    fields.push(
      isQuoted ? row.slice(at + 1, quoted).replaceAll('""', '"') : row.slice(at, end).trim(),
    )
    at = end + 1
  }
  return fields
}

/** The position of the quote that closes the field begun before `from`: a quote not followed by another. */
function quotedEnd(row: string, from: number): number {
  let quote = row.indexOf('"', from)
  while (quote >= 0 && row[quote + 1] === '"') quote = row.indexOf('"', quote + 2)
  return quote < 0 ? row.length : quote
}

const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** The depth of an object inside the outer array. */
const OBJECT_DEPTH = 1

function json(take: TakeEntry): Form {
  const state = { depth: 0, inString: false }
  return {
    endOf: jsonEndFinder(state),
    take: (record) => takeObject(record.toString('utf8'), take),
    isCutOff: () => state.depth !== 0 || state.inString,
  }
}

/** Each object of the outer array is a record, with the comma before it; the end of the array is the last record. */
function jsonEndFinder(state: { depth: number; inString: boolean }): EndFinder {
  let { depth, inString } = state
  let escaped = false
  return (chunk, start) => {
    let end = -1
    for (let i = start; i < chunk.length && end < 0; i += 1) {
      const byte = chunk[i]!
      if (inString) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) inString = false
      } else if (byte === QUOTE) inString = true
      else if (OPENING.has(byte)) depth += 1
      else if (CLOSING.has(byte)) {
        depth -= 1
        if (depth === OBJECT_DEPTH) end = i + 1
      }
    }
    state.depth = depth
    state.inString = inString
    return end
  }
}

function takeObject(record: string, take: TakeEntry): void {
  const brace = record.indexOf('{')
  if (!/^[\ufeff\s,[\]]*$/.test(brace < 0 ? record : record.slice(0, brace))) {
    throw new FeedRefusal('BROKEN')
  }
  if (brace < 0) return
  const entry = parsed(record.slice(brace))
  const { url } = entry
  const number = entry['phish_id'] ?? entry['id']
  take(typeof url === 'string' ? url : '', number === undefined ? '' : String(number))
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text)
  } catch {
    throw new FeedRefusal('BROKEN', { cause: 'JSON' })
  }
}

/** Longest record. Entries of PhishTank in JSON have some 700 bytes, URLs of a few thousand included. */
const RECORD_BYTES_MAX = 64 * 1024

/** Cuts a stream of bytes into records, holding one at a time. A longer one is dropped while it is read. */
export class FeedReader {
  readonly #form: Form
  #held: Buffer[] = []
  #heldBytes = 0
  /** Records dropped for their length. */
  dropped = 0

  constructor(form: Form) {
    this.#form = form
  }

  /** @throws FeedRefusal BROKEN, NOT_A_FEED. */
  write(chunk: Buffer): void {
    let start = 0
    // Each round goes past at least one byte of the chunk.
    while (start < chunk.length) {
      const end = this.#form.endOf(chunk, start)
      this.#hold(chunk.subarray(start, end < 0 ? chunk.length : end))
      if (end < 0) return
      this.#take()
      start = end
    }
  }

  /**
   * @param isWhole whether it is known that nothing is missing at the end.
   * @throws FeedRefusal TRUNCATED, BROKEN, NOT_A_FEED.
   */
  end(isWhole: boolean): void {
    if (this.#form.isCutOff(isWhole, this.#heldBytes > 0)) throw new FeedRefusal('TRUNCATED')
    this.#take()
  }

  /** What is held is a record. */
  #take(): void {
    if (this.#heldBytes > RECORD_BYTES_MAX) this.dropped += 1
    else if (this.#heldBytes > 0) {
      this.#form.take(this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held))
    }
    this.#held = []
    this.#heldBytes = 0
  }

  #hold(bytes: Buffer): void {
    this.#heldBytes += bytes.length
    if (this.#heldBytes > RECORD_BYTES_MAX) this.#held = []
    else this.#held.push(bytes)
  }
}
