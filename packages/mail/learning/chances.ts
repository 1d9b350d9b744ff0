/** Chance that depends on an identifier alone, so that it falls the same in every replay. */
import { createHash } from 'node:crypto'

/** The words of a SHA-256. */
const CHANCES = 8

/** CHANCES numbers in [0, 1), as good as random, the same for the same identifier. */
export function chancesOf(identifier: string | Uint8Array): number[] {
  const digest = createHash('sha256').update(identifier).digest()
  return Array.from({ length: CHANCES }, (_, word) => digest.readUInt32LE(word * 4) / 2 ** 32)
}
