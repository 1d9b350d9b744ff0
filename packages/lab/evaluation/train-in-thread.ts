/** Runs on a thread: trains without what is left out, then asks the models about it. */
import { workerData } from 'node:worker_threads'
import type { Example } from '../training/features.ts'
import { modelsWithout } from './left-out-models.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { Training } from './plan.ts'

/** Handed over once, when the worker starts. */
export interface TrainThreadData {
  /** Those that may be trained on first; the plan leaves the others out. */
  readonly examples: readonly Example[]
  /** Their raw messages, in step. */
  readonly messages: readonly Uint8Array[]
}

const { examples, messages } = workerData as TrainThreadData

/** One outcome for each of `scored`, in that order. */
export function train({ leftOut, scored }: Training): Outcome[] {
  const models = modelsWithout(examples, new Set(leftOut))
  return scored.map((i) => outcomeOf(examples[i]!, messages[i]!, models))
}
