/** What a serving thread has of what was learned. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { encodeDeltas, zeroDeltas } from '../../../mail/learning/deltas.ts'
import type { LearningMode } from '../../../mail/learning/learn.ts'
import { emptyModels } from '../../../mail/models/models.ts'
import { LearnedModels } from '../../learned-models/learned-models.ts'
import type { Store } from '../../store/store.ts'
import { withStoreAt } from '../helpers/store-at.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { correction, key } from '../store/samples.ts'

const base = emptyModels()

/** A version whose deltas add `value` to the first weight. */
function model(value: number, baseVersion = base.version) {
  const deltas = zeroDeltas(base)
  deltas.operator.text[0] = value
  return { baseVersion, deltas: encodeDeltas(deltas), learnedToSeq: 0, metrics: {} }
}

async function openStore(t: TestContext) {
  const dataDir = temporaryFolder()
  const store = await openStoreHere({ dataDir })
  t.after(() => store.close())
  return { store, dataDir }
}

async function open(t: TestContext, store: Store, mode: LearningMode = 'users') {
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const learned = await LearnedModels.open({ store, base, canary: [], mode, onError })
  t.after(() => learned.close())
  return { learned, errors, added: () => learned.deltas?.operator.text[0] }
}

describe('LearnedModels', () => {
  it('serves the version in use, from the start and when it changes', async (t) => {
    const { store } = await openStore(t)
    await store.saveModel(model(1), 'promoted')
    const { learned, added } = await open(t, store)
    assert.equal(added(), 1)
    const before = learned.deltas
    await store.saveModel(model(2), 'rejected')
    await store.saveModel(model(3), 'promoted')
    await eventually(() => added() === 3)
    // Who judges with them goes on with what there was.
    assert.equal(before?.operator.text[0], 1)
    assert.equal(await learned.rollback(), 1)
    assert.equal(added(), 1)
    assert.equal(await learned.rollback(), undefined)
    assert.equal(added(), undefined)
    assert.equal(await learned.promote(), 3)
    assert.equal(added(), 3)
  })

  it('serves nothing that was learned over other weights, or is damaged', async (t) => {
    const { store } = await openStore(t)
    await store.saveModel(model(1, 'other'), 'promoted')
    const { learned, added } = await open(t, store)
    assert.equal(added(), undefined)
    await store.saveModel({ ...model(1), deltas: Uint8Array.of(1) }, 'promoted')
    await learned.take()
    assert.equal(added(), undefined)
  })

  it('goes on with what it has while the store does not answer, and reports that', async (t) => {
    const { store } = await openStore(t)
    await store.saveModel(model(1), 'promoted')
    const failure = new Error('The store is not available')
    let isAway = false
    const { learned, errors, added } = await open(t, {
      ...store,
      promotedModel: async () => {
        if (isAway) throw failure
        return await store.promotedModel()
      },
    })
    isAway = true
    await learned.take()
    assert.deepEqual(errors, [failure])
    assert.equal(added(), 1)
  })
})

describe('whether a correction counts for all', () => {
  const DAY_MS = 24 * 60 * 60_000
  const authenticated = { authenticatedDomain: 'example.com' }

  it('is said for a user known for a day, of authenticated mail, twice a week', async (t) => {
    const { store, dataDir } = await openStore(t)
    const { learned } = await open(t, store)
    await withStoreAt({ dataDir }, new Date(Date.now() - 2 * DAY_MS), (then) =>
      then.recordCorrection(correction({ messageKey: key('first'), ...authenticated })),
    )
    const now = correction({ messageKey: key('1'), ...authenticated })
    assert.equal(await learned.wouldLearn(correction()), false)
    assert.equal(await learned.wouldLearn({ ...now, userId: 'newcomer' }), false)
    const said: boolean[] = []
    for (const message of ['1', '2', '3']) {
      said.push(await learned.wouldLearn(now))
      await store.recordCorrection({ ...now, messageKey: key(message) })
    }
    assert.deepEqual(said, [true, true, false])
  })

  it("is said of the operator's word at once where it is enough, and of nothing where learning is off", async (t) => {
    const { store } = await openStore(t)
    const operators = correction({ authority: 'operator' })
    const says = async (mode: LearningMode) =>
      await (await open(t, store, mode)).learned.wouldLearn(operators)
    assert.equal(await says('operator'), true)
    assert.equal(await says('users'), false)
    assert.equal(await says('off'), false)
  })
})
