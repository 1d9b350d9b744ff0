/** When the job of a user who has left is done, and what happens to it until then. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Job } from '../../users/job.ts'
import { Deletions } from '../../users/rebuilding.ts'

const LEASE_MS = 600_000

/** The two steps, when nobody is in the way. */
const SCRUBBED = ['overwrite: true', 'empty log: true']

describe('Deletions', () => {
  it('clears the files once for all whom the models have forgotten, then ends each job', async () => {
    const { deletions, done } = open([job('1'), job('2', 'not learned'), job('3')])
    await deletions.take()
    assert.equal(deletions.waitForLearning, true)
    await deletions.scrub()
    assert.deepEqual(done().slice(4), [...SCRUBBED, 'finish 2'])
    deletions.learnedWithout(deletions.held)
    assert.equal(deletions.waitForLearning, false)
    await deletions.scrub()
    assert.deepEqual(done(), [...SCRUBBED, 'finish 1', 'finish 3'])
    await deletions.scrub()
    assert.deepEqual(done(), [])
  })

  it('ends no job while a reader holds the log, and tries to empty that alone, ever less often', async (t) => {
    const held = Array(8).fill(false)
    const { deletions, done, warnings, pass } = open([job('1', 'not learned')], {
      scrubs: [true, ...held, true],
      t,
    })
    await deletions.take()
    await deletions.scrub()
    assert.deepEqual(done().slice(2), ['overwrite: true', 'empty log: false'])
    const tries: number[] = []
    for (let second = 1; second <= 1_000; second++) {
      pass(1_000)
      await deletions.scrub()
      if (done().length > 0) tries.push(second)
    }
    assert.deepEqual(tries, [5, 15, 35, 75, 155, 315, 615, 915])
    assert.deepEqual(deletions.held, [])
    assert.deepEqual(warnings, [{ deletions: 1 }])
  })

  it('leaves a job whose lease it has lost', async () => {
    const { deletions, done, lost } = open([job('1'), job('2')])
    await deletions.take()
    const [first] = deletions.held
    lost.add(first!)
    await deletions.renew()
    deletions.learnedWithout(deletions.held)
    await deletions.scrub()
    assert.deepEqual(done().slice(3), [
      `renew 1 ${LEASE_MS}: false`,
      `renew 2 ${LEASE_MS}: true`,
      ...SCRUBBED,
      'finish 2',
    ])
  })
})

function open(
  waiting: Job[],
  { scrubs = [], t }: { readonly scrubs?: boolean[]; readonly t?: TestContext } = {},
) {
  const said: string[] = []
  const lost = new Set<Job>()
  const warnings: object[] = []
  const store = {
    takeJob: async (leaseMs: number) => {
      const taken = waiting.shift()
      said.push(`take ${leaseMs}: ${taken?.id ?? 'none'}`)
      return taken
    },
    renewJob: async (renewed: Job, leaseMs: number) => {
      said.push(`renew ${renewed.id} ${leaseMs}: ${!lost.has(renewed)}`)
      return !lost.has(renewed)
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
  let passedMs = 0
  t?.mock.method(performance, 'now', () => 1_000 + passedMs)
  const log = { warn: (fields: object) => warnings.push(fields) }
  return {
    deletions: new Deletions(store, log, LEASE_MS),
    ...{ lost, warnings },
    /** What was asked of the store since the last call. */
    done: () => said.splice(0),
    pass: (ms: number) => {
      passedMs += ms
    },
  }
}

function job(id: string, deleted = 'learned'): Job {
  return {
    id,
    kind: 'rebuild',
    state: 'running',
    detail: { deleted },
    attempt: 1,
    createdAt: new Date('2026-11-20T12:00:00Z'),
  }
}
