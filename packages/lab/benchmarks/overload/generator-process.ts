/** The generator in a process of its own, so that its garbage collection and work cost others no time. */
import { type ClosedLoop, closedLoop, type OpenLoop, openLoop, requestOf } from './open-loop.ts'

/** What the generator is to send. Messages are in base64, since processes exchange JSON. */
export interface GeneratorTask {
  readonly path: string
  readonly messages: readonly string[]
  readonly open?: Omit<OpenLoop, 'requests'>
  readonly closed?: Omit<ClosedLoop, 'requests'>
}

process.once('message', async (task: GeneratorTask) => {
  const { path, messages, open, closed } = task
  const requests = messages.map((message) => requestOf(path, Buffer.from(message, 'base64')))
  const result =
    open === undefined
      ? await closedLoop({ ...closed!, requests })
      : await openLoop({ ...open, requests })
  process.send!(result, () => process.exit())
})
