/**
 * Random access to the bytes of a message, whether they are in memory or in a file.
 *
 * The walker reads headers, and the first and last stretch of bodies; it never needs the whole
 * message at once. Messages up to 10 MiB are in memory; larger ones stay in their temporary
 * file and are read through a bounded window (admission/message-body.ts).
 */

const LF = 0x0a
const CR = 0x0d

export interface Octets {
  /** In bytes. */
  readonly length: number
  /** Bytes from `start` up to, not including, `end`. The result is only valid until the next call. */
  slice(start: number, end: number): Buffer
  /** Where `needle` next begins, at `start` or after and wholly before `end`; -1 when nowhere. */
  indexOf(needle: string, start: number, end: number): number
}

export function memoryOctets(bytes: Uint8Array): Octets {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    length: buffer.length,
    slice: (start, end) => buffer.subarray(start, end),
    indexOf: (needle, start, end) => buffer.subarray(0, end).indexOf(needle, start, 'latin1'),
  }
}

/**
 * `octets` itself when it has an LF anywhere, or no CR; else a view in which CR reads as LF.
 *
 * Old Macintosh programs ended all lines in CR alone. Most parsers find neither header nor body in such a
 * message, but most mail programs do.
 */
export function withLineFeeds(octets: Octets): Octets {
  const { length } = octets
  if (octets.indexOf('\n', 0, length) >= 0 || octets.indexOf('\r', 0, length) < 0) return octets
  return {
    length,
    slice: (start, end) => withEachCrReplaced(Buffer.from(octets.slice(start, end))),
    indexOf: (needle, start, end) => octets.indexOf(needle.replaceAll('\n', '\r'), start, end),
  }
}

/** Works in place with a plain loop, which is fast: a message of a thousand parts has a thousand headers sliced. */
function withEachCrReplaced(bytes: Buffer): Buffer {
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === CR) bytes[at] = LF
  return bytes
}
