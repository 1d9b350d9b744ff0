/**
 * Pieces -> what they mean together: the encoder multilingual-e5-small (Wang and others, Multilingual E5 Text
 * Embeddings, 2024; from MiniLM-L12-H384, Wang and others, 2020), run by onnxruntime.
 */
import { BLOCK, BLOCK_BYTES, dequantised } from './blocks.ts'
import { tokenize, type Vocabulary } from './tokenize.ts'

/** Numbers that a piece, a layer and an embedding have. */
export const DIMENSIONS = 384

/** Pieces that are encoded at once at the most, with the two that begin and end every text. */
export const PIECES_MAX = 512

/** What the encoder's authors put before every text that is compared. */
const PREFIX = 'query: '

/** The table that a piece's number leads to. */
export interface PieceTable {
  readonly vocabulary: Vocabulary
  /** The numbers of the pieces that begin and end a text. */
  readonly begin: number
  readonly end: number
  /** Rows of ROW_BYTES: DIMENSIONS numbers in blocks. */
  readonly rows: Uint8Array
  /** What is added to the piece at each position: PIECES_MAX rows of DIMENSIONS. */
  readonly positions: Float32Array
}

export const ROW_BYTES: number = (DIMENSIONS / BLOCK) * BLOCK_BYTES

/**
 * Pieces of a window, with the two that begin and end it: all layers take some 40 ms for them, and whoever else waits for
 * the encoder has a turn after each. Four times as many would be read together for 180 ms.
 */
export const WINDOW_PIECES = 128

/**
 * Windows of a text that are embedded. Its 8,000 characters have as many pieces at the most, unless they are
 * ligatures that stand for 18 characters each (U+FDFA), which would take a minute.
 */
export const WINDOWS_MAX = 64

/** Characters of a text that are embedded, at the most: about three pages. */
const TEXT_LENGTH_MAX = 8_000

/**
 * The pieces of a text of any length, in windows that are embedded one by one; only its beginning counts.
 * `embeddingOf` puts them together.
 */
export function windowsOf(text: string, table: PieceTable): number[][] {
  const pieces = tokenize(PREFIX + text.slice(0, TEXT_LENGTH_MAX), table.vocabulary)
  const windows: number[][] = []
  for (let at = 0; at < pieces.length && windows.length < WINDOWS_MAX; at += WINDOW_PIECES - 2) {
    windows.push([table.begin, ...pieces.slice(at, at + WINDOW_PIECES - 2), table.end])
  }
  return windows
}

/** The embedding of a text from the means of its windows, each of which counts by its pieces: DIMENSIONS numbers of length 1. */
export function embeddingOf(
  windows: readonly (readonly number[])[],
  means: readonly Float32Array[],
): Float32Array {
  const sum = new Float32Array(DIMENSIONS)
  means.forEach((mean, at) => {
    const { length } = windows[at]!
    for (let i = 0; i < DIMENSIONS; i++) sum[i]! += mean[i]! * length
  })
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

/** The sum of piece and position, which is what the first layer takes. Shape (pieces, DIMENSIONS). */
export function embedPieces(
  pieces: readonly number[],
  { rows, positions }: PieceTable,
): Float32Array {
  const embedded = positions.slice(0, pieces.length * DIMENSIONS)
  pieces.forEach((piece, at) => {
    const row = dequantised(rows, piece * DIMENSIONS, DIMENSIONS)
    for (let i = 0; i < DIMENSIONS; i++) embedded[at * DIMENSIONS + i]! += row[i]!
  })
  return embedded
}
