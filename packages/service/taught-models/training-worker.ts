/**
 * The thread that trains the deltas of all tenants. A correction takes it up to a millisecond, a
 * rebuilt log minutes; neither HTTP nor the analysis of mail is to wait for that.
 */
import { workerData } from 'node:worker_threads'
import type { Teaching } from '../../mail/learning/curriculum.ts'
import { type Deltas, encodeDeltas, zeroDeltas } from '../../mail/learning/deltas.ts'
import {
  OnlineTraining,
  type Promotions,
  type TrainingEvent,
} from '../../mail/learning/online-training.ts'
import type { Canary } from '../../mail/models/canary.ts'
import type { Models } from '../../mail/models/models.ts'
import { answerCalls } from '../threads/answer-calls.ts'

export interface TrainingWorkerData {
  readonly models: Models
  readonly canary: Canary
}

/** One run over the log of a tenant. */
interface CourseTask {
  readonly course: number
}

export interface TrainTask extends CourseTask {
  /** Whether the course begins with it. */
  readonly begins: boolean
  readonly lessons: readonly (TrainingEvent & { readonly teaching: Teaching })[]
}

interface CopyTask extends CourseTask {
  /** In shared memory. */
  readonly into: Deltas
}

const { models, canary } = workerData as TrainingWorkerData

const courses = new Map<number, OnlineTraining>()

export type TrainingCalls = typeof CALLS

const CALLS = { train, copy, encode, end }

answerCalls(CALLS)

/** Gives how often deltas were promoted and refused in this course until now. */
function train({ course, begins, lessons }: TrainTask): Promotions {
  if (begins) courses.set(course, new OnlineTraining(models, canary))
  const training = trainingOf(course)
  for (const lesson of lessons) training.train(lesson, lesson.teaching)
  return training.promotions
}

/** Copies the promoted deltas. */
function copy({ course, into }: CopyTask): void {
  trainingOf(course).copyPromoted(into)
}

/** The promoted deltas as the store keeps them. */
function encode({ course }: CourseTask): Uint8Array {
  const deltas = zeroDeltas(models)
  trainingOf(course).copyPromoted(deltas)
  return encodeDeltas(deltas)
}

function end({ course }: CourseTask): void {
  courses.delete(course)
}

/** @throws Error for a course that another thread had begun, which has ended since. */
function trainingOf(course: number): OnlineTraining {
  const training = courses.get(course)
  if (training === undefined) throw new Error('The training thread has no training in progress')
  return training
}
