/**
 * Fits rows so that the two texts of a pair come to lie near each other and away from the other
 * texts of their batch: symmetric InfoNCE (van den Oord et al., Representation Learning with
 * Contrastive Predictive Coding, 2018), by Adagrad with one rate a row (Duchi et al., JMLR 2011).
 *
 * All threads run the same loop, each on its share of the rows, and meet between its parts
 * (fit-worker.ts). No sum is split between threads, so that their number changes no bit.
 */
import { Worker } from 'node:worker_threads'
import { DIMENSIONS } from '../../../mail/embedding/embedding-model.ts'
import { moduleBeside } from '../../../mail/module-beside.ts'
import { randomSource } from '../random.ts'
import { BARRIER_WORDS } from './barrier.ts'
import { type PairSource, TEXT_WORDS_MAX } from './pairs.ts'
import type { WordRows } from './word-rows.ts'

export interface FitOptions {
  /** Pairs of a step, a multiple of four for each thread. */
  readonly pairs: number
  readonly steps: number
  /** The learning rate of the first step; it falls to a tenth of that. */
  readonly learningRate: number
  /** What a cosine is multiplied by before the softmax: the inverse of its temperature. */
  readonly scale: number
  readonly seed: number
}

/** Room for the words of a batch, should no two be the same. */
const BATCH_WORDS_PER_PAIR = 2 * TEXT_WORDS_MAX

/** What all threads read and write; each field is shared memory. */
export interface SharedState {
  readonly barrier: Int32Array
  /** What is fitted. Shape (rows, 384). */
  readonly table: Float32Array
  /** Adagrad's sum of squares, by row. */
  readonly squares: Float64Array
  /** Vectors of the words in the batch, and the loss's gradient. Shape (words, 384). */
  readonly words: Float32Array
  readonly wordGradients: Float32Array
  /** Unit vectors of the texts and the gradient by what they were before: left, then right. Shape (2 · pairs, 384). */
  readonly texts: Float32Array
  readonly textGradients: Float32Array
  /** `texts` by columns, each side by itself. Shape (2, 384, pairs). */
  readonly columns: Float32Array
  /** Length of each text's vector before it was made 1. Shape (2 · pairs,). */
  readonly lengths: Float32Array
  /** exp(scale · (cosine - 1)) of every left text with every right one, and the same transposed. Shape (pairs, pairs). */
  readonly likeness: Float32Array
  readonly likenessTransposed: Float32Array
  /** Their sums by left and by right text. Shape (pairs,). */
  readonly leftSums: Float32Array
  readonly rightSums: Float32Array
}

/** Handed to each thread when it starts. */
export interface FitThreadData {
  readonly thread: number
  readonly threads: number
  readonly options: FitOptions
  readonly rows: WordRows
  readonly sources: readonly PairSource[]
  readonly state: SharedState
}

/** Rows of normal random numbers, before any fitting: what an untrained table is. */
export function randomRows(rows: number, seed: number): Float32Array {
  const table = new Float32Array(new SharedArrayBuffer(4 * rows * DIMENSIONS))
  const random = randomSource(seed)
  for (let i = 0; i < table.length; i += 2) {
    // Box and Muller, A Note on the Generation of Random Normal Deviates (1958).
    const radius = Math.sqrt(-2 * Math.log(1 - random()))
    const angle = 2 * Math.PI * random()
    table[i] = radius * Math.cos(angle)
    table[i + 1] = radius * Math.sin(angle)
  }
  return table
}

/** The rows after `options.steps` steps on `threads` threads. `onStep` is called after each. */
export async function fitRows(
  sources: readonly PairSource[],
  rows: WordRows,
  options: FitOptions,
  threads: number,
  onStep: () => void,
): Promise<Float32Array> {
  const state = sharedState(rows.rows, options)
  await Promise.all(
    Array.from({ length: threads }, (_, thread) =>
      runThread({ thread, threads, options, rows, sources, state }, onStep),
    ),
  )
  return state.table
}

function sharedState(rows: number, { pairs, seed }: FitOptions): SharedState {
  const floats = (length: number) => new Float32Array(new SharedArrayBuffer(4 * length))
  const batchWords = BATCH_WORDS_PER_PAIR * pairs
  return {
    barrier: new Int32Array(new SharedArrayBuffer(4 * BARRIER_WORDS)),
    table: randomRows(rows, seed),
    squares: new Float64Array(new SharedArrayBuffer(8 * rows)),
    words: floats(batchWords * DIMENSIONS),
    wordGradients: floats(batchWords * DIMENSIONS),
    texts: floats(2 * pairs * DIMENSIONS),
    textGradients: floats(2 * pairs * DIMENSIONS),
    columns: floats(2 * pairs * DIMENSIONS),
    lengths: floats(2 * pairs),
    likeness: floats(pairs * pairs),
    likenessTransposed: floats(pairs * pairs),
    leftSums: floats(pairs),
    rightSums: floats(pairs),
  }
}

function runThread(workerData: FitThreadData, onStep: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(moduleBeside(import.meta.url, 'fit-in-thread'), { workerData })
    worker.on('message', onStep)
    worker.on('error', reject)
    worker.on('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`A thread of the training ended with ${code}`))
    })
  })
}
