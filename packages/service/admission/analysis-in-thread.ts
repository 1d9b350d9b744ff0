/** The module of the thread for large messages, which takes one after the other and analyses it (analyse-task.ts). */
import { workerData } from 'node:worker_threads'
import { answerCalls } from '../threads/calls.ts'
import { type AnalysisParts, analyseTaskWith } from './analyse-task.ts'

export type AnalysisCalls = typeof CALLS

const CALLS = {
  /** To be called before a task: a start takes longer than a task may. */
  start: () => {},
  analyse: analyseTaskWith(workerData as AnalysisParts),
}

answerCalls(CALLS)
