/**
 * The thread that trains the deltas of all tenants. A correction takes it up to a millisecond, a
 * rebuilt log minutes; neither HTTP nor the analysis of mail is to wait for that.
 */
import { workerData } from 'node:worker_threads'
import { type Deltas, encodeDeltas, zeroDeltas } from '../../mail/learning/deltas.ts'
import type { LearningRoute } from '../../mail/learning/learning-policy.ts'
import {
  type LearningEvent,
  OnlineLearning,
  type Promotions,
} from '../../mail/learning/online-learning.ts'
import type { Canary } from '../../mail/models/canary.ts'
import type { Models } from '../../mail/models/models.ts'
import { answerCalls } from '../threads/answer-calls.ts'

export interface LearningWorkerData {
  readonly models: Models
  readonly canary: Canary
}

/** One run over the log of a tenant. */
interface RunTask {
  readonly run: number
}

export interface LearnTask extends RunTask {
  /** Whether the run begins with it. */
  readonly begins: boolean
  readonly examples: readonly (LearningEvent & { readonly route: LearningRoute })[]
}

interface CopyTask extends RunTask {
  /** The deltas, in shared memory. */
  readonly into: Deltas
}

const { models, canary } = workerData as LearningWorkerData

const runs = new Map<number, OnlineLearning>()

export type LearningCalls = typeof CALLS

const CALLS = { train, copy, encode, end }

answerCalls(CALLS)

/** Gives how often deltas were promoted and refused in this run until now. */
function train({ run, begins, examples }: LearnTask): Promotions {
  if (begins) runs.set(run, new OnlineLearning(models, canary))
  const training = trainingOf(run)
  for (const example of examples) training.train(example, example.route)
  return training.promotions
}

/** Copies the promoted deltas. */
function copy({ run, into }: CopyTask): void {
  trainingOf(run).copyPromoted(into)
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

/** @throws Error for a run that another thread had begun, which has ended since. */
function trainingOf(run: number): OnlineLearning {
  const training = runs.get(run)
  if (training === undefined) throw new Error('The training thread has no training in progress')
  return training
}
