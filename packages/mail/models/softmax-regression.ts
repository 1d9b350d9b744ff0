/**
 * Softmax regression, the tabs model: one weight per feature and class, over text and meta features
 * together. Bishop (2006), §4.3.4.
 */
import type { SparseVector } from '../features/sparse-vector.ts'
import { assertSameSize, type CrowdDeltas, type Quantised } from './logistic.ts'
import { byClass, CLASSES, type ClassProbabilities, softmax } from './prediction.ts'

export interface SoftmaxModel {
  /** Shape (features, CLASSES), row by row: the four weights of a feature share a cache line. */
  readonly weights: Quantised
  /** Shape (CLASSES,). */
  readonly bias: readonly number[]
  /** Divides all logits: a value above 1 makes the probabilities less sure. Guo et al., On Calibration of Modern Neural Networks (2017). */
  readonly temperature: number
  /** What was learned from the operator's corrections (learning/): added to the weights, the last row to the bias. Shape (features + 1, CLASSES). */
  readonly deltas?: Float32Array
  /** What was learned from corrections that users agree about: its reach is how far two classes are moved apart at most. */
  readonly crowd?: CrowdDeltas
}

/**
 * Probabilities of the four classes for the features of `blocks`, laid end to end.
 *
 * @throws TamisError ARTIFACT_MISMATCH when their number is not that of the model's weights.
 */
export function predictClasses(
  model: SoftmaxModel,
  blocks: readonly SparseVector[],
): ClassProbabilities {
  return byClass(softmax(classLogits(model, blocks)))
}

/** Logits in the order of CLASSES, divided by the temperature. */
export function classLogits(
  { weights, bias, temperature, deltas, crowd }: SoftmaxModel,
  blocks: readonly SparseVector[],
): number[] {
  const size = blocks.reduce((total, block) => total + block.size, 0)
  assertSameSize(weights.integers.length, size * CLASSES.length)
  const sums = new Float64Array(CLASSES.length)
  let offset = 0
  for (const block of blocks) {
    addRows(sums, weights.integers, block, offset)
    offset += block.size
  }
  const logits = bias.map((value, c) => value + sums[c]! * weights.scale)
  if (deltas !== undefined) addDeltas(logits, deltas, blocks)
  if (crowd !== undefined) addCrowd(logits, crowd, blocks)
  return logits.map((value) => value / temperature)
}

/**
 * Adds the rows of `block` to `sums`. The four sums are variables rather than a loop over classes, so
 * that the processor can fetch the rows of several features at a time. The first is summed by itself:
 * the shorter the loop that waits for the rows, the more of them come at a time (19 µs a message against
 * 29, the tables of all stages taking turns in its cache).
 */
function addRows(
  sums: Float64Array,
  integers: Int16Array,
  { indices, values }: SparseVector,
  offset: number,
): void {
  let [primary, promotions, updates, transactions] = [0, 0, 0, 0]
  for (let i = 0; i < indices.length; i++) {
    primary += integers[(offset + indices[i]!) * 4]! * values[i]!
  }
  for (let i = 0; i < indices.length; i++) {
    const row = (offset + indices[i]!) * 4
    const value = values[i]!
    promotions += integers[row + 1]! * value
    updates += integers[row + 2]! * value
    transactions += integers[row + 3]! * value
  }
  sums[0]! += primary
  sums[1]! += promotions
  sums[2]! += updates
  sums[3]! += transactions
}

/** Adds what users agree about, made smaller where it would move two classes further apart than it may. */
function addCrowd(logits: number[], crowd: CrowdDeltas, blocks: readonly SparseVector[]): void {
  const moves = crowdMoves(crowd, blocks)
  const apart = Math.max(...moves) - Math.min(...moves)
  const share = apart > crowd.reach ? crowd.reach / apart : 1
  for (const [c, move] of moves.entries()) logits[c]! += move * share
}

/** What the crowd's deltas add to the logit of each class before division by the temperature, whatever their reach. */
export function crowdMoves({ deltas }: CrowdDeltas, blocks: readonly SparseVector[]): number[] {
  const moves: number[] = CLASSES.map(() => 0)
  addDeltas(moves, deltas, blocks)
  return moves
}

/** Adds the rows of all blocks and the last row to `logits`. Separate from `addRows`, so that each function sees one kind of array. */
function addDeltas(logits: number[], deltas: Float32Array, blocks: readonly SparseVector[]): void {
  const classes = logits.length
  let offset = 0
  for (const { size, indices, values } of blocks) {
    for (let i = 0; i < indices.length; i++) {
      const row = (offset + indices[i]!) * classes
      for (let c = 0; c < classes; c++) logits[c]! += deltas[row + c]! * values[i]!
    }
    offset += size
  }
  for (let c = 0; c < classes; c++) logits[c]! += deltas[offset * classes + c]!
}
