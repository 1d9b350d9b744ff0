/** The module of a worker thread, which takes one message after the other (answer-tasks.ts) and analyses it (analyse-task.ts). */
import { analyseTask } from './analyse-task.ts'
import { answerTasks } from './answer-tasks.ts'

answerTasks(analyseTask)
