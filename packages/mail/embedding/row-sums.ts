/**
 * Sums of rows of 8-bit integers, four of them in each 32-bit integer: two sums of 16 bits are
 * added at a time, which takes a third of the time of adding one by one.
 *
 * A value from -127 to 127 is kept as 1 to 255, so that no borrow crosses into a neighbour; the
 * offset that this adds to a sum is known and subtracted at the end.
 */
import { DIMENSIONS } from './embedding-model.ts'

/** Largest value that is packed. */
export const PACKED_MAX = 127

const BIAS = 128
const VALUES_PER_INTEGER = 4

/** 32-bit integers of a row. */
const ROW_LENGTH = DIMENSIONS / VALUES_PER_INTEGER

/** Selects the first and the third of four values; after a shift by 8 bits, the second and the fourth. */
const EVERY_OTHER = 0x00ff00ff

/** How many times 255 can be added without overflowing 16 bits. */
const FACTORS_MAX = 257

/** Rows and how often each counts. */
export class RowList {
  readonly numbers: Int32Array
  readonly factors: Int32Array
  length = 0

  /** @param capacity how many rows there is room for; further rows are dropped. */
  constructor(capacity: number) {
    this.numbers = new Int32Array(capacity)
    this.factors = new Int32Array(capacity)
  }

  clear(): void {
    this.length = 0
  }

  add(number: number, factor: number): void {
    if (this.length === this.numbers.length) return
    this.numbers[this.length] = number
    this.factors[this.length++] = factor
  }
}

/** Sets value `index` of all rows, counted from the first value of the first row. */
export function packValue(rows: Int32Array, index: number, value: number): void {
  rows[index >> 2]! |= (value + BIAS) << (8 * (index & 3))
}

const evenSums = new Int32Array(ROW_LENGTH)
const oddSums = new Int32Array(ROW_LENGTH)

/** Adds to `sums`, shape (384,), `scale` times the rows in `list`, each times its factor, at most 14. */
export function addRows(rows: Int32Array, list: RowList, scale: number, sums: Int32Array): void {
  for (let start = 0; start < list.length; ) {
    let end = start
    let factors = 0
    while (end < list.length && factors + list.factors[end]! <= FACTORS_MAX) {
      factors += list.factors[end++]!
    }
    addStretch(rows, list, start, end)
    unpack(sums, scale, factors)
    start = end
  }
}

/** Adds rows `start` … `end` - 1 of `list` into the 16-bit sums; four rows at a time, so that the sums are fetched a quarter as often. */
function addStretch(rows: Int32Array, list: RowList, start: number, end: number): void {
  evenSums.fill(0)
  oddSums.fill(0)
  const { numbers, factors } = list
  let i = start
  for (; i + 4 <= end; i += 4) {
    let a = numbers[i]! * ROW_LENGTH
    let b = numbers[i + 1]! * ROW_LENGTH
    let c = numbers[i + 2]! * ROW_LENGTH
    let d = numbers[i + 3]! * ROW_LENGTH
    const fa = factors[i]!
    const fb = factors[i + 1]!
    const fc = factors[i + 2]!
    const fd = factors[i + 3]!
    for (let k = 0; k < ROW_LENGTH; k++) {
      const va = rows[a++]!
      const vb = rows[b++]!
      const vc = rows[c++]!
      const vd = rows[d++]!
      evenSums[k] =
        (evenSums[k]! +
          Math.imul(va & EVERY_OTHER, fa) +
          Math.imul(vb & EVERY_OTHER, fb) +
          Math.imul(vc & EVERY_OTHER, fc) +
          Math.imul(vd & EVERY_OTHER, fd)) |
        0
      oddSums[k] =
        (oddSums[k]! +
          Math.imul((va >>> 8) & EVERY_OTHER, fa) +
          Math.imul((vb >>> 8) & EVERY_OTHER, fb) +
          Math.imul((vc >>> 8) & EVERY_OTHER, fc) +
          Math.imul((vd >>> 8) & EVERY_OTHER, fd)) |
        0
    }
  }
  for (; i < end; i++) addRow(rows, numbers[i]! * ROW_LENGTH, factors[i]!)
}

function addRow(rows: Int32Array, start: number, factor: number): void {
  for (let k = 0; k < ROW_LENGTH; k++) {
    const value = rows[start + k]!
    evenSums[k]! += Math.imul(value & EVERY_OTHER, factor)
    oddSums[k]! += Math.imul((value >>> 8) & EVERY_OTHER, factor)
  }
}

function unpack(sums: Int32Array, scale: number, factors: number): void {
  const bias = BIAS * factors
  for (let k = 0; k < ROW_LENGTH; k++) {
    const even = evenSums[k]!
    const odd = oddSums[k]!
    const first = VALUES_PER_INTEGER * k
    sums[first]! += scale * ((even & 0xffff) - bias)
    sums[first + 1]! += scale * ((odd & 0xffff) - bias)
    sums[first + 2]! += scale * ((even >>> 16) - bias)
    sums[first + 3]! += scale * ((odd >>> 16) - bias)
  }
}
