/**
 * The real thread for large messages, but for messages with certain header fields: `X-Stuck-Ms` has it take that long, whatever
 * the limits, or until a test lets it go on (stuck.ts); `X-Dies` ends it in one way or another.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { analyseTaskWith } from '../../admission/analyse-task.ts'
import type { LargeTask } from '../../admission/large-messages-thread.ts'
import { bodyOctets } from '../../admission/message-body.ts'
import { answerCalls } from '../../threads/calls.ts'
import { GO_ON_CHANNEL, STUCK_CHANNEL } from './stuck.ts'

const stuck = new BroadcastChannel(STUCK_CHANNEL)
/** Node takes it for a port (receiveMessageOnPort), and its types do not. */
const goOn = new BroadcastChannel(GO_ON_CHANNEL) as unknown as MessagePort

answerCalls({
  analyse({ parts, begun, ...task }: LargeTask) {
    Atomics.store(begun, 0, 1)
    Atomics.notify(begun, 0)
    const head = bodyOctets(task.body).slice(0, 1_000).toString('latin1')
    const [, how] = /^X-Dies: (\w+)/m.exec(head) ?? []
    if (how === 'always' || !task.options.headerOnly) {
      if (how !== undefined) die(how)
      stick(head)
    }
    return analyseTaskWith(parts)(task)
  },
})

function die(how: string): never {
  if (how === 'exit') process.exit(1)
  const held: number[][] = []
  for (;;) if (how === 'memory') held.push(Array.from({ length: 100_000 }, (_, at) => at + 0.5))
}

function stick(head: string): void {
  const [, ms] = /^X-Stuck-Ms: (\d+)/m.exec(head) ?? []
  if (ms === undefined) return
  stuck.postMessage(head)
  const end = performance.now() + Number(ms)
  while (performance.now() < end && receiveMessageOnPort(goOn) === undefined);
}
