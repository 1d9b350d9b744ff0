/**
 * When the learning job is done, and what is in use then. The operator's own corrections are taken without the agreement of
 * others, so that one is enough to be seen.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { encodeEventFeatures } from '../../../mail/features/event-features.ts'
import { encodeDeltas } from '../../../mail/learning/deltas.ts'
import { Learner, type LearningMode } from '../../../mail/learning/learn.ts'
import { emptyModels } from '../../../mail/models/models.ts'
import { NO_META, words } from '../../../mail/test/learning/corrections.ts'
import { LearnedModels } from '../../learned-models/learned-models.ts'
import { Learning } from '../../learned-models/learning.ts'
import type { Store } from '../../store/store.ts'
import { withStoreAt } from '../helpers/store-at.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { correction, key, rule } from '../store/samples.ts'

const BASE = emptyModels()

const HOUR_MS = 60 * 60_000

describe('the learning job', () => {
  it('is done with the first correction, then after a hundred', async (t) => {
    const { store, learning, say, versions } = await open(t)
    await learning.look()
    assert.equal((await store.learningState(1)).last, undefined)
    await say('ann', 0)
    await learning.look()
    assert.deepEqual(await versions(), ['1 promoted'])
    for (let i = 1; i < 100; i++) await say('ann', i)
    await learning.look()
    assert.deepEqual(await versions(), ['1 promoted'])
    await say('ann', 100)
    await eventually(async () => {
      await learning.look()
      return (await versions()).join() === '2 promoted,1 retired'
    })
    const { seq } = (await store.correctionsInOrder(0, 1_000)).at(-1)!
    const [version] = await store.models()
    assert.equal(version?.learnedToSeq, seq)
    assert.deepEqual(version?.metrics, { corrections: 101, promotions: 101, refused: 0 })
  })

  it('is done after six hours, for one new correction as for one withdrawn, and keeps no version of the same', async (t) => {
    const { store, dataDir, learning: present, say, versions } = await open(t)
    await present.close()
    const hoursBefore = (hours: number) =>
      withStoreAt({ dataDir }, new Date(Date.now() - hours * HOUR_MS), async (then) => {
        const learning = await startLearning(t, then)
        await learning.look()
        await learning.close()
      })
    await say('ann', 1)
    await hoursBefore(19)
    await say('bob', 2)
    await hoursBefore(13)
    assert.deepEqual(await versions(), ['2 promoted', '1 retired'])
    await hoursBefore(7)
    assert.deepEqual(await versions(), ['2 promoted', '1 retired'])
    await store.withdrawCorrection({ ...said('bob', 2), kind: 'spam' })
    await hoursBefore(1)
    assert.deepEqual(await versions(), ['3 promoted', '2 retired', '1 retired'])
    await say('cid', 3)
    await hoursBefore(0.5)
    assert.equal((await versions()).length, 3)
  })

  it('is done again where it is to learn otherwise than it did', async (t) => {
    const { store, learning, say, served } = await open(t)
    await say('ann', 1)
    await learning.look()
    assert.notEqual(await served(), undefined)
    await learning.close()
    await (await startLearning(t, store, 'users')).look()
    assert.deepEqual((await store.learningState(1)).last?.promoted, 0)
  })

  it('is done by one service at a time, and by another where that one has ended', async (t) => {
    const { store, learning, say, versions } = await open(t)
    await say('ann', 1)
    const lease = (await store.takeLearning(60_000))!
    assert.equal(await store.takeLearning(60_000), undefined)
    await learning.look()
    assert.deepEqual(await versions(), [])
    await store.renewLearning(lease, 0)
    await learning.look()
    assert.deepEqual(await versions(), ['1 promoted'])
    const lost = (await store.takeLearning(0))!
    await store.takeLearning(60_000)
    assert.equal(await store.saveLearned(lost, { forgotten: [] } as never), undefined)
    assert.deepEqual(await versions(), ['1 promoted'])
  })

  it('passes over corrections whose features are of another version', async (t) => {
    const { store, learning, served } = await open(t)
    await store.recordCorrection({ ...said('ann', 1), featureVersion: 'older' })
    await learning.look()
    assert.equal(await served(), undefined)
    const { last } = await store.learningState(1)
    assert.deepEqual([last?.promoted, last?.learnedToSeq], [0, 1])
  })

  it('reports that it failed, and is done again', async (t) => {
    const { store, say, versions } = await open(t)
    await say('ann', 1)
    const failure = new Error('The store is not available')
    const failures: unknown[] = [failure]
    const failing: Store = {
      ...store,
      correctionsInOrder: async (...page) => {
        const error = failures.pop()
        if (error !== undefined) throw error
        return await store.correctionsInOrder(...page)
      },
    }
    const errors: unknown[] = []
    const learning = await startLearning(t, failing, 'operator', (error) => errors.push(error))
    await learning.look()
    assert.deepEqual(errors, [failure])
    await learning.look()
    assert.deepEqual(await versions(), ['1 promoted'])
  })
})

describe('the job of a deletion', () => {
  it('is done once the models are learned without the user and the files are overwritten, once for all', async (t) => {
    const { store, learning: present, say, versions } = await open(t)
    await say('ann', 1)
    await present.look()
    await present.close()
    await store.addRule(rule({ userId: 'bob' }))
    const jobs = [await store.deleteUser('ann', 'all'), await store.deleteUser('bob', 'all')]
    const { scrubbing, steps } = scrubsOf(store)
    const learning = await startLearning(t, scrubbing)
    await learning.look()
    assert.deepEqual(steps, [])
    await learning.look()
    assert.deepEqual(steps, ['overwrite', 'empty log'])
    for (const { jobId } of jobs) assert.ok((await store.jobById(jobId))?.finishedAt)
    assert.deepEqual(await versions(), ['2 promoted'])
  })

  it('is not done while a reader holds the log, and to empty that alone is tried ever less often', async (t) => {
    const { store, learning: present } = await open(t)
    await present.close()
    let passedMs = 0
    t.mock.method(performance, 'now', () => 1_000 + passedMs)
    const { scrubbing, steps } = scrubsOf(store, [true, ...Array(8).fill(false)])
    const warnings: object[] = []
    const learning = await startLearning(t, scrubbing, 'operator', undefined, (warning) =>
      warnings.push(warning),
    )
    await store.addRule(rule({ userId: 'bob' }))
    const { jobId } = await store.deleteUser('bob', 'all')
    const tries: number[] = []
    for (let second = 0; second <= 1_000; second++) {
      const before = steps.length
      await learning.look()
      if (steps.length > before) tries.push(second)
      passedMs += 1_000
    }
    assert.deepEqual(tries, [0, 5, 15, 35, 75, 155, 315, 615, 915])
    assert.deepEqual(steps, ['overwrite', ...Array(9).fill('empty log')])
    assert.ok((await store.jobById(jobId))?.finishedAt)
    assert.deepEqual(warnings, [{ deletions: 1 }])
  })
})

/** `store`, which notes the steps of scrubbing and gives `results` for them, then true. */
function scrubsOf(store: Store, results: boolean[] = []) {
  const steps: string[] = []
  const scrub: Store['scrub'] = async (step) => {
    steps.push(step)
    return results.shift() ?? true
  }
  return { steps, scrubbing: { ...store, scrub } }
}

