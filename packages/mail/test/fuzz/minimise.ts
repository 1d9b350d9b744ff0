/**
 * The least of an input that still has its fault: stretches are taken out, halves first, then
 * halves of these, for as long as any can go (Zeller's delta debugging, without its complements).
 */

/** Tries for one input: a fault that takes long to show would else take hours to minimise. */
const TRIES_MAX = 3_000
const MS_MAX = 10_000

export function minimised(bytes: Buffer, hasFault: (bytes: Buffer) => boolean): Buffer {
  const end = performance.now() + MS_MAX
  let least = bytes
  let tries = 0
  for (let size = Math.ceil(bytes.length / 2); size >= 1; ) {
    let shorter = false
    for (let start = 0; start < least.length; ) {
      if (tries++ >= TRIES_MAX || performance.now() > end) return least
      const without = Buffer.concat([least.subarray(0, start), least.subarray(start + size)])
      if (!hasFault(without)) {
        start += size
        continue
      }
      least = without
      shorter = true
    }
    // Once more at the same size where something went: what is left may be less entangled.
    if (!shorter || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2)
  }
  return least
}
