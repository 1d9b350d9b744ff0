/** Pseudo-random numbers that depend on an identifier alone, so that they are the same in every replay. */
import { createHash } from 'node:crypto'

/** How many numbers an identifier gives: one for each 32-bit word of a SHA-256. */
const CHANCES = 8

/** CHANCES pseudo-random numbers in [0, 1), the same for the same identifier. */
export function chancesOf(identifier: string | Uint8Array): number[] {
  const digest = createHash('sha256').update(identifier).digest()
  return Array.from({ length: CHANCES }, (_, word) => digest.readUInt32LE(word * 4) / 2 ** 32)
}
