/**
 * Reads `.cases` files: a message under a title and the signals that its aspect is to give.
 *
 *     a title, which is a sentence about behaviour
 *     expect NAME NAME
 *     mailFrom bounce@example.com        (optional: the envelope sender, <> for the null sender)
 *     senderIp 192.0.2.1                 (optional: the sending address)
 *
 *     From: anna@example.com
 *
 *     Hello
 *     -----
 *     the next title
 *
 * Known are the senders and hosts of helpers/knowledge.ts.
 *
 * In messages `{{50 text}}` stands for fifty times the text, with the number of each for `#` in
 * it; `\r`, `\0`, `\xHH` (a byte) and `\u{HHHH}` (a character) stand for what cannot be seen.
 */
import { readFileSync } from 'node:fs'
import type { Arrived } from '../../signals/signal.ts'
import { TEST_KNOWLEDGE } from '../helpers/knowledge.ts'

export interface Case {
  readonly title: string
  /** Sorted. */
  readonly expected: readonly string[]
  readonly facts: Arrived
  readonly bytes: Uint8Array
}

/** When the messages of all cases arrive. */
export const RECEIVED_AT = new Date('2025-06-01T12:00:00Z')

export function readCases(file: URL): Case[] {
  return readFileSync(file, 'utf8')
    .split(/^-----\n/m)
    .map((text) => readCase(text, file))
}

function readCase(text: string, file: URL): Case {
  const blank = text.indexOf('\n\n')
  const [title = '', expect = '', ...facts] = text.slice(0, blank).split('\n')
  if (!/^expect( |$)/.test(expect)) throw new SyntaxError(`${file.pathname}: ${title}: no expect`)
  return {
    title,
    expected: expect.split(' ').slice(1).filter(Boolean).sort(),
    facts: {
      receivedAt: RECEIVED_AT,
      knowledge: TEST_KNOWLEDGE,
      ...Object.fromEntries(facts.map(readFact)),
    },
    bytes: messageBytes(text.slice(blank + 2)),
  }
}

function readFact(line: string): [string, string] {
  const [name = '', value = ''] = line.split(' ')
  if (!['mailFrom', 'senderIp'].includes(name)) throw new SyntaxError(`unknown fact ${name}`)
  return [name, value === '<>' ? '' : value]
}

export function messageBytes(text: string): Uint8Array {
  const repeated = text.replace(/\{\{(\d+) (.*?)\}\}/gs, (_, times: string, piece: string) =>
    Array.from({ length: Number(times) }, (_, at) => piece.replaceAll('#', String(at))).join(''),
  )
  const shown = repeated
    .replaceAll('\\r', '\r')
    .replaceAll('\\0', '\0')
    .replace(/\\u\{([0-9a-f]+)\}/g, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16)))
  const pieces = shown.split(/(\\x[0-9a-f]{2})/).map((piece, at) =>
    // Every other piece is a byte.
    at % 2 === 1 ? Buffer.from(piece.slice(2), 'hex') : Buffer.from(piece),
  )
  return Buffer.concat(pieces)
}
