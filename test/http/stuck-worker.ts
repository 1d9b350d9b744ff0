/** The real worker, but for messages with an X-Stuck-Ms field: their analysis takes that long, whatever the limits. */
import type { AnalyseResult, AnalyseTask } from '../../src/admission/worker.ts'
import { analyseTask as realAnalyseTask } from '../../src/admission/worker.ts'

export function analyseTask(task: AnalyseTask): AnalyseResult {
  const head = task.body.kind === 'memory' ? Buffer.from(task.body.bytes).toString('latin1') : ''
  const [, ms] = /^X-Stuck-Ms: (\d+)/m.exec(head) ?? []
  if (ms !== undefined && !task.headerOnly) {
    const end = performance.now() + Number(ms)
    while (performance.now() < end);
  }
  return realAnalyseTask(task)
}
