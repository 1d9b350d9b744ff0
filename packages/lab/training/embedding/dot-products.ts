/** All dot products between the rows of two matrices: nine tenths of the training's time. */

/** Rows of one matrix and of the other that are read together: eight sums fit the processor's registers. */
export const LEFT_TILE = 2
export const RIGHT_TILE = 4

/**
 * `into[i, j]` = row i of `left` times row j of `right`, for the rows `from` … `to` - 1 of `left`
 * and `count` rows of `right`, all `length` long. Rows begin at multiples of their tile.
 */
export function dotProducts(
  left: Float32Array,
  from: number,
  to: number,
  right: Float32Array,
  count: number,
  length: number,
  into: Float32Array,
): void {
  for (let i = from; i < to; i += LEFT_TILE) {
    for (let j = 0; j < count; j += RIGHT_TILE) {
      dotTile(left, i * length, right, j * length, length, into, i * count + j, count)
    }
  }
}

function dotTile(
  left: Float32Array,
  leftStart: number,
  right: Float32Array,
  rightStart: number,
  length: number,
  into: Float32Array,
  intoStart: number,
  intoLength: number,
): void {
  let s00 = 0
  let s01 = 0
  let s02 = 0
  let s03 = 0
  let s10 = 0
  let s11 = 0
  let s12 = 0
  let s13 = 0
  let r = rightStart
  for (let l = leftStart; l < leftStart + length; l++, r++) {
    const a = left[l]!
    const b = left[l + length]!
    const r0 = right[r]!
    const r1 = right[r + length]!
    const r2 = right[r + 2 * length]!
    const r3 = right[r + 3 * length]!
    s00 += a * r0
    s01 += a * r1
    s02 += a * r2
    s03 += a * r3
    s10 += b * r0
    s11 += b * r1
    s12 += b * r2
    s13 += b * r3
  }
  into[intoStart] = s00
  into[intoStart + 1] = s01
  into[intoStart + 2] = s02
  into[intoStart + 3] = s03
  into[intoStart + intoLength] = s10
  into[intoStart + intoLength + 1] = s11
  into[intoStart + intoLength + 2] = s12
  into[intoStart + intoLength + 3] = s13
}
