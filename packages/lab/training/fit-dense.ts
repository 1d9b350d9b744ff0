/**
 * Fits logistic regression on a handful of dense inputs by Newton's method: calibration (one
 * input) and fusion (two). Bishop (2006), §4.3.3, iterative reweighted least squares.
 */
import { sigmoid } from '../../mail/models/logit.ts'

export interface DenseSample {
  /** Shape (inputs,). */
  readonly inputs: readonly number[]
  readonly positive: boolean
  readonly weight: number
}

const ITERATIONS_MAX = 50

/** A step this small changes no digit that is written. */
const STEP_MIN = 1e-9

/** Keeps separable data from driving the coefficients to infinity; a thousandth of one sample's weight. */
const RIDGE = 1e-3

/** Coefficients of shape (inputs,) and the bias. */
export function fitDense(samples: readonly DenseSample[]): {
  coefficients: number[]
  bias: number
} {
  const inputs = samples[0]?.inputs.length ?? 0
  let parameters = new Array<number>(inputs + 1).fill(0)
  for (let iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
    const step = newtonStep(samples, parameters)
    parameters = parameters.map((value, i) => value - step[i]!)
    if (Math.max(...step.map(Math.abs)) < STEP_MIN) break
  }
  return { coefficients: parameters.slice(0, inputs), bias: parameters[inputs]! }
}

function newtonStep(samples: readonly DenseSample[], parameters: readonly number[]): number[] {
  const n = parameters.length
  const gradient = parameters.map((value) => RIDGE * value)
  const hessian = parameters.map((_, i) => parameters.map((_, j) => (i === j ? RIDGE : 0)))
  for (const { inputs, positive, weight } of samples) {
    const row = [...inputs, 1]
    const probability = sigmoid(row.reduce((sum, value, i) => sum + value * parameters[i]!, 0))
    const error = weight * (probability - (positive ? 1 : 0))
    const curvature = weight * probability * (1 - probability)
    for (let i = 0; i < n; i++) {
      gradient[i]! += error * row[i]!
      for (let j = 0; j < n; j++) hessian[i]![j]! += curvature * row[i]! * row[j]!
    }
  }
  return solve(hessian, gradient)
}

/** x with A x = b for a positive definite A. Gauss and Jordan, without pivoting: A's diagonal is never 0. */
function solve(a: readonly (readonly number[])[], b: readonly number[]): number[] {
  const rows = a.map((row, i) => [...row, b[i]!])
  for (let i = 0; i < rows.length; i++) {
    const pivot = rows[i]![i]!
    for (let j = 0; j < rows.length; j++) {
      if (j === i) continue
      const factor = rows[j]![i]! / pivot
      rows[j] = rows[j]!.map((value, k) => value - factor * rows[i]![k]!)
    }
  }
  return rows.map((row, i) => row.at(-1)! / row[i]!)
}
