/** What a process that follows serves when the one that learns ends, and another comes in its place. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { encodeDeltas, zeroDeltas } from '../../../mail/learning/deltas.ts'
import { emptyModels } from '../../../mail/learning/empty-models.ts'
import type { Canary } from '../../../mail/models/canary.ts'
import { FollowedModels } from '../../learned-models/followed-models.ts'
import { LearnedModels } from '../../learned-models/learned-models.ts'
import { DELTAS_SERVED, MODELS_SERVED } from '../../learned-models/shared-models.ts'
import type { Siblings } from '../../siblings/siblings.ts'
import type { Store } from '../../store/store.ts'
import { siblings } from '../helpers/siblings.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { correction } from '../store/samples.ts'

const TENANT = 'default'

const base = emptyModels()

/** A store in which a tenant has a correction, and went back to a version that adds 1 to the first weight. */
async function openTaught(t: TestContext): Promise<Store> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tamis-again-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const store = await openStoreHere({ dataDir })
  t.after(() => store.close())
  await store.recordCorrection(correction())
  const deltas = zeroDeltas(base)
  deltas.operator.text[0] = 1
  const model = { tenant: TENANT, baseVersion: base.version, learnedToSeq: 0, metrics: {} }
  for (let version = 1; version <= 2; version++) {
    await store.saveModel({ ...model, deltas: encodeDeltas(deltas) }, 'promoted')
  }
  await store.rollback(TENANT)
  return store
}

async function open(t: TestContext, store: Store) {
  const [one, two] = siblings(2) as [Siblings, Siblings]
  const settings = {
    base,
    canary: {} as Canary,
    mode: 'users',
    onError: (error: unknown) => assert.fail(String(error)),
    onRefused: () => {},
  } as const
  const first = async (through: Store) => {
    const learned = await LearnedModels.open({ ...settings, store: through, siblings: one })
    t.after(() => learned.close())
    return learned
  }
  const learned = await first(store)
  /** How often the process that follows has been told what is served. */
  let answers = 0
  const counting: Siblings = {
    ...two,
    ask: async (topic, ...args) => {
      const given = await two.ask(topic, ...args)
      if (topic.name === DELTAS_SERVED.name) answers++
      return given
    },
  }
  const followed = await FollowedModels.open({ ...settings, store, siblings: counting })
  t.after(() => followed.close())
  const added = () => {
    using lease = followed.leaseDeltas(TENANT, base.version)
    return lease?.deltas.operator.text[0]
  }
  await eventually(() => added() === 1)
  /** Has the process that follows ask once more, and resolves when it has taken the answer, its last. */
  const askAgain = async () => {
    const before = answers
    one.tell(MODELS_SERVED, TENANT)
    await eventually(() => answers > before)
    await followed.close()
  }
  return { first, learned, added, askAgain }
}

describe('a process that follows one that comes in the place of another', () => {
  it('serves what it has until the log is read', async (t) => {
    const store = await openTaught(t)
    const { first, learned, added, askAgain } = await open(t, store)
    await learned.close()
    const reading = Promise.withResolvers<void>()
    let asked = false
    const slow: Store = {
      ...store,
      correctionsInOrder: async (...page) => {
        asked = true
        await reading.promise
        return await store.correctionsInOrder(...page)
      },
    }
    const again = await first(slow)
    await eventually(() => asked)
    await askAgain()
    assert.equal(added(), 1)
    reading.resolve()
    await again.caughtUp(TENANT)
    await again.close()
  })

  it('serves nothing any more that was learned from a log which has gone meanwhile', async (t) => {
    const store = await openTaught(t)
    const { first, learned, added } = await open(t, store)
    await learned.close()
    await store.deleteUser(TENANT, 'ann', 'all')
    const again = await first(store)
    await eventually(() => added() === undefined)
    await again.caughtUp(TENANT)
    await again.close()
  })
})
