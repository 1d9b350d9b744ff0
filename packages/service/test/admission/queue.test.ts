import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { AdmissionQueue, type QueueSettings } from '../../admission/queue.ts'

/** What is lost in a queue would wait for ever. */
describe('AdmissionQueue', { timeout: 5_000 }, () => {
  it('runs as many at once as it may, the others in the order of arrival', async () => {
    const queue = open({ concurrency: 2 })
    const started: string[] = []
    const tasks = ['a', 'b', 'c', 'd'].map((name) => {
      const { task, end } = openTask(() => started.push(name))
      return { end, done: queue.run(task) }
    })
    assert.deepEqual(started, ['a', 'b'])
    assert.equal(queue.depth, 2)
    for (const { end, done } of tasks) {
      end()
      await done
    }
    assert.deepEqual(started, ['a', 'b', 'c', 'd'])
  })

  it('refuses one more than may wait in all queues together, with their depth', async () => {
    const waiting = counter()
    const [queue, other] = [open({ depthMax: 2, waiting }), open({ depthMax: 2, waiting })]
    const tasks = [openTask(), openTask()] as const
    const running = [queue.run(tasks[0].task), other.run(tasks[1].task)]
    const both = [queue.run(async () => 'first'), other.run(async () => 'second')]
    const refused = { code: 'QUEUE_FULL', details: { queueDepth: 2 } }
    await assert.rejects(queue.run(neverRun), refused)
    assert.equal(other.refusal()?.code, 'QUEUE_FULL')
    for (const { end } of tasks) end()
    assert.deepEqual(await Promise.all(both), ['first', 'second'])
    await Promise.all(running)
    assert.equal(waiting.count, 0)
  })

  it('lets go at its deadline what has not started', async () => {
    const queue = open({ timeoutMs: 20 })
    const { task, end } = openTask()
    const running = queue.run(task)
    const refused = { code: 'QUEUE_TIMEOUT', details: { queueDepth: 1 } }
    await assert.rejects(queue.run(neverRun), refused)
    end()
    await running
  })

  it('does not start what is past its deadline, even where the timer is late', async () => {
    const queue = open({ timeoutMs: 20 })
    const { task, end } = openTask()
    const running = queue.run(task)
    const late = queue.run(neverRun)
    const isLate = assert.rejects(late, { code: 'QUEUE_TIMEOUT' })
    busy(40)
    end()
    await isLate
    await running
    assert.equal(await queue.run(async () => 'next'), 'next')
  })

  it('takes out what nobody waits for any more', async () => {
    const queue = open()
    const { task, end } = openTask()
    const running = queue.run(task)
    const outlet = new PassThrough()
    const waiting = queue.run(neverRun, outlet)
    outlet.destroy()
    await assert.rejects(waiting, { code: 'REQUEST_ABANDONED' })
    assert.equal(queue.depth, 0)
    end()
    await running
  })

  it('gives the place of a task that fails to the next', async () => {
    const queue = open()
    const failing = queue.run(() => Promise.reject(new Error('Broken')))
    const next = queue.run(async () => 'next')
    await assert.rejects(failing, { message: 'Broken' })
    assert.equal(await next, 'next')
  })

  it('refuses what waits and what comes once it is closed, and lets finish what runs', async () => {
    const queue = open()
    const { task, end } = openTask()
    const running = queue.run(task)
    const waiting = queue.run(neverRun)
    queue.close()
    await assert.rejects(waiting, { code: 'SHUTTING_DOWN' })
    await assert.rejects(queue.run(neverRun), { code: 'SHUTTING_DOWN' })
    end()
    await running
  })
})

function open(changes: Partial<QueueSettings> = {}): AdmissionQueue {
  return new AdmissionQueue({ concurrency: 1, depthMax: 100, timeoutMs: 5_000, ...changes })
}

function counter() {
  return {
    count: 0,
    add(more: number) {
      this.count += more
    },
  }
}

const neverRun = async () => assert.fail('It started')

/** Keeps the thread busy, so that its timers are late. */
function busy(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** A task that runs until `end` is called. */
function openTask(onStart = () => {}): { task: () => Promise<void>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const task = async () => {
    onStart()
    await promise
  }
  return { task, end: resolve }
}
