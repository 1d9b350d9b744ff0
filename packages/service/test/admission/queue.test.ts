import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { AdmissionQueue } from '../../admission/queue.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** What is lost in a queue would wait for ever. */
const ENDS_WITHIN = { timeout: 5_000 }

describe('AdmissionQueue', ENDS_WITHIN, () => {
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
    assert.deepEqual(queue.refusal()?.details, { queueDepth: 1 })
    await assert.rejects(
      queue.run(async () => 'third'),
      { code: 'QUEUE_FULL' },
    )
    end()
    assert.equal(await waiting, 'second')
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
    const waiting = queue.run(async () => assert.fail('It started'), 0, outlet)
    outlet.destroy()
    await assert.rejects(waiting, { code: 'REQUEST_ABANDONED' })
    assert.equal(queue.depth, 0)
    end()
    await running
  })

  it('starts a small task before all but one of the large ones that came first', async () => {
    const started = await startedInTurn([
      ...Array.from({ length: 5 }, (_, i) => [`large ${i}`, 1.9 * MIB] as const),
      ['small', 5 * KIB],
    ])
    assert.deepEqual(started, ['large 0', 'small', 'large 1', 'large 2', 'large 3', 'large 4'])
  })

  it('shares the time by bytes: a large task starts after as many bytes of small ones', async () => {
    const started = await startedInTurn([
      ['first', 0],
      ...Array.from({ length: 12 }, (_, i) => [`small ${i}`, 60 * KIB] as const),
      ['large 0', 252 * KIB],
      ['large 1', 252 * KIB],
    ])
    // Each counts 4 KiB more: 64 for each small task, 256 for each large one.
    assert.deepEqual(
      started.map((name) => name[0]).join(''),
      ['f', 's', 'l', 'ssss', 'l', 'sssssss'].join(''),
    )
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

describe('AdmissionQueue, by a clock that is moved by hand', ENDS_WITHIN, () => {
  it('lets go at its deadline, and not before, what has not started', async (t) => {
    const pass = clockOf(t)
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 10, timeoutMs: 100 })
    const { task, end } = openTask()
    const running = queue.run(task)
    const waiting = queue.run(async () => assert.fail('It started'))
    pass(99)
    assert.equal(queue.depth, 1)
    pass(1)
    await assert.rejects(waiting, { code: 'QUEUE_TIMEOUT', details: { queueDepth: 1 } })
    end()
    await running
  })

  it('starts nothing at its deadline, where the timer is late', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const now = t.mock.method(performance, 'now', () => 1_000)
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 10, timeoutMs: 320 })
    const { task, end } = openTask()
    const running = queue.run(task)
    const late = queue.run(async () => assert.fail('It started'))
    now.mock.mockImplementation(() => 1_320)
    end()
    await assert.rejects(late, { code: 'QUEUE_TIMEOUT' })
    await running
  })

  it('closes when its grace is over, and refuses those who still wait', async (t) => {
    const pass = clockOf(t)
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 10, timeoutMs: 60_000 })
    void queue.run(openTask().task)
    const waiting = queue.run(async () => assert.fail('It started'))
    const closed = queue.close(5_000)
    pass(4_999)
    assert.equal(queue.depth, 1)
    pass(1)
    await assert.rejects(waiting, { code: 'SHUTTING_DOWN' })
    await closed
  })
})

/** Stops timers and `performance.now`; what it gives lets that many milliseconds pass. */
function clockOf(t: TestContext): (ms: number) => void {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  return (ms) => {
    now += ms
    t.mock.timers.tick(ms)
  }
}

/** A task that runs until `end` is called. */
function openTask(): { task: () => Promise<void>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { task: () => promise, end: resolve }
}

/** The names of tasks that came at once, each with its bytes, in the order in which they started. */
async function startedInTurn(tasks: readonly (readonly [name: string, bytes: number])[]) {
  const queue = new AdmissionQueue({ concurrency: 1, depthMax: 100, timeoutMs: 5_000 })
  const started: string[] = []
  await Promise.all(
    tasks.map(([name, bytes]) => queue.run(async () => void started.push(name), bytes)),
  )
  return started
}
