/** Keeps what the encoder gave for texts between runs: reading all mail of training takes minutes, all else seconds. */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Bytes of the digest of a text, which is the key of a record. */
const KEY_BYTES = 32

export interface MeansCache {
  /** What is kept for a text. */
  get(text: string): Float32Array | undefined
  add(texts: readonly string[], numbers: readonly Float32Array[]): void
}

/**
 * The cache in the file `path`, which is made if it is not there.
 *
 * @param kind what else the numbers depend on: the encoder and what is taken of it.
 * @param size numbers of a text.
 */
export function openMeansCache(path: string, kind: string, size: number): MeansCache {
  const recordBytes = KEY_BYTES + 4 * size
  const keyOf = (text: string) => createHash('sha256').update(`${kind}\0${text}`).digest()
  const kept = new Map<string, Float32Array>()
  const file = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  for (let at = 0; at + recordBytes <= file.length; at += recordBytes) {
    const key = file.toString('hex', at, at + KEY_BYTES)
    kept.set(
      key,
      new Float32Array(new Uint8Array(file.subarray(at + KEY_BYTES, at + recordBytes)).buffer),
    )
  }
  return {
    get: (text) => kept.get(keyOf(text).toString('hex')),
    add(texts, numbers) {
      mkdirSync(dirname(path), { recursive: true })
      const records = texts.flatMap((text, i) => {
        const { buffer, byteOffset, byteLength } = numbers[i]!
        return [keyOf(text), new Uint8Array(buffer, byteOffset, byteLength)]
      })
      appendFileSync(path, Buffer.concat(records))
    },
  }
}
