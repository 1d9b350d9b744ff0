/** Runs on a thread: trains without what is left out, then asks the models about it. */
import { workerData } from 'node:worker_threads'
import { SHIPPED_ENCODER } from '../../artifact-files/artifact-files.ts'
import { type Encoder, openEncoder } from '../../encoder/open-encoder.ts'
import type { LayerMeans } from '../../mail/models/reader.ts'
import type { Example } from '../training/features.ts'
import { READER_PIECES } from '../training/train-reader.ts'
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

let encoder: Promise<Encoder> | undefined

/** One outcome for each of `scored`, in that order. */
export async function train({ leftOut, scored }: Training): Promise<Outcome[]> {
  const models = modelsWithout(examples, new Set(leftOut))
  const outcomes: Outcome[] = []
  for (const i of scored) {
    outcomes.push(await outcomeOf(examples[i]!, messages[i]!, models, readText))
  }
  return outcomes
}

async function readText(text: string): Promise<LayerMeans> {
  encoder ??= openEncoder(SHIPPED_ENCODER)
  return (await (await encoder).read(text, READER_PIECES)).means
}
