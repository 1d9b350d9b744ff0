/** What the reader takes of the encoder's answer. */
import type { LayerMeans } from '../../mail/models/reader.ts'

/** The outputs of the encoder whose numbers are laid end to end. */
export const READER_MEANS: readonly string[] = ['mean3', 'mean6', 'mean9']

/** Pieces that are read. Twice as many cost twice as much, and catch no more (reports/models). */
export const READER_PIECES = 64

/** The numbers of a text, laid end to end. */
export function readerInputs(means: LayerMeans): Float32Array {
  return Float32Array.from(READER_MEANS.flatMap((name) => [...means[name]!]))
}
