/** What is common to learning about spam and about classes. */
import type { SparseVector } from '../features/sparse-vector.ts'
import type { StepSize } from './adagrad.ts'
import type { ModelDeltas } from './deltas.ts'
import type { LearningExample } from './learn-event.ts'

/** How far a sample moves the weights. */
export interface Steps {
  readonly text: StepSize
  /** For the meta features and the bias. */
  readonly meta: StepSize
}

export interface ModelLearning {
  /**
   * Moves the candidate towards the sample's label: by all of its features and the bias, or by the
   * text features alone that `wordsOf` gives. `wordsOf` is not called when there is nothing to learn.
   *
   * @returns whether anything was moved.
   */
  step(example: LearningExample, wordsOf?: (example: LearningExample) => SparseVector): boolean
  /**
   * How wrong the model is with `deltas`: 1 less the probability of the example's label, in
   * [0, 1]. Bounded, so that a few false corrections among the held-out cannot outvote the others.
   */
  loss(example: LearningExample, deltas: ModelDeltas): number
  /** Copies what this fit learns from one to the other. */
  copy(from: ModelDeltas, into: ModelDeltas): void
}
