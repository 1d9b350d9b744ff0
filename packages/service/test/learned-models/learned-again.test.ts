/** What a server process serves when the office ends, and another comes in its place. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { encodeDeltas, zeroDeltas } from '../../../mail/learning/deltas.ts'
import { emptyModels } from '../../../mail/learning/empty-models.ts'
import type { Canary } from '../../../mail/models/canary.ts'
import { LearnedModels } from '../../learned-models/learned-models.ts'
import { Learning } from '../../learned-models/learning.ts'
import { ALONE, withOffice } from '../../siblings/siblings.ts'
import type { Store } from '../../store/store.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { correction } from '../store/samples.ts'

const base = emptyModels()

/** A store with a correction, that went back to a version that adds 1 to the first weight. */
async function openCorrected(t: TestContext): Promise<Store> {
  const dataDir = temporaryFolder()
  const store = await openStoreHere({ dataDir })
  t.after(() => store.close())
  await store.recordCorrection(correction())
  const deltas = zeroDeltas(base)
  deltas.operator.text[0] = 1
  const model = { baseVersion: base.version, learnedToSeq: 0, metrics: {} }
  for (let version = 1; version <= 2; version++) {
    await store.saveModel({ ...model, deltas: encodeDeltas(deltas) }, 'promoted')
  }
  await store.rollback()
  return store
}

async function open(t: TestContext, store: Store) {
  const { worker, office: workers } = withOffice(ALONE)
  const settings = {
    base,
    canary: {} as Canary,
    mode: 'users',
    onError: (error: unknown) => assert.fail(String(error)),
  } as const
  const office = async (through: Store) => {
    const given = { ...settings, store: through, workers }
    const learning = await Learning.open({ ...given, onRefused: () => {} })
    t.after(() => learning.close())
    return learning
  }
  const learning = await office(store)
  const learned = LearnedModels.open({ ...settings, store, siblings: worker })
  t.after(() => learned.close())
  const added = () => {
    using lease = learned.leaseDeltas(base.version)
    return lease?.deltas.operator.text[0]
  }
  await eventually(() => added() === 1)
  return { office, learning, learned, added }
}

describe('a server process beside an office that comes in the place of another', () => {
  it('serves what it has until the log is read', async (t) => {
    const store = await openCorrected(t)
    const { office, learning, learned, added } = await open(t, store)
    await learning.close()
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
    const again = await office(slow)
    await eventually(() => asked)
    await learned.take()
    assert.equal(added(), 1)
    reading.resolve()
    await again.caughtUp()
    await again.close()
  })

  it('serves nothing any more that was learned from a log which has gone meanwhile', async (t) => {
    const store = await openCorrected(t)
    const { office, learning, added } = await open(t, store)
    await learning.close()
    await store.deleteUser('ann', 'all')
    const again = await office(store)
    await eventually(() => added() === undefined)
    await again.caughtUp()
    await again.close()
  })
})
