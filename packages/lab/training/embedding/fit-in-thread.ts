/**
 * Runs on each thread of the training: all steps, of each the part that falls to this thread.
 * What a part reads, others have written before the last meeting.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { DIMENSIONS } from '../../../mail/embedding/embedding-model.ts'
import { randomSource } from '../random.ts'
import { meet } from './barrier.ts'
import { type Batch, BatchReader } from './batch.ts'
import { dotProducts, RIGHT_TILE } from './dot-products.ts'
import type { FitThreadData } from './fit-rows.ts'

/** The part of the learning rate that is gone after the last step. */
const RATE_DECLINE = 0.9

/** Apart from that of the first rows. */
const BATCH_SEED_OFFSET = 1

const { thread, threads, options, rows, sources, state } = workerData as FitThreadData
const { pairs, steps, learningRate, scale, seed } = options

/** Gradient of each row touched in a step, one after the other; grows as batches want. */
let rowGradients = new Float32Array(0)
/** Where a row's gradient stands, in rows; -1 for a row not touched. */
const gradientPlaces = new Int32Array(rows.rows).fill(-1)

const reader = new BatchReader(
  sources,
  rows.starts.length - 1,
  randomSource(seed + BATCH_SEED_OFFSET),
)
for (let step = 0; step < steps; step++) {
  const batch = reader.next(pairs)
  sumRows(batch)
  together()
  sumWords(batch)
  together()
  compare()
  together()
  sumRightLikeness()
  together()
  textGradients()
  together()
  wordGradients(batch)
  together()
  updateRows(batch, learningRate * (1 - (RATE_DECLINE * step) / steps))
  together()
  if (thread === 0) parentPort!.postMessage(step)
}

function together(): void {
  meet(state.barrier, threads)
}

/** This thread's share of `length` things, in multiples of `tile`. */
function share(length: number, tile: number = 1): [from: number, to: number] {
  const tiles = length / tile
  return [
    tile * Math.floor((tiles * thread) / threads),
    tile * Math.floor((tiles * (thread + 1)) / threads),
  ]
}

/** Vectors of words, from rows. */
function sumRows({ words }: Batch): void {
  const [from, to] = share(words.length)
  for (let place = from; place < to; place++) {
    const into = state.words.subarray(place * DIMENSIONS, (place + 1) * DIMENSIONS).fill(0)
    const number = words[place]!
    for (let entry = rows.starts[number]!; entry < rows.starts[number + 1]!; entry++) {
      addRow(into, 0, state.table, rows.numbers[entry]!, rows.coefficients[entry]!)
    }
  }
}

/** `into`, from `start` on, plus `coefficient` times row `row` of `matrix`. */
function addRow(
  into: Float32Array,
  start: number,
  matrix: Float32Array,
  row: number,
  coefficient: number,
): void {
  const first = row * DIMENSIONS
  for (let k = 0; k < DIMENSIONS; k++) into[start + k]! += coefficient * matrix[first + k]!
}

/** Unit vectors of texts, from those of words. */
function sumWords({ texts }: Batch): void {
  const [from, to] = share(texts.length)
  for (let text = from; text < to; text++) {
    const vector = state.texts.subarray(text * DIMENSIONS, (text + 1) * DIMENSIONS).fill(0)
    for (const place of texts[text]!) addRow(vector, 0, state.words, place, 1)
    const length = Math.sqrt(dot(vector, vector)) || 1
    state.lengths[text] = length
    const side = text < pairs ? 0 : pairs * DIMENSIONS
    const column = text % pairs
    for (let k = 0; k < DIMENSIONS; k++) {
      vector[k]! /= length
      state.columns[side + k * pairs + column] = vector[k]!
    }
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let k = 0; k < DIMENSIONS; k++) sum += a[k]! * b[k]!
  return sum
}

/** Likeness of this thread's left texts with all right ones. */
function compare(): void {
  const [from, to] = share(pairs, RIGHT_TILE)
  const { likeness, likenessTransposed } = state
  const right = state.texts.subarray(pairs * DIMENSIONS)
  dotProducts(state.texts, from, to, right, pairs, DIMENSIONS, likeness)
  for (let i = from; i < to; i++) {
    let sum = 0
    for (let j = 0; j < pairs; j++) {
      const value = Math.exp(scale * (likeness[i * pairs + j]! - 1))
      likeness[i * pairs + j] = value
      likenessTransposed[j * pairs + i] = value
      sum += value
    }
    state.leftSums[i] = sum
  }
}

