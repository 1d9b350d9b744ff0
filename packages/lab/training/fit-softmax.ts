/** Fits softmax regression on sparse features, by AdaGrad as fit-logistic.ts does. */
import type { SparseVector } from '../../mail/features/sparse-vector.ts'
import { CLASSES, softmax } from '../../mail/models/prediction.ts'
import type { FitOptions } from './fit-logistic.ts'
import { randomSource, shuffledIndices } from './random.ts'

export interface SoftmaxSample {
  /** Blocks of features laid end to end. */
  readonly blocks: readonly SparseVector[]
  /** Position in CLASSES. */
  readonly label: number
  readonly weight: number
}

const EPSILON = 1e-8
const K = CLASSES.length

/** Weights of shape (size, CLASSES), row by row, and bias of shape (CLASSES,). */
export function fitSoftmax(
  samples: readonly SoftmaxSample[],
  size: number,
  { epochs, learningRate, l2, seed }: FitOptions,
): { weights: Float32Array; bias: number[] } {
  const weights = new Float32Array(size * K)
  const squares = new Float32Array(size * K)
  const bias = new Array<number>(K).fill(0)
  const biasSquares = new Array<number>(K).fill(0)
  const random = randomSource(seed)
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const position of shuffledIndices(samples.length, random)) {
      const { blocks, label, weight } = samples[position]!
      const errors = softmax(scores(weights, bias, blocks)).map(
        (probability, c) => (probability - (c === label ? 1 : 0)) * weight,
      )
      forEachRow(blocks, (row, value) => {
        for (let c = 0; c < K; c++) {
          const at = row + c
          const gradient = errors[c]! * value + l2 * weights[at]!
          squares[at]! += gradient * gradient
          weights[at]! -= (learningRate * gradient) / (Math.sqrt(squares[at]!) + EPSILON)
        }
      })
      for (let c = 0; c < K; c++) {
        biasSquares[c]! += errors[c]! ** 2
        bias[c]! -= (learningRate * errors[c]!) / (Math.sqrt(biasSquares[c]!) + EPSILON)
      }
    }
  }
  return { weights, bias }
}

function scores(
  weights: Float32Array,
  bias: readonly number[],
  blocks: readonly SparseVector[],
): number[] {
  const sums = [...bias]
  forEachRow(blocks, (row, value) => {
    for (let c = 0; c < K; c++) sums[c]! += weights[row + c]! * value
  })
  return sums
}

function forEachRow(
  blocks: readonly SparseVector[],
  visit: (row: number, value: number) => void,
): void {
  let offset = 0
  for (const { size, indices, values } of blocks) {
    for (let i = 0; i < indices.length; i++) visit((offset + indices[i]!) * K, values[i]!)
    offset += size
  }
}

/** Temperatures tried; half as sure to four times as sure in steps of 5 %. */
const TEMPERATURES: readonly number[] = Array.from(
  { length: 43 },
  (_, i) => 0.25 * 1.05 ** (i * 1.5),
)

/** The one under which the labels are likeliest. `logits`: shape (samples, classes). */
export function fitTemperature(
  logits: readonly (readonly number[])[],
  labels: readonly number[],
  weights: Float64Array,
): number {
  const loss = (temperature: number) =>
    logits.reduce((sum, row, i) => {
      const probability = softmax(row.map((value) => value / temperature))[labels[i]!]!
      return sum - weights[i]! * Math.log(Math.max(probability, Number.MIN_VALUE))
    }, 0)
  const losses = TEMPERATURES.map(loss)
  return TEMPERATURES[losses.indexOf(Math.min(...losses))]!
}
