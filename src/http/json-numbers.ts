/** An array of numbers as JSON, with seven significant digits: all that a 32-bit float has. */

const DIGITS = 7

/** Powers of ten by which a number of 0, 1, 2 … zeros after its point becomes one of DIGITS digits. */
const SCALES = Array.from({ length: 6 }, (_, zeros) => 10 ** (DIGITS + zeros))

/** Below this `SCALES` has no power; such numbers are rare in an embedding. */
const SMALL = 10 ** -(SCALES.length - 1)

/** Half the time of `toPrecision`: an answer of 384 numbers costs more to write than to compute. */
export function jsonNumbers(numbers: Float32Array): string {
  let json = ''
  for (let i = 0; i < numbers.length; i++) json += (i === 0 ? '[' : ',') + jsonNumber(numbers[i]!)
  return json === '' ? '[]' : `${json}]`
}

function jsonNumber(number: number): string | number {
  const size = Math.abs(number)
  if (size >= 1 || size < SMALL) return Number(number.toPrecision(DIGITS))
  let zeros = 0
  for (let bound = 0.1; size < bound; bound /= 10) zeros++
  const scale = SCALES[zeros]!
  return Math.round(number * scale) / scale
}
