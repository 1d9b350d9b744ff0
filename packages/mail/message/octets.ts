/**
 * Random access to the bytes of a message, whether they are in memory or in a file.
 *
 * The walker reads headers, and the first and last stretch of bodies; it never needs the whole
 * message at once. Messages up to 10 MiB are in memory; larger ones stay in their temporary
 * file and are read through a bounded window (admission/message-body.ts).
 */
export interface Octets {
  /** In bytes. */
  readonly length: number
  /** Bytes from `start` up to, not including, `end`. The result is only valid until the next call. */
  slice(start: number, end: number): Buffer
  /** Where `needle` next begins, at `start` or after and wholly before `end`; -1 when nowhere. */
  indexOf(needle: string, start: number, end: number): number
}

/** A message in memory. Nothing is copied. */
export function memoryOctets(bytes: Uint8Array): Octets {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    length: buffer.length,
    slice: (start, end) => buffer.subarray(start, end),
    indexOf: (needle, start, end) => buffer.subarray(0, end).indexOf(needle, start, 'latin1'),
  }
}
