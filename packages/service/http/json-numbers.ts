/**
 * Writes an array of numbers as JSON, with seven significant digits: all that a 32-bit float has.
 *
 * It writes bytes, digit by digit: to write an answer of 384 numbers by way of strings would cost ten
 * times more than to compute its embedding.
 */

const DIGITS = 7

/** Zeros after the point that are written out; smaller numbers are rare in an embedding. */
const ZEROS_MAX = 5

/** Powers of ten by which a number of 0, 1, 2 … zeros after its point becomes one of DIGITS digits. */
const SCALES = Array.from({ length: ZEROS_MAX + 1 }, (_, zeros) => 10 ** (DIGITS + zeros))

/** From here on a number rounds to DIGITS digits below 1. */
const LARGE = 1 - 0.5 / 10 ** DIGITS

/** Below this `SCALES` has no power. */
const SMALL = 10 ** -ZEROS_MAX

/** The length of '-123456700000000000000' and a comma: the longest number that is written without an exponent. */
const NUMBER_BYTES_MAX = 24

const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const OPEN = 0x5b
const CLOSE = 0x5d

/** `[0.1,-0.25]` in ASCII. @throws RangeError for a number that JSON does not have. */
export function jsonNumbers(numbers: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(2 + numbers.length * NUMBER_BYTES_MAX)
  let at = 0
  bytes[at++] = OPEN
  for (let i = 0; i < numbers.length; i++) {
    if (i > 0) bytes[at++] = COMMA
    at = writeNumber(bytes, at, numbers[i]!)
  }
  bytes[at++] = CLOSE
  return bytes.subarray(0, at)
}

/** Writes `number` from `at` on and returns where it ends. */
function writeNumber(bytes: Buffer, at: number, number: number): number {
  const size = Math.abs(number)
  const isUsual = size >= SMALL && size < LARGE
  if (!isUsual) return writeOther(bytes, at, number)
  let end = at
  if (number < 0) bytes[end++] = MINUS
  bytes[end++] = ZERO
  bytes[end++] = POINT
  let zeros = 0
  for (let bound = 0.1; size < bound && zeros < ZEROS_MAX; bound /= 10) zeros++
  let digits = Math.round(size * SCALES[zeros]!)
  // 0.09999999999 has one zero and rounds to a number that has none.
  if (digits === 10 ** DIGITS) {
    digits /= 10
    zeros--
  }
  for (let i = 0; i < zeros; i++) bytes[end++] = ZERO
  return writeDigits(bytes, end, digits)
}

/** Seven digits, without the zeros at their end. */
function writeDigits(bytes: Buffer, at: number, digits: number): number {
  let rest = digits
  for (let i = DIGITS - 1; i >= 0; i--) {
    const next = (rest / 10) | 0
    bytes[at + i] = ZERO + rest - next * 10
    rest = next
  }
  let end = at + DIGITS
  while (bytes[end - 1] === ZERO) end--
  return end
}

function writeOther(bytes: Buffer, at: number, number: number): number {
  if (!Number.isFinite(number)) throw new RangeError(`JSON has no ${number}`)
  return at + bytes.write(String(Number(number.toPrecision(DIGITS))), at, 'latin1')
}
