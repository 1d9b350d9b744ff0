/** One model's way of learning. */
import type { Deltas } from './deltas.ts'
import type { Lesson } from './learn-event.ts'

export interface Fit {
  /** Moves the candidate towards the lesson's label, unless it errs by more than `errorMax`. */
  step(lesson: Lesson, errorMax: number): void
  /**
   * How wrong the model is with `deltas`: 1 less the probability of the lesson's label, in
   * [0, 1]. Bounded, so that a few false corrections among the held-out cannot outvote the others.
   */
  loss(lesson: Lesson, deltas: Deltas): number
  /** Copies what this fit learns from `candidate` into `promoted`. */
  promote(candidate: Deltas, promoted: Deltas): void
}
