/**
 * Fits logistic regression on many dense inputs by L-BFGS: Nocedal and Wright, Numerical Optimization (2006),
 * algorithms 7.4 and 7.5. Inputs are standardised, so that one penalty is for all; the result is for inputs as they
 * come.
 */
import { sigmoid } from '../../mail/models/logit.ts'

export interface WideSample {
  /** Shape (inputs,). */
  readonly inputs: Float32Array
  readonly positive: boolean
  readonly weight: number
}

export interface WideOptions {
  /** Strength of the L2 penalty on the weights of standardised inputs, beside a mean loss. */
  readonly l2: number
  /** Steps at the most. */
  readonly steps: number
}

/** Steps whose changes approximate the curvature. */
const MEMORY = 12

/** Share of the decrease that the slope promises and a step has to bring (Armijo's condition). */
const DECREASE_MIN = 1e-4

/** Halvings of a step that brings too little. */
const HALVINGS_MAX = 20

/** Share of a square below which a variance is rounding: the input never changes. */
const ROUNDING = 1e-12

/** A gradient this small moves no digit of a verdict. */
const GRADIENT_MIN = 1e-6

/** Weights of shape (inputs,) and bias; the same for the same samples in the same order. */
export function fitWide(
  samples: readonly WideSample[],
  { l2, steps }: WideOptions,
): { weights: Float32Array; bias: number } {
  const scale = scaleOf(samples)
  const loss = lossOf(samples, scale, l2)
  const size = scale.means.length + 1
  let at: Point = { parameters: new Float64Array(size), ...loss(new Float64Array(size)) }
  const changes: Change[] = []
  for (let step = 0; step < steps && norm(at.gradient) > GRADIENT_MIN; step++) {
    const direction = directionOf(at.gradient, changes)
    const next = searched(at, direction, loss)
    if (next === undefined) break
    changes.push(changeBetween(at, next))
    if (changes.length > MEMORY) changes.shift()
    at = next
  }
  const weights = new Float32Array(size - 1)
  let bias = at.parameters[size - 1]!
  for (let i = 0; i < size - 1; i++) {
    weights[i] = at.parameters[i]! / scale.deviations[i]!
    bias -= weights[i]! * scale.means[i]!
  }
  return { weights, bias }
}

interface Scale {
  readonly means: Float64Array
  readonly deviations: Float64Array
}

function scaleOf(samples: readonly WideSample[]): Scale {
  const size = samples[0]?.inputs.length ?? 0
  const means = new Float64Array(size)
  const squares = new Float64Array(size)
  for (const { inputs } of samples) {
    for (let i = 0; i < size; i++) {
      means[i]! += inputs[i]! / samples.length
      squares[i]! += inputs[i]! ** 2 / samples.length
    }
  }
  const deviations = squares.map((square, i) => {
    const variance = square - means[i]! ** 2
    return variance > ROUNDING * square ? Math.sqrt(variance) : 1
  })
  return { means, deviations }
}

interface Loss {
  readonly value: number
  readonly gradient: Float64Array
}

interface Point extends Loss {
  readonly parameters: Float64Array
}

/** The mean loss and its gradient, for weights of standardised inputs and, last, the bias. */
function lossOf(samples: readonly WideSample[], { means, deviations }: Scale, l2: number) {
  const size = means.length
  const total = samples.reduce((sum, { weight }) => sum + weight, 0)
  return (parameters: Float64Array): Loss => {
    const raw = Float64Array.from({ length: size }, (_, i) => parameters[i]! / deviations[i]!)
    const shift = raw.reduce((sum, weight, i) => sum + weight * means[i]!, 0)
    const gradient = new Float64Array(size + 1)
    let value = 0
    for (const { inputs, positive, weight } of samples) {
      let logit = parameters[size]! - shift
      for (let i = 0; i < size; i++) logit += raw[i]! * inputs[i]!
      const share = weight / total
      // log(1 + e^-|x|) does not overflow.
      value +=
        share *
        (Math.max(logit, 0) - (positive ? logit : 0) + Math.log1p(Math.exp(-Math.abs(logit))))
      const error = share * (sigmoid(logit) - (positive ? 1 : 0))
      for (let i = 0; i < size; i++) gradient[i]! += error * inputs[i]!
      gradient[size]! += error
    }
    for (let i = 0; i < size; i++) {
      value += (l2 / 2) * parameters[i]! ** 2
      gradient[i] =
        (gradient[i]! - gradient[size]! * means[i]!) / deviations[i]! + l2 * parameters[i]!
    }
    return { value, gradient }
  }
}

/** What a step changed. */
interface Change {
  readonly parameters: Float64Array
  readonly gradient: Float64Array
}

function changeBetween(from: Point, to: Point): Change {
  return {
    parameters: to.parameters.map((value, i) => value - from.parameters[i]!),
    gradient: to.gradient.map((value, i) => value - from.gradient[i]!),
  }
}

/** The two loops of algorithm 7.4: the gradient times an approximate inverse of the curvature, negated. */
function directionOf(gradient: Float64Array, changes: readonly Change[]): Float64Array {
  const direction = gradient.map((value) => -value)
  const factors = changes.map(() => 0)
  for (let k = changes.length - 1; k >= 0; k--) {
    const { parameters, gradient: of } = changes[k]!
    factors[k] = dot(parameters, direction) / dot(parameters, of)
    add(direction, of, -factors[k]!)
  }
  const latest = changes.at(-1)
  const scale = latest
    ? dot(latest.parameters, latest.gradient) / dot(latest.gradient, latest.gradient)
    : 1
  for (let i = 0; i < direction.length; i++) direction[i]! *= scale
  changes.forEach(({ parameters, gradient: of }, k) => {
    add(direction, parameters, factors[k]! - dot(of, direction) / dot(parameters, of))
  })
  return direction
}

/** The first of ever shorter steps that decreases the loss enough, and along which the slope rises. */
function searched(
  from: Point,
  direction: Float64Array,
  loss: (parameters: Float64Array) => Loss,
): Point | undefined {
  const slope = dot(from.gradient, direction)
  let length = 1
  for (let halving = 0; halving < HALVINGS_MAX; halving++) {
    const parameters = from.parameters.map((value, i) => value + length * direction[i]!)
    const found = { parameters, ...loss(parameters) }
    if (
      found.value <= from.value + DECREASE_MIN * length * slope &&
      dot(found.gradient, direction) > slope
    ) {
      return found
    }
    length /= 2
  }
  return undefined
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

function add(to: Float64Array, what: Float64Array, factor: number): void {
  for (let i = 0; i < to.length; i++) to[i]! += factor * what[i]!
}

function norm(vector: Float64Array): number {
  return Math.sqrt(dot(vector, vector))
}
