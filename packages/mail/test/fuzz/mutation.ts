/** Messages that were whole once: bits turned, stretches cut, doubled, moved, or taken from another message. */
import type { Dice } from './dice.ts'
import { oddBytes } from './texts.ts'

/** Changes made to one message. */
const CHANGES_MAX = 8

/** Bytes of a mutated message: doubling a stretch often enough would make any size. */
const BYTES_MAX = 4 * 1024 * 1024

/** Bits turned at once. */
const BITS_MAX = 200

/** Times that a stretch is repeated. */
const REPEATED_MAX = 300

/** Lengths that some reader counts with, and others stumble over. */
// biome-ignore format: many short pieces
const SYNTAX = [
  '\r\n\r\n', '\n', '--', '=?', '?=', '"', '(', '<', '>', ';', ':', ',', '=\r\n', '<!--', '&#',
  '%25', '\0',
]

/** `source` changed a few times; `other` is where stretches come from. Neither is touched. */
export function mutated(dice: Dice, source: Buffer, other: Buffer): Buffer {
  let bytes = source
  for (let changes = 1 + dice.below(CHANGES_MAX); changes > 0; changes--) {
    bytes = dice.pick(CHANGES)(dice, bytes, other).subarray(0, BYTES_MAX)
  }
  return bytes
}

type Change = (dice: Dice, bytes: Buffer, other: Buffer) => Buffer

const CHANGES: readonly Change[] = [
  turnBits,
  cutOut,
  (dice, bytes) => bytes.subarray(0, dice.below(bytes.length + 1)),
  repeatStretch,
  (dice, bytes, other) => inserted(bytes, dice.below(bytes.length + 1), stretch(dice, other)),
  insertSyntax,
  lineEndings,
]

function turnBits(dice: Dice, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let bits = dice.count(BITS_MAX); bits >= 0 && copy.length > 0; bits--) {
    const at = dice.below(copy.length)
    copy[at] = copy[at]! ^ (1 << dice.below(8))
  }
  return copy
}

function cutOut(dice: Dice, bytes: Buffer): Buffer {
  const start = dice.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + 1 + dice.count(20_000))])
}

function repeatStretch(dice: Dice, bytes: Buffer): Buffer {
  const piece = stretch(dice, bytes)
  const times = Math.min(1 + dice.count(REPEATED_MAX), Math.ceil(BYTES_MAX / (piece.length + 1)))
  return inserted(bytes, dice.below(bytes.length + 1), Buffer.concat(Array(times).fill(piece)))
}

function insertSyntax(dice: Dice, bytes: Buffer): Buffer {
  const piece = dice.chance(0.3) ? oddBytes(dice) : dice.pick(SYNTAX).repeat(1 + dice.count(2_000))
  return inserted(bytes, dice.below(bytes.length + 1), Buffer.from(piece, 'latin1'))
}

/** All line ends made one, or a share of them. */
function lineEndings(dice: Dice, bytes: Buffer): Buffer {
  const end = dice.pick(['\n', '\r\n', '\r', '\r\r\n', ''])
  const share = dice.pick([1, 1, 0.5, 0.05])
  const text = bytes.toString('latin1')
  return Buffer.from(
    text.replaceAll(/\r?\n/g, (was) => (dice.chance(share) ? end : was)),
    'latin1',
  )
}

function stretch(dice: Dice, bytes: Buffer): Buffer {
  const start = dice.below(bytes.length + 1)
  const length = dice.chance(0.1) ? dice.below(bytes.length + 1) : dice.count(2_000)
  return bytes.subarray(start, start + length)
}

function inserted(bytes: Buffer, at: number, piece: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
}
