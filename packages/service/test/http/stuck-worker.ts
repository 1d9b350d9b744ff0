/** The real worker, but for messages with an X-Stuck-Ms field: their analysis takes that long, whatever the limits. */
import type { AnalyseResult, AnalyseTask } from '../../admission/analyse-task.ts'
import { analyseTask } from '../../admission/analyse-task.ts'
import { answerTasks } from '../../admission/answer-tasks.ts'

answerTasks(analyseOrStick)

function analyseOrStick(task: AnalyseTask): AnalyseResult {
  const head = task.body.kind === 'memory' ? Buffer.from(task.body.bytes).toString('latin1') : ''
  const [, ms] = /^X-Stuck-Ms: (\d+)/m.exec(head) ?? []
  if (ms !== undefined && !task.headerOnly) {
    const end = performance.now() + Number(ms)
    while (performance.now() < end);
  }
  return analyseTask(task)
}
