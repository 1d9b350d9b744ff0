/** The module of the thread for large messages, which takes one after the other (answer-tasks.ts) and analyses it (analyse-task.ts). */
import { workerData } from 'node:worker_threads'
import { type AnalysisParts, analyseTaskWith } from './analyse-task.ts'
import { answerTasks } from './answer-tasks.ts'

answerTasks(analyseTaskWith(workerData as AnalysisParts))
