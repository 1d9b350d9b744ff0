/**
 * Text -> pieces of words: of all ways to lay pieces end to end the most probable, each piece counted by itself.
 * Kudo, Subword Regularization, ACL 2018 (the unigram model); Viterbi, 1967.
 */
import { type Normalisation, normalise } from './normalise.ts'
import { Pieces } from './pieces.ts'

export interface Vocabulary {
  readonly normalisation: Normalisation
  /** A piece's number is its row in the table. */
  readonly pieces: Pieces
  /** Log probabilities, by number. */
  readonly scores: Float32Array
  /** The number of the piece that stands for a character without one. */
  readonly unknown: number
  /** What a character without a piece costs: more than any piece. */
  readonly unknownScore: number
}

/** How much less probable a character without a piece is than the least probable piece (SentencePiece). */
const UNKNOWN_PENALTY = 10

/** @param unknown the number of the piece for characters that have none. */
export function vocabularyOf(
  pieces: readonly string[],
  scores: Float32Array,
  normalisation: Normalisation,
  unknown: number,
): Vocabulary {
  return {
    normalisation,
    pieces: new Pieces(pieces),
    scores,
    unknown,
    unknownScore: scores.reduce((least, score) => Math.min(least, score), 0) - UNKNOWN_PENALTY,
  }
}

/**
 * The numbers of the pieces of `text`. Takes time proportional to its length, and at each character at most the
 * length of the longest piece.
 *
 * @param text of bounded length.
 */
export function tokenize(text: string, vocabulary: Vocabulary): number[] {
  const { pieces, scores, unknown, unknownScore } = vocabulary
  const read = normalise(text, vocabulary.normalisation)
  const { length } = read
  // For each end, the best way there: its score, its last piece, and where that begins.
  const best = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY)
  const piece = new Int32Array(length + 1)
  const start = new Int32Array(length + 1)
  best[0] = 0
  const offer = (from: number, to: number, number: number, score: number) => {
    if (best[from]! + score <= best[to]!) return
    best[to] = best[from]! + score
    piece[to] = number
    start[to] = from
  }
  for (let at = 0; at < length; at++) {
    // The second half of a pair: nothing ends here.
    if (best[at] === Number.NEGATIVE_INFINITY) continue
    offer(at, at + widthAt(read, at), unknown, unknownScore)
    pieces.eachAt(read, at, (number, end) => {
      if (number !== unknown) offer(at, end, number, scores[number]!)
    })
  }
  const found: number[] = []
  for (let at = length; at > 0; at = start[at]!) found.push(piece[at]!)
  return found.reverse()
}

/** UTF-16 code units of the character at `at`; a lone surrogate is one. */
function widthAt(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1
}
