/** Numbers as the files of the encoder have them: blocks of 4-bit weights (ggml's Q4_0), and floats. */

/** Numbers that share one scale. */
export const BLOCK = 32

/** A scale (fp16), then two numbers a byte: low halves are the first 16, high halves the others, each less 8. */
export const BLOCK_BYTES: number = 2 + BLOCK / 2

/** `count` numbers from number `first` on; both are multiples of BLOCK. */
export function dequantised(blocks: Uint8Array, first: number, count: number): Float32Array {
  const view = new DataView(blocks.buffer, blocks.byteOffset, blocks.byteLength)
  const numbers = new Float32Array(count)
  for (let at = 0; at < count; at += BLOCK) {
    const start = ((first + at) / BLOCK) * BLOCK_BYTES
    const scale = view.getFloat16(start, true)
    for (let i = 0; i < BLOCK / 2; i++) {
      const pair = blocks[start + 2 + i]!
      numbers[at + i] = ((pair & 15) - 8) * scale
      numbers[at + BLOCK / 2 + i] = ((pair >> 4) - 8) * scale
    }
  }
  return numbers
}

/** Floats of 32 bits, little-endian. */
export function floats(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer)
}
