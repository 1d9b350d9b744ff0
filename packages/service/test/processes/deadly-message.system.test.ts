/** A message over which the thread of one server process has ended, sent to that process and to another. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { startService } from '../helpers/service-process.ts'
import { ORDER } from '../http/service.ts'
import { connectionsTo, listeningPids } from './connections.ts'

/** From this length on a message goes to the thread. */
const THREAD_BYTES_MIN = 2 * 1024 * 1024

const DEADLY = `X-Dies: exit\r\n${ORDER}${'A line of the body.\r\n'.repeat(THREAD_BYTES_MIN / 20)}`

describe('a message over which an analysis thread has ended', () => {
  it('ends no thread of another process, and gets the same verdict from its header', async (t) => {
    const service = await startService({
      environment: {
        TAMIS_WORKERS: '2',
        TAMIS_LOG_LEVEL: 'warn',
        NODE_OPTIONS: `--import=${new URL('./deadly-worker.ts', import.meta.url)}`,
      },
    })
    t.after(() => service.stop())
    const [first, second] = await connectionsTo(service, await listeningPids(service, 2))
    t.after(() => {
      first!.close()
      second!.close()
    })
    const original = await first!.post('/classify-stream', DEADLY)
    assert.equal(original.status, 200, original.text)
    assert.equal(JSON.parse(original.text).bypassReason, 'parse_error')
    const replay = await second!.post('/classify-stream', DEADLY)
    assert.deepEqual([replay.status, replay.text], [200, original.text])
    const causes = await eventually(() => {
      const found = causesIn(service.output())
      return found.length === 2 && found
    })
    assert.deepEqual(causes, [
      'The thread ended with 1',
      'A thread has ended on this message before',
    ])
  })
})

/** Why messages were judged by their header, in the order of the log. */
function causesIn(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line.includes('A thread ended; its message was judged by its header'))
    .map((line) => JSON.parse(line).err.message)
}