function sumRightLikeness(): void {
  const [from, to] = share(pairs, RIGHT_TILE)
  for (let j = from; j < to; j++) {
    let sum = 0
    for (let i = 0; i < pairs; i++) sum += state.likenessTransposed[j * pairs + i]!
    state.rightSums[j] = sum
  }
}

/** What the loss wants of this thread's left texts, then of its right ones. */
function textGradients(): void {
  const { likeness, likenessTransposed, leftSums, rightSums, columns } = state
  const half = pairs * DIMENSIONS
  pull(likeness, leftSums, rightSums, columns.subarray(half), 0)
  pull(likenessTransposed, rightSums, leftSums, columns.subarray(0, half), pairs)
}

/**
 * Likeness -> the softmax by rows plus that by columns, less two for the pair itself; times the
 * other side's texts; and of that only what is across the text's own vector, since its length
 * is always 1.
 */
function pull(
  values: Float32Array,
  ownSums: Float32Array,
  otherSums: Float32Array,
  otherColumns: Float32Array,
  side: number,
): void {
  const [from, to] = share(pairs, RIGHT_TILE)
  for (let i = from; i < to; i++) {
    for (let j = 0; j < pairs; j++) values[i * pairs + j]! *= 1 / ownSums[i]! + 1 / otherSums[j]!
    values[i * pairs + i]! -= 2
  }
  const gradients = state.textGradients.subarray(side * DIMENSIONS)
  dotProducts(values, from, to, otherColumns, DIMENSIONS, pairs, gradients)
  for (let i = from; i < to; i++) {
    const gradient = gradients.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS)
    const text = side + i
    const vector = state.texts.subarray(text * DIMENSIONS, (text + 1) * DIMENSIONS)
    const along = dot(gradient, vector)
    const length = state.lengths[text]!
    for (let k = 0; k < DIMENSIONS; k++) gradient[k] = (gradient[k]! - along * vector[k]!) / length
  }
}

/** Gradients of this thread's words: the sum over the texts they stand in. */
function wordGradients({ words, texts }: Batch): void {
  const [from, to] = share(words.length)
  state.wordGradients.fill(0, from * DIMENSIONS, to * DIMENSIONS)
  texts.forEach((places, text) => {
    for (const place of places) {
      if (place < from || place >= to) continue
      addRow(state.wordGradients, place * DIMENSIONS, state.textGradients, text, 1)
    }
  })
}

/** One step of Adagrad for the rows that are this thread's. */
function updateRows(batch: Batch, rate: number): void {
  const touched = sumRowGradients(batch)
  const { table, squares } = state
  touched.forEach((row, place) => {
    gradientPlaces[row] = -1
    const gradient = rowGradients.subarray(place * DIMENSIONS, (place + 1) * DIMENSIONS)
    const square = dot(gradient, gradient) / DIMENSIONS
    if (square === 0) return
    squares[row]! += square
    addRow(table, row * DIMENSIONS, gradient, 0, -rate / Math.sqrt(squares[row]!))
  })
}

/** Fills `rowGradients`; gives the rows, in the order in which their gradients stand there. */
function sumRowGradients({ words }: Batch): number[] {
  const touched: number[] = []
  words.forEach((number, place) => {
    for (let entry = rows.starts[number]!; entry < rows.starts[number + 1]!; entry++) {
      const row = rows.numbers[entry]!
      if (row % threads !== thread) continue
      if (gradientPlaces[row]! < 0) startGradient(row, touched)
      const start = gradientPlaces[row]! * DIMENSIONS
      addRow(rowGradients, start, state.wordGradients, place, rows.coefficients[entry]!)
    }
  })
  return touched
}

function startGradient(row: number, touched: number[]): void {
  const place = touched.push(row) - 1
  gradientPlaces[row] = place
  if ((place + 1) * DIMENSIONS > rowGradients.length) {
    const larger = new Float32Array(2 * (place + 1) * DIMENSIONS)
    larger.set(rowGradients)
    rowGradients = larger
  }
  rowGradients.fill(0, place * DIMENSIONS, (place + 1) * DIMENSIONS)
}
