/** The generator in a process of its own, so that its garbage collection and work cost others no time. */
import { type ClosedLoop, closedLoop, type OpenLoop, openLoop, requestOf } from './generator.ts'

/** What the generator is to send. */
export interface GeneratorTask {
  readonly path: string
  readonly messages: readonly Uint8Array[]
  /** How many users they are for, in turn; for nobody when absent. */
  readonly users?: number
  readonly open?: Omit<OpenLoop, 'requests'>
  readonly closed?: Omit<ClosedLoop, 'requests'>
}

process.once('message', async (task: GeneratorTask) => {
  const { path, users = 0, open, closed } = task
  const messages = task.messages.map((message) => Buffer.from(message))
  const requests = Array.from({ length: Math.max(messages.length, users) }, (_, i) => {
    const headers = users === 0 ? {} : { 'X-User-ID': `user-${i % users}` }
    return requestOf(path, messages[i % messages.length]!, headers)
  })
  const result =
    open === undefined
      ? await closedLoop({ ...closed!, requests })
      : await openLoop({ ...open, requests })
  process.send!(result, () => process.exit())
})
