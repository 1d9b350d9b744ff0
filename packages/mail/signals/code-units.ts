/**
 * The UTF-16 code units of a text as an array, for loops that look at every one of them.
 *
 * `charCodeAt` asks at each call in what form the engine keeps the string; one copy into an array
 * costs less than that from some dozen characters on, and reading it is twice as fast.
 */

/** Room at first, in code units; more is made when a longer text comes. */
const ROOM_MIN = 32 * 1024

let octets = Buffer.alloc(2 * ROOM_MIN)
let units = new Uint16Array(octets.buffer, octets.byteOffset, ROOM_MIN)

/**
 * Code units of `text` in the first `text.length` places. The array is longer, belongs to this
 * module and is only valid until the next call.
 */
export function codeUnits(text: string): Uint16Array {
  if (text.length > units.length) {
    octets = Buffer.alloc(2 * text.length)
    units = new Uint16Array(octets.buffer, octets.byteOffset, text.length)
  }
  octets.write(text, 'utf16le')
  return units
}
