/**
 * One step of AdaGrad on sparse features: each delta has its own step, which shrinks with the
 * gradients it has seen. Duchi, Hazan and Singer, JMLR 12 (2011).
 */
import type { SparseVector } from '../features/sparse-vector.ts'

/** The deltas that are learned, and for each the sum of its squared gradients. Same shapes. */
export interface Learned {
  readonly deltas: Float32Array
  readonly squares: Float32Array
}

export interface StepSize {
  /** Largest step of one delta. */
  readonly rate: number
  /** The initial value of the squares: the larger, the smaller the first steps. */
  readonly initialSquare: number
  /** The largest absolute value of a delta. */
  readonly deltaMax: number
}

/**
 * Pulls every delta that takes a step towards zero, that is towards the shipped model. On the stream
 * (packages/lab/reports/stream) values from 0 to 1e-4 make no difference, 1e-3 costs a tenth.
 */
const L2 = 1e-4

export function adagrad(deltas: Float32Array, { initialSquare }: StepSize): Learned {
  return { deltas, squares: new Float32Array(deltas.length).fill(initialSquare) }
}

/** Takes a step against the gradient `slope` · value for each feature. */
export function stepFeatures(
  learned: Learned,
  { indices, values }: SparseVector,
  slope: number,
  size: StepSize,
): void {
  for (let i = 0; i < indices.length; i++) stepOne(learned, indices[i]!, slope * values[i]!, size)
}

/** Takes such a step for one delta. */
export function stepOne(
  { deltas, squares }: Learned,
  index: number,
  slope: number,
  { rate, deltaMax }: StepSize,
): void {
  const gradient = slope + L2 * deltas[index]!
  squares[index]! += gradient * gradient
  const moved = deltas[index]! - (rate * gradient) / Math.sqrt(squares[index]!)
  deltas[index] = Math.min(deltaMax, Math.max(-deltaMax, moved))
}
