/**
 * The embedding that comes with Tamis: a table of vectors, one per word, added up. A word without a
 * vector gets one from its letter groups. The length of a vector says how much the word counts.
 * Arora et al., A Simple but Tough-to-Beat Baseline for Sentence Embeddings (ICLR 2017).
 *
 * In memory a row is 384 integers of 8 bits with one scale for all, since only the direction matters.
 * Sums are integers: the same on every machine, whatever the order of the rows (row-sums.ts).
 * embedding-artifact.ts reads the table from files.
 */
import { DIMENSIONS, type EmbeddingModel, normaliseLength } from './embedding-model.ts'
import { addRows, RowList } from './row-sums.ts'
import {
  findWord,
  GROUPS,
  RUNS_PART,
  readGroups,
  STEM_PART,
  type Vocabulary,
  WORD_GROUPS_MAX,
} from './vocabulary.ts'
import { readWords } from './words.ts'

/** Code units of a text that are read, about three pages; the rest is ignored. */
export const TEXT_LENGTH_MAX = 8_000

/** Letter groups count parts of a word, rounded to a sixteenth. */
const WHOLE = 16

/** All that the embedding needs: plain data over shared memory, to be handed to threads. */
export interface EmbeddingTables {
  readonly id: string
  readonly vocabulary: Vocabulary
  /** GROUPS rows for letter groups, then one for each word, packed as in row-sums.ts. */
  readonly rows: Int32Array
}

/** Room for the words of a text, of which there are at most as many as code units; a Chinese character has two letter groups. */
const wordRows = new RowList(TEXT_LENGTH_MAX)
const groupRows = new RowList(2 * TEXT_LENGTH_MAX)

/** Letter groups of one word. */
const groups = new Int32Array(WORD_GROUPS_MAX)

/** The model over `tables`, which several threads may share. */
export function staticEmbedding(tables: EmbeddingTables): EmbeddingModel {
  const sums = new Int32Array(DIMENSIONS)
  return {
    id: tables.id,
    dimensions: DIMENSIONS,
    embed(text) {
      readRows(tables.vocabulary, text)
      sums.fill(0)
      addRows(tables.rows, wordRows, WHOLE, sums)
      addRows(tables.rows, groupRows, 1, sums)
      const vector = new Float32Array(sums)
      normaliseLength(vector)
      return vector
    },
  }
}

/** Fills `wordRows`, and `groupRows` for the words that have no row. */
function readRows(vocabulary: Vocabulary, text: string): void {
  wordRows.clear()
  groupRows.clear()
  readWords(text, TEXT_LENGTH_MAX, () => {
    const found = findWord(vocabulary)
    if (found >= 0) wordRows.add(GROUPS + found, 1)
    else addGroups()
    return true
  })
}

function addGroups(): void {
  const runs = readGroups(groups, 0) - 1
  const factor = Math.round((WHOLE * RUNS_PART) / Math.sqrt(runs))
  for (let i = 0; i < runs; i++) groupRows.add(groups[i]!, factor)
  groupRows.add(groups[runs]!, WHOLE * STEM_PART)
}
