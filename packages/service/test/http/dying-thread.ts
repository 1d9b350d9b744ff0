/** The real worker, but for messages with an X-Dies field: it ends over them, in one way or another. */
import { workerData } from 'node:worker_threads'
import type { Analysis } from '../../../mail/verdict/analysis.ts'
import {
  type AnalyseTask,
  type AnalysisParts,
  analyseTaskWith,
} from '../../admission/analyse-task.ts'
import { answerCalls } from '../../threads/calls.ts'

const analyseTask = analyseTaskWith(workerData as AnalysisParts)

answerCalls({ start: () => {}, analyse: analyseOrDie })

function analyseOrDie(task: AnalyseTask): Analysis | Promise<never> {
  const head = task.body.kind === 'memory' ? Buffer.from(task.body.bytes).toString('latin1') : ''
  const how = /^X-Dies: (\w+)/m.exec(head)?.[1]
  if (how === undefined || task.options.headerOnly) return analyseTask(task)
  if (how === 'exit') process.exit(1)
  if (how === 'abort') {
    setImmediate(() => {
      throw new Error('Nobody catches this')
    })
    return new Promise(() => {})
  }
  if (how === 'loop') for (;;);
  const held: number[][] = []
  for (;;) held.push(Array.from({ length: 100_000 }, (_, index) => index + 0.5))
}
