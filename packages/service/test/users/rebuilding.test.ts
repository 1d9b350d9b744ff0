/** When the job of a user who has left is done, and what happens to it until then. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Job } from '../../users/job.ts'
import { DELETIONS_WAITING, JOB_WAITS, Rebuilding } from '../../users/rebuilding.ts'

/** Ten minutes, after which a job belongs to another process, and how often it is renewed meanwhile. */
const LEASE_MS = 600_000

/** How soon a job is found without a word of it. */
const LOOK_MS = 5_000

/** The two steps, when nobody is in the way. */
const SCRUBBED = ['overwrite: true', 'empty log: true']

const ANNS = job('1')
const BOBS = job('2')
const CIDS = job('3')

describe('Rebuilding', () => {
  it('rebuilds once, then clears the files, then says of each job that it is done', async (t) => {
    const { done, settled } = open(t, [ANNS, CIDS, BOBS])
    await settled()
    assert.deepEqual(done(), [
      `take ${LEASE_MS}: 1`,
      `take ${LEASE_MS}: 3`,
      `take ${LEASE_MS}: 2`,
      `take ${LEASE_MS}: none`,
      'rebuild',
      ...SCRUBBED,
      'finish 1',
      'finish 3',
      'finish 2',
    ])
  })

  it('says of no job that it is done while a reader holds the log, and tries to empty that alone, ever less often', async (t) => {
    const held = Array(8).fill(false)
    const { world, done, settled, tick } = open(t, [ANNS], { scrubs: [true, ...held, true] })
    await settled()
    assert.deepEqual(done().slice(2), ['rebuild', 'overwrite: true', 'empty log: false'])
    assert.equal(world.deletionsWaiting(), 1)
    const tries: number[] = []
    const steps: string[] = []
    for (let look = 1; look <= 200; look++) {
      tick(LOOK_MS)
      await settled()
      const [, ...scrubs] = done().filter((what) => !what.startsWith('renew'))
      if (scrubs.length > 0) tries.push(look)
      steps.push(...scrubs)
    }
    assert.deepEqual(steps, [...Array(7).fill('empty log: false'), 'empty log: true', 'finish 1'])
    assert.deepEqual(tries, [1, 3, 7, 15, 31, 63, 123, 183])
    assert.equal(world.deletionsWaiting(), 0)
    assert.deepEqual(world.errors, [])
    assert.deepEqual(world.warnings, [{ deletions: 1 }])
  })

  it('tells of a rebuild that failed, and tries it again', async (t) => {
    const failure = new Error('The store is not available')
    const { world, done, settled, tick } = open(t, [ANNS], { rebuilds: [failure] })
    await settled()
    assert.deepEqual(world.errors, [failure])
    assert.deepEqual(done().slice(2), ['rebuild'])
    tick(LOOK_MS)
    await settled()
    assert.deepEqual(done().slice(1), ['rebuild', ...SCRUBBED, 'finish 1'])
    assert.deepEqual(world.errors, [failure])
  })
})

/** What the store and the models answer, in turn; when that is used up, all goes well. */
interface Answers {
  readonly scrubs?: boolean[]
  readonly rebuilds?: (Error | Promise<void>)[]
}

function open(t: TestContext, jobs: readonly Job[], { scrubs = [], rebuilds = [] }: Answers = {}) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const said: string[] = []
  const world = {
    waiting: [...jobs],
    lost: new Set<Job>(),
    renewFailure: undefined as Error | undefined,
    errors: [] as unknown[],
    warnings: [] as object[],
    deletionsWaiting: () => -1,
    /** A server process says that a job waits. */
    tell: () => {},
  }
  const store = {
    takeJob: async (leaseMs: number) => {
      const taken = world.waiting.shift()
      said.push(`take ${leaseMs}: ${taken?.id ?? 'none'}`)
      return taken
    },
    renewJob: async (renewed: Job, leaseMs: number) => {
      if (world.renewFailure !== undefined) throw world.renewFailure
      said.push(`renew ${renewed.id} ${leaseMs}: ${!world.lost.has(renewed)}`)
      return !world.lost.has(renewed)
    },
    finishJob: async (ended: Job) => {
      said.push(`finish ${ended.id}`)
      return true
    },
    scrub: async (step: string) => {
      const clear = scrubs.shift() ?? true
      said.push(`${step}: ${clear}`)
      return clear
    },
  }
  const models = {
    rebuild: async () => {
      said.push('rebuild')
      const outcome = rebuilds.shift()
      if (outcome instanceof Error) throw outcome
      await outcome
    },
  }
  const rebuilding = new Rebuilding({
    store,
    models,
    onError: (error) => world.errors.push(error),
    log: { warn: (fields) => world.warnings.push(fields) },
    workers: {
      on: ({ name }, answer) => {
        if (name === JOB_WAITS.name) world.tell = answer as () => void
        if (name === DELETIONS_WAITING.name) world.deletionsWaiting = answer as never
      },
    },
  })
  t.after(() => rebuilding.close())
  return {
    rebuilding,
    world,
    /** What was asked of store and models since the last call. */
    done: () => said.splice(0),
    /** All that does not wait for the clock has happened: nothing here takes a turn of the event loop. */
    settled: () => new Promise((resolve) => setImmediate(resolve)),
    tick: (ms: number) => t.mock.timers.tick(ms),
  }
}

function job(id: string): Job {
  return {
    id,
    kind: 'rebuild',
    state: 'running',
    detail: {},
    attempt: 1,
    createdAt: new Date('2026-11-20T12:00:00Z'),
  }
}
