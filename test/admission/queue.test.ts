import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { AdmissionQueue } from '../../src/admission/queue.ts'

describe('AdmissionQueue', () => {
  it('runs as many at once as it may, the others in the order of arrival', async () => {
    const queue = new AdmissionQueue({ concurrency: 2, depthMax: 10, timeoutMs: 5_000 })
    const started: string[] = []
    const run = (name: string) =>
      queue.run(async () => {
        started.push(name)
        await sleep(10)
      })
    const all = ['a', 'b', 'c', 'd'].map(run)
    assert.deepEqual(started, ['a', 'b'])
    assert.equal(queue.depth, 2)
    await Promise.all(all)
    assert.deepEqual(started, ['a', 'b', 'c', 'd'])
  })

  it('refuses one more than may wait, with the depth', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 1, timeoutMs: 5_000 })
    const { task, end } = openTask()
    const running = queue.run(task)
    const waiting = queue.run(async () => 'second')
    assert.throws(() => queue.refuseIfFull(), { code: 'QUEUE_FULL', details: { queueDepth: 1 } })
    await assert.rejects(
      queue.run(async () => 'third'),
      { code: 'QUEUE_FULL' },
    )
    end()
    assert.equal(await waiting, 'second')
    await running
  })

  it('refuses at once what would wait past its deadline, going by how fast turns come', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 1_000, timeoutMs: 400 })
    await Promise.all(Array.from({ length: 40 }, () => queue.run(() => sleep(5))))
    // Some 4 ms a turn by now, so that some hundred fit into the deadline.
    const { task, end } = openTask()
    const running = [queue.run(task)]
    let refusedAt: number | undefined
    for (let i = 0; i < 400 && refusedAt === undefined; i++) {
      try {
        queue.refuseIfFull()
        running.push(queue.run(() => Promise.resolve()))
      } catch (error) {
        assert.equal((error as { code: string }).code, 'QUEUE_FULL')
        refusedAt = i
      }
    }
    assert.ok(refusedAt !== undefined && refusedAt > 0 && refusedAt < 200, `${refusedAt}`)
    end()
    await Promise.all(running)
  })

  it('with no room to wait still runs what can run at once', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 0, timeoutMs: 5_000 })
    assert.equal(await queue.run(async () => 'first'), 'first')
    assert.equal(await queue.run(async () => 'second'), 'second')
  })

  it('lets go at its deadline what has not started, within 50 ms', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 10, timeoutMs: 100 })
    const { task, end } = openTask()
    const running = queue.run(task)
    const queued = performance.now()
    await assert.rejects(
      queue.run(async () => assert.fail('It started')),
      { code: 'QUEUE_TIMEOUT', details: { queueDepth: 1 } },
    )
    const waitedMs = performance.now() - queued
    assert.ok(waitedMs >= 99 && waitedMs < 150, `${waitedMs} ms`)
    end()
    await running
  })

  it('does not start what is past its deadline, even where the timer is late', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 10, timeoutMs: 20 })
    const { task, end } = openTask()
    const running = queue.run(task)
    const late = queue.run(async () => assert.fail('It started'))
    const end40 = performance.now() + 40
    while (performance.now() < end40);
    end()
    await assert.rejects(late, { code: 'QUEUE_TIMEOUT' })
    await running
    assert.equal(await queue.run(async () => 'next'), 'next')
  })

  it('takes out what nobody waits for any more', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 10, timeoutMs: 5_000 })
    const { task, end } = openTask()
    const running = queue.run(task)
    const outlet = new PassThrough()
    const waiting = queue.run(async () => assert.fail('It started'), outlet)
    outlet.destroy()
    await assert.rejects(waiting, { code: 'REQUEST_ABANDONED' })
    assert.equal(queue.depth, 0)
    end()
    await running
  })

  it('gives the place of a task that fails to the next', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 10, timeoutMs: 5_000 })
    const failing = queue.run(() => Promise.reject(new Error('Broken')))
    const next = queue.run(async () => 'next')
    await assert.rejects(failing, { message: 'Broken' })
    assert.equal(await next, 'next')
  })

  it('closes when all is done', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 10, timeoutMs: 5_000 })
    const order: string[] = []
    const tasks = ['a', 'b'].map((name) =>
      queue.run(async () => {
        await sleep(10)
        order.push(name)
      }),
    )
    await queue.close(5_000).then(() => order.push('closed'))
    await Promise.all(tasks)
    assert.deepEqual(order, ['a', 'b', 'closed'])
    await assert.rejects(
      queue.run(async () => 'late'),
      { code: 'SHUTTING_DOWN' },
    )
  })
})

/** A task that runs until `end` is called. */
function openTask(): { task: () => Promise<void>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { task: () => promise, end: resolve }
}
