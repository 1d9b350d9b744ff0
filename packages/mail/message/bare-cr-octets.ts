/**
 * Reads a message whose lines all end in CR alone, as old Macintosh programs wrote them, as though each
 * CR were LF. Most parsers find neither header nor body in such a message, but most mail programs do.
 */
import type { Octets } from './octets.ts'

const LF = 0x0a
const CR = 0x0d

/** `octets` itself when it has an LF anywhere, or no CR; else a view in which CR reads as LF. */
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
