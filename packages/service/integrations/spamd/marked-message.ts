/**
 * A message with the fields that users of spamd expect (X-Spam-*) and ours (X-Tamis-*) above its own, and
 * without fields of these names that it came with, which this host did not write. Everything else, line
 * ends included, is unchanged.
 */
import { hostname } from 'node:os'
import { ownVersion } from '../../../terminal/version.ts'
import { asciiHeaderValue } from '../../http/header-value.ts'
import { judgedAs, REASONS_FIELD, reasonsLines, verdictWords } from '../../http/message-line.ts'
import type { ReasonsResult } from '../../http/results.ts'
import type { MessageSummary } from '../../http/schemas.ts'

/** Fields that only this host may write: X-Spam, which Rspamd writes, X-Spam-* and X-Tamis-*. */
const OWN = /^x-(?:spam(?:-|[ \t]?:)|tamis-)/i

/** Characters of a line, RFC 5322 §2.1.1. */
const LINE_LENGTH_MAX = 78

/** Bytes of a header that are searched for forged fields: ten times what Postfix accepts (header_size_limit). Stops a message that is all header from making everybody wait. */
const HEADER_BYTES_MAX = 1024 * 1024

const LF = 10
const CR = 13
const SPACE = 32
const TAB = 9

/** The beginning of a mailbox file's first line (mbox), which has to stay first. */
const MBOX_LINE = 'From '

/** How much of a field is needed to tell whether it is one of those. */
const OWN_LENGTH_MAX = 8

/** The version of Tamis, for the fields. */
const version = ownVersion()

/** What the fields say. */
export interface Marking extends ReasonsResult {
  readonly summary: MessageSummary
}

/** `message` with the fields about `found`, piece by piece. */
export function markedMessage(message: Uint8Array, found: Marking): Uint8Array[] {
  const start = startOfHeader(message)
  const lineEnd = lineEndOf(message)
  const fields = Buffer.from(
    fieldsFor(found)
      .map((line) => line + lineEnd)
      .join(''),
  )
  return [message.subarray(0, start), fields, ...keptParts(message, start)]
}

/** The header of a message in pieces, with the empty line that ends it. */
export function headerOf(parts: readonly Uint8Array[]): Uint8Array {
  const whole = Buffer.concat(parts.map((part) => part.subarray(0, HEADER_BYTES_MAX)))
  return whole.subarray(0, endOfHeader(whole, 0))
}

/** The fields as lines without line ends. */
function fieldsFor(found: Marking): string[] {
  const { isSpam, score, requiredScore, classification } = found
  const names = found.reasons.map(({ name }) => asciiHeaderValue(name))
  const status = [
    `${isSpam ? 'Yes' : 'No'},`,
    `score=${score.toFixed(1)}`,
    `required=${requiredScore.toFixed(1)}`,
    ...names.map(
      (name, at) => (at === 0 ? 'tests=' : '') + name + (at < names.length - 1 ? ',' : ''),
    ),
    'autolearn=no',
    `version=${version}`,
  ]
  const verdict = verdictWords(judgedAs([found], found))
  const [first, ...others] = reasonsLines(found.summary)
  return [
    `X-Spam-Checker-Version: Tamis ${version} on ${hostname()}`,
    ...(isSpam ? ['X-Spam-Flag: YES'] : []),
    `X-Spam-Level: ${'*'.repeat(Math.max(0, Math.floor(score)))}`,
    ...folded('X-Spam-Status:', status),
    ...folded(
      'X-Tamis-Verdict:',
      verdict.map((word, at) => word + (at < verdict.length - 1 ? ';' : '')),
    ),
    `X-Tamis-Class: ${asciiHeaderValue(classification)}`,
    ...(first === undefined ? [] : [`${REASONS_FIELD}: ${first}`, ...others]),
  ]
}

/** `words` in lines; continuation lines begin with a tab. A list of tests contains no spaces. */
function folded(name: string, words: readonly string[]): string[] {
  const lines = [name]
  for (const word of words) {
    const line = lines.at(-1)!
    const glue = /,$/.test(line) && !/(Yes|No),$/.test(line) ? '' : ' '
    if (line.length + glue.length + word.length <= LINE_LENGTH_MAX) {
      lines[lines.length - 1] = line + glue + word
    } else lines.push(`\t${word}`)
  }
  return lines
}

function startOfHeader(message: Uint8Array): number {
  return isMboxLine(message) ? endOfLine(message, 0) : 0
}

function isMboxLine(message: Uint8Array): boolean {
  return Buffer.from(message.subarray(0, MBOX_LINE.length)).toString('latin1') === MBOX_LINE
}

function lineEndOf(message: Uint8Array): '\r\n' | '\n' {
  const end = message.indexOf(LF)
  return end > 0 && message[end - 1] === CR ? '\r\n' : '\n'
}

/** `message` from `start` on, without the fields that only this host may write. */
function keptParts(message: Uint8Array, start: number): Uint8Array[] {
  const parts: Uint8Array[] = []
  const end = Math.min(endOfHeader(message, start), start + HEADER_BYTES_MAX)
  let kept = start
  let at = start
  while (at < end) {
    const next = endOfField(message, at)
    if (isOwn(message, at)) {
      if (kept < at) parts.push(message.subarray(kept, at))
      kept = next
    }
    at = next
  }
  return [...parts, message.subarray(kept)]
}

function isOwn(message: Uint8Array, at: number): boolean {
  return OWN.test(Buffer.from(message.subarray(at, at + OWN_LENGTH_MAX)).toString('latin1'))
}

/** The position after the empty line that ends the header; the end of the bytes when there is none. */
function endOfHeader(message: Uint8Array, start: number): number {
  const last = Math.min(message.length, start + HEADER_BYTES_MAX)
  for (let at = start; at < last; ) {
    const next = endOfLine(message, at)
    if (message[at] === LF || (message[at] === CR && next === at + 2)) return next
    at = next
  }
  return message.length
}

/** The position after a field and its continuation lines. */
function endOfField(message: Uint8Array, start: number): number {
  let at = endOfLine(message, start)
  while (message[at] === SPACE || message[at] === TAB) at = endOfLine(message, at)
  return at
}

function endOfLine(message: Uint8Array, start: number): number {
  const end = message.indexOf(LF, start)
  return end < 0 ? message.length : end + 1
}
