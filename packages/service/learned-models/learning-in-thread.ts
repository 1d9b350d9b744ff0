/**
 * The thread that trains the deltas. A correction takes it up to a millisecond, a
 * rebuilt log minutes; neither HTTP nor the analysis of mail is to wait for that.
 */
import { constants, getPriority, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { encodeDeltas, zeroDeltas } from '../../mail/learning/deltas.ts'
import { exampleOf } from '../../mail/learning/learn-event.ts'
import type { LearningRoute } from '../../mail/learning/learning-policy.ts'
import {
  type LearningEvent,
  OnlineLearning,
  type Promotions,
} from '../../mail/learning/online-learning.ts'
import { PersonalTraining } from '../../mail/learning/personal-training.ts'
import type { Canary } from '../../mail/models/canary.ts'
import type { Models } from '../../mail/models/models.ts'
import type { Kind } from '../../mail/personalization/kinds.ts'
import { decodeMemoryItem } from '../../mail/personalization/memory-item.ts'
import type { PersonalDeltas } from '../../mail/personalization/personal-deltas.ts'
import { answerCalls } from '../threads/calls.ts'
import type { CorrectedFeatures } from '../users/correction.ts'

export interface LearningThreadData {
  readonly models: Models
  readonly canary: Canary
}

/** One run over the log. */
interface RunTask {
  readonly run: number
}

export interface LearnTask extends RunTask {
  /** Whether the run begins with it. */
  readonly begins: boolean
  readonly examples: readonly (LearningEvent & { readonly route: LearningRoute })[]
}

const { models, canary } = workerData as LearningThreadData

const runs = new Map<number, OnlineLearning>()

let personalTraining: PersonalTraining | undefined

/** Added to the niceness of this thread alone: what is learned is of use to the next message at the earliest, while verdicts and corrections are waited for. */
const BACKGROUND_NICENESS = 10

export type LearningCalls = typeof CALLS

const CALLS = { train, encode, end, personal }

setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + BACKGROUND_NICENESS))

answerCalls(CALLS)

/** Gives how often deltas were promoted and refused in this run until now. */
function train({ run, begins, examples }: LearnTask): Promotions {
  if (begins) runs.set(run, new OnlineLearning(models, canary))
  const training = trainingOf(run)
  for (const example of examples) training.train(example, example.route)
  return training.promotions
}

/** The promoted deltas as the store keeps them. */
function encode({ run }: RunTask): Uint8Array {
  const deltas = zeroDeltas(models)
  trainingOf(run).copyPromoted(deltas)
  return encodeDeltas(deltas)
}

function end({ run }: RunTask): void {
  runs.delete(run)
}

/** The deltas of a user who has made these corrections. */
function personal(corrections: readonly CorrectedFeatures[]): PersonalDeltas {
  personalTraining ??= new PersonalTraining(models, canary)
  const examplesOf = (wanted: Kind) =>
    corrections.flatMap((correction) => {
      const example = correction.kind === wanted ? exampleOf(correction, models) : undefined
      const item = decodeMemoryItem(correction.memory)
      return example && item ? [{ ...example, terms: item.sparse }] : []
    })
  return personalTraining.train({ spam: examplesOf('spam'), tabs: examplesOf('tabs') })
}

/** @throws Error for a run that another thread had begun, which has ended since. */
function trainingOf(run: number): OnlineLearning {
  const training = runs.get(run)
  if (training === undefined) throw new Error('The training thread has no training in progress')
  return training
}
