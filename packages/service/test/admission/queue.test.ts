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

  it('with no room to wait still runs what can run at once', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 0, timeoutMs: 5_000 })
    assert.equal(await queue.run(async () => 'first'), 'first')
    assert.equal(await queue.run(async () => 'second'), 'second')
  })

  it('says how many more it accepts: those that can run at once, and those that may wait', async () => {
    const queue = new AdmissionQueue({ concurrency: 2, depthMax: 2, timeoutMs: 5_000 })
    const tasks = Array.from({ length: 4 }, openTask)
    const rooms = [queue.room]
    const runs = tasks.map(({ task }) => {
      const run = queue.run(task)
      rooms.push(queue.room)
      return run
    })
    assert.deepEqual(rooms, [4, 3, 2, 1, 0])
    for (const { end } of tasks) end()
    await Promise.all(runs)
    assert.equal(queue.room, 4)
    await queue.close(0)
    assert.equal(queue.room, 0)
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

  it('has those of one size wait for one another, whatever there is of others', async () => {
    const started = await startedInTurn([
      ['first', 0],
      ['large 0', 64 * KIB + 1],
      ['large 1', 256 * KIB],
      ['small 0', 64 * KIB],
      ['small 1', 0],
    ])
    assert.deepEqual(started, ['first', 'small 0', 'large 0', 'small 1', 'large 1'])
  })

  it('keeps nothing for those of a size of which none waited', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 100, timeoutMs: 5_000 })
    const started: string[] = []
    const run = (name: string, bytes: number) =>
      queue.run(async () => void started.push(name), bytes)
    await Promise.all(Array.from({ length: 10 }, (_, i) => run(`early ${i}`, 60 * KIB)))
    started.length = 0
    const larges = ['a', 'b', 'c', 'd'].map((name) => run(name, 252 * KIB))
    const smalls = ['1', '2', '3', '4'].map((name) => run(name, 60 * KIB))
    await Promise.all([...larges, ...smalls])
    // Large ones do not catch up with the early ones, which would be abcd1234.
    assert.equal(started.join(''), 'ab1234cd')
  })

  it('keeps nothing for one of a size of which none waited when it came', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 100, timeoutMs: 5_000 })
    const started: string[] = []
    const run = (name: string, bytes: number) =>
      queue.run(async () => void started.push(name), bytes)
    await Promise.all(Array.from({ length: 10 }, (_, i) => run(`early ${i}`, 60 * KIB)))
    started.length = 0
    let last: Promise<void> | undefined
    await Promise.all([
      run('a', 252 * KIB),
      queue.run(async () => {
        started.push('b')
        last = run('c', 252 * KIB)
      }, 252 * KIB),
      ...['1', '2', '3', '4'].map((name) => run(name, 60 * KIB)),
    ])
    await last
    // With the room of what the early ones took, c would come before 1.
    assert.equal(started.join(''), 'ab1234c')
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
  it('expects a wait by the mean time of turns, of which the latest counts a 32nd', async (t) => {
    const pass = clockOf(t)
    /** How one more is refused: after turns of 64 ms, while `waiting` wait for 320 ms at most. */
    const refusedAt = async (turns: number, waiting: number) => {
      const queue = new AdmissionQueue({ concurrency: 1, depthMax: 1_000, timeoutMs: 320 })
      const tasks = Array.from({ length: 1 + turns + waiting }, openTask)
      const runs = tasks.map(({ task }) => queue.run(task))
      for (let turn = 0; turn < turns; turn++) {
        pass(64)
        tasks[turn]!.end()
        await runs[turn]
      }
      const refusal = queue.refusal()
      for (const { end } of tasks) end()
      await Promise.all(runs)
      return refusal && `${refusal.code} ${refusal.details['queueDepth']}`
    }
    // From the first end to the second: 2 ms, of which 160 fit into 320 ms.
    assert.equal(await refusedAt(2, 159), undefined)
    assert.equal(await refusedAt(2, 160), 'QUEUE_FULL 160')
    // And a 32nd of the 62 ms by which the next took longer: 3.94 ms, of which 81 fit.
    assert.equal(await refusedAt(3, 80), undefined)
    assert.equal(await refusedAt(3, 81), 'QUEUE_FULL 81')
  })

  it('expects the wait of a task by those of its size', async (t) => {
    const pass = clockOf(t)
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 1_000, timeoutMs: 320 })
    const tasks = Array.from({ length: 200 }, openTask)
    const runs = tasks.map(({ task }) => queue.run(task, 1.9 * MIB))
    for (let turn = 0; turn < 2; turn++) {
      pass(64)
      tasks[turn]!.end()
      await runs[turn]
    }
    assert.equal(queue.refusal(2 * MIB)?.code, 'QUEUE_FULL')
    assert.equal(queue.refusal(5 * KIB), undefined)
    for (const { end } of tasks) end()
    await Promise.all(runs)
  })

  it('does not count the time in which nobody waited', async (t) => {
    const pass = clockOf(t)
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 10, timeoutMs: 320 })
    /** Of two, the second waits for the first. Whether one more is refused while the second runs. */
    const refusedAfterTwo = async () => {
      const [first, second] = [openTask(), openTask()]
      const runs = [queue.run(first.task), queue.run(second.task)]
      first.end()
      await runs[0]
      const refusal = queue.refusal()
      second.end()
      await runs[1]
      return refusal
    }
    assert.equal(await refusedAfterTwo(), undefined)
    pass(3_600_000)
    assert.equal(await refusedAfterTwo(), undefined)
  })

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

  it('closes at once while nothing runs', async (t) => {
    clockOf(t)
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 10, timeoutMs: 320 })
    await queue.run(async () => 'first')
    await queue.close(5_000)
  })

  it('closes as soon as the last of two has ended', async (t) => {
    clockOf(t)
    const queue = new AdmissionQueue({ concurrency: 2, depthMax: 10, timeoutMs: 320 })
    const [first, second] = [openTask(), openTask()]
    const order: string[] = []
    const runs = [
      queue.run(first.task).then(() => order.push('first')),
      queue.run(second.task).then(() => order.push('second')),
    ]
    const closed = queue.close(5_000).then(() => order.push('closed'))
    first.end()
    await runs[0]
    await new Promise(setImmediate)
    assert.deepEqual(order, ['first'])
    second.end()
    await closed
    assert.deepEqual(order, ['first', 'second', 'closed'])
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

  it('leaves no timer behind', async (t) => {
    const set = t.mock.method(globalThis, 'setTimeout')
    const cleared = t.mock.method(globalThis, 'clearTimeout')
    const queue = new AdmissionQueue({ concurrency: 1, depthMax: 10, timeoutMs: 1_000 })
    const { task, end } = openTask()
    const runs = [queue.run(task), queue.run(async () => 'next')]
    const closed = queue.close(1_000)
    end()
    await Promise.all([...runs, closed])
    const timers = set.mock.calls.map(({ result }) => result)
    assert.equal(timers.length, 2)
    assert.deepEqual(
      new Set(cleared.mock.calls.map(({ arguments: [timer] }) => timer)),
      new Set(timers),
    )
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