describe('after a rollback', () => {
  it('the version before stays, whatever is corrected, until another is promoted', async (t) => {
    const { learning, learnedModels, say, served, learned, relearn, versions } = await open(t)
    await say('ann', 1)
    await learning.look()
    const first = await served()
    assert.equal(first, await learned())
    await say('bob', 2)
    await relearn()
    assert.notEqual(await served(), first)
    assert.equal(await learnedModels.rollback(), 1)
    assert.equal(await served(), first)
    await say('cid', 3)
    await relearn()
    assert.equal(await served(), first)
    assert.equal(await learnedModels.promote(), 3)
    assert.equal(await served(), await learned())
    assert.deepEqual(await versions(), ['3 promoted', '2 rejected', '1 retired'])
    await say('dan', 4)
    await relearn()
    assert.equal(await served(), await learned())
  })

  it('nothing is in use when a user is forgotten from whom the version was learned', async (t) => {
    const { store, learnedModels, say, served, learned, relearn, versions } = await open(t)
    await say('ann', 1)
    await relearn()
    await say('bob', 2)
    await relearn()
    assert.equal(await learnedModels.rollback(), 1)
    await store.deleteUser('ann', 'all')
    await relearn()
    assert.equal(await served(), undefined)
    assert.deepEqual(await versions(), ['3 rejected'])
    assert.equal(await learnedModels.promote(), 3)
    assert.equal(await served(), await learned())
  })
})

async function startLearning(
  t: TestContext,
  store: Store,
  mode: LearningMode = 'operator',
  onError: (error: unknown) => void = (error) => assert.fail(String(error)),
  warn: (fields: object) => void = () => assert.fail('Nothing is to be refused'),
) {
  const log = { warn }
  const learning = await Learning.open({ store, base: BASE, canary: [], mode, onError, log })
  t.after(() => learning.close())
  return learning
}

/** A store of the test's own, with what is in use. */
async function open(t: TestContext) {
  const dataDir = temporaryFolder()
  const store = await openStoreHere({ dataDir })
  t.after(() => store.close())
  const learning = await startLearning(t, store)
  const learnedModels = await LearnedModels.open({
    ...{ store, base: BASE, canary: [] },
    mode: 'operator',
    onError: (error) => assert.fail(String(error)),
  })
  t.after(() => learnedModels.close())
  return {
    ...{ store, dataDir, learning, learnedModels },
    /** The operator says, in the name of `userId`, that a message with one word is spam. */
    say: (userId: string, word: number) => store.recordCorrection(said(userId, word)),
    relearn: async () => {
      // A look in progress may have begun before.
      await learning.look()
      await store.queueLearning()
      await learning.look()
    },
    /** What is added to the shipped weights, in base64; undefined for nothing. */
    served: async () => {
      await learnedModels.take()
      const { deltas } = learnedModels
      return deltas && Buffer.from(encodeDeltas(deltas)).toString('base64')
    },
    /** What the log gives. */
    learned: async () => {
      const learner = new Learner(BASE, [], { mode: 'operator' })
      for (const event of await store.correctionsInOrder(0, 1_000)) learner.take(event)
      return Buffer.from(encodeDeltas(learner.learned().deltas)).toString('base64')
    },
    /** Newest first. */
    versions: async () => (await store.models()).map(({ version, state }) => `${version} ${state}`),
  }
}

function said(userId: string, word: number) {
  return correction({
    userId,
    authority: 'operator',
    featureVersion: BASE.featureVersion,
    messageKey: key(`m${word}`),
    features: encodeEventFeatures(words(word), NO_META),
  })
}
