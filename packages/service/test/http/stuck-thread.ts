/**
 * The real worker, but for messages with an X-Stuck-Ms field: their analysis takes that long,
 * whatever the limits, or until a test lets it go on.
 */
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Analysis } from '../../../mail/verdict/analysis.ts'
import {
  type AnalyseTask,
  type AnalysisParts,
  analyseTaskWith,
} from '../../admission/analyse-task.ts'
import { answerCalls } from '../../threads/calls.ts'
import { GO_ON_CHANNEL, STUCK_CHANNEL } from './stuck.ts'

const stuck = new BroadcastChannel(STUCK_CHANNEL)
/** Node takes it for a port (receiveMessageOnPort), and its types do not. */
const goOn = new BroadcastChannel(GO_ON_CHANNEL) as unknown as MessagePort

const analyseTask = analyseTaskWith(workerData as AnalysisParts)

answerCalls({ start: () => {}, analyse: analyseOrStick })

function analyseOrStick(task: AnalyseTask): Analysis {
  const head = task.body.kind === 'memory' ? Buffer.from(task.body.bytes).toString('latin1') : ''
  const [, ms] = /^X-Stuck-Ms: (\d+)/m.exec(head) ?? []
  if (ms !== undefined && !task.options.headerOnly) {
    stuck.postMessage(head)
    const end = performance.now() + Number(ms)
    while (performance.now() < end && receiveMessageOnPort(goOn) === undefined);
  }
  return analyseTask(task)
}
