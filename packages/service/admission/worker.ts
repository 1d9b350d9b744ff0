/** A worker thread: it reads messages as long as it lives (answer-tasks.ts), one at a time (analyse-task.ts). */
import { analyseTask } from './analyse-task.ts'
import { answerTasks } from './answer-tasks.ts'

answerTasks(analyseTask)
