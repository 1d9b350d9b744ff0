/**
 * What is served as the log grows, goes back to an earlier version, and loses a user. The
 * operator's own corrections are learned from at once, so that one is enough to be seen.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { encodeEventFeatures } from '../../../mail/features/event-features.ts'
import { encodeDeltas } from '../../../mail/learning/deltas.ts'
import { emptyModels } from '../../../mail/learning/empty-models.ts'
import { Learner } from '../../../mail/learning/learner.ts'
import type { Canary } from '../../../mail/models/canary.ts'
import { NO_META, words } from '../../../mail/test/learning/corrections.ts'
import { LearnedModels } from '../../learned-models/learned-models.ts'
import { Learning } from '../../learned-models/learning.ts'
import { ALONE, withOffice } from '../../siblings/siblings.ts'
import { withStoreAt } from '../helpers/store-at.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { correction, key } from '../store/samples.ts'

const BASE = emptyModels()

const NO_CANARY: Canary = []

const TODAY = new Date('2026-11-20T12:00:00Z')
const THREE_DAYS_BEFORE = new Date('2026-11-17T12:00:00Z')

describe('after a rollback', { concurrency: true }, () => {
  it('stays at the version before, whatever is corrected, until it promotes', async (t) => {
    const { learning, learnedModels, say, served, learned, versions } = await open(t)
    await say('ann', 1)
    await learning.caughtUp()
    const first = await served()
    assert.equal(first, await learned())
    assert.equal(await learnedModels.promote(), 1)
    await say('bob', 2)
    await learning.caughtUp()
    assert.notEqual(await served(), first)
    assert.equal(await learnedModels.rollback(), 1)
    assert.equal(await served(), first)
    await say('cid', 3)
    await learning.caughtUp()
    assert.equal(await served(), first)
    assert.equal(await learnedModels.promote(), 3)
    assert.equal(await served(), await learned())
    assert.deepEqual(await versions(), ['3 promoted', '2 rejected', '1 retired'])
  })

  it('stays without what was learned when a user is forgotten, and follows its log once it promotes', async (t) => {
    const { store, learning, learnedModels, say, served, learned, versions } = await open(t)
    await say('ann', 1)
    await learnedModels.promote()
    await say('bob', 2)
    await learnedModels.promote()
    assert.equal(await learnedModels.rollback(), 1)
    await store.deleteUser('ann', 'all')
    await learning.rebuild()
    assert.equal(await served(), undefined)
    assert.deepEqual(await versions(), ['3 rejected'])
    await say('cid', 3)
    await learning.caughtUp()
    assert.equal(await served(), undefined)
    assert.equal(await learnedModels.promote(), 4)
    assert.equal(await served(), await learned())
    assert.notEqual(await served(), undefined)
  })
})

describe('when a user is forgotten', () => {
  it('a service that follows its log is served what it gives without that user, and no version that knew them is left', async (t) => {
    const { store, learning, learnedModels, last, say, served, learned, versions } = await open(t)
    await say('ann', 1)
    await say('bob', 2)
    await learnedModels.promote()
    const before = await served()
    await store.deleteUser('ann', 'all')
    await learning.rebuild()
    assert.notEqual(await served(), before)
    assert.equal(await served(), await learned())
    assert.deepEqual(await versions(), ['2 promoted'])
    const [version] = await learnedModels.versions()
    assert.deepEqual(version?.metrics, { corrections: 1, promotions: 1, refused: 0 })
    assert.equal(version?.learnedToSeq, (await last()).seq)
  })
})

describe('corrections whose features are of another version', () => {
  it('correct nothing, are counted, and make their user known', async (t) => {
    const { learning, learnedModels, say, served, learned } = await open(t, true)
    await learning.caughtUp()
    assert.equal(await served(), undefined)
    assert.deepEqual(await learnedModels.progress(), {
      mode: 'operator',
      promoted: 0,
      refused: 0,
    })
    const now = { authenticatedDomain: 'example.com', createdAt: TODAY, ...message(2) }
    const wouldLearn = (userId: string) => learnedModels.wouldLearn({ ...said({ userId }), ...now })
    assert.equal(await wouldLearn('ann'), true)
    assert.equal(await wouldLearn('newcomer'), false)
    await say('bob', 2)
    await learnedModels.promote()
    const [version] = await learnedModels.versions()
    assert.deepEqual(version?.metrics, { corrections: 2, promotions: 1, refused: 0 })
    assert.equal(await served(), await learned())
  })
})

describe('a version', () => {
  it('is kept by itself after a hundred corrections and ten minutes', async (t) => {
    const { learning, learnedModels, last, say, versions } = await open(t)
    for (let i = 0; i < 99; i++) await say('ann', i)
    await learning.caughtUp()
    assert.deepEqual(await versions(), [])
    await say('ann', 99)
    await learning.caughtUp()
    assert.deepEqual(await versions(), ['1 promoted'])
    const [version] = await learnedModels.versions()
    assert.equal(version?.learnedToSeq, (await last()).seq)
    for (let i = 100; i < 200; i++) await say('ann', i)
    await learning.caughtUp()
    assert.deepEqual(await versions(), ['1 promoted'])
    passTenMinutes(t)
    await learning.caughtUp()
    assert.deepEqual(await versions(), ['2 promoted', '1 retired'])
  })
})

/**
 * A store of the test's own, with what it is served.
 *
 * @param old whether ann has corrected a message when an earlier release drew other features.
 */
async function open(t: TestContext, old = false) {
  const dataDir = temporaryFolder()
  if (old) {
    await withStoreAt({ dataDir }, THREE_DAYS_BEFORE, async (then) => {
      const fields = { featureVersion: 'older', authority: 'operator', ...message(1) } as const
      await then.recordCorrection(correction(fields))
    })
  }
  const store = await openStoreHere({ dataDir })
  const { worker: siblings, office: workers } = withOffice(ALONE)
  const settings = {
    store,
    base: BASE,
    canary: NO_CANARY,
    mode: 'operator',
    onError: (error: unknown) => assert.fail(String(error)),
  } as const
  const onRefused = () => assert.fail('Nothing is to be refused')
  const learning = await Learning.open({ ...settings, workers, onRefused })
  const learnedModels = LearnedModels.open({ ...settings, siblings })
  t.after(async () => {
    await learnedModels.close()
    await learning.close()
    await store.close()
  })
  return {
    store,
    learning,
    learnedModels,
    /** The operator says, in the name of `userId`, that a message with one word is spam. */
    say: async (userId: string, word: number) => {
      await store.recordCorrection(said({ userId, authority: 'operator', ...message(word) }))
    },
    /** What is added to the shipped weights, in base64; undefined for nothing. */
    served: async () => {
      await learnedModels.take()
      using lease = learnedModels.leaseDeltas(BASE.version)
      return lease && Buffer.from(encodeDeltas(lease.deltas)).toString('base64')
    },
    /** What the log gives that is learned from in one go; corrections of other features are passed over. */
    learned: async () => {
      const learner = new Learner(BASE, { mode: 'operator' }, NO_CANARY)
      for (const event of await store.correctionsInOrder(0, 1_000)) {
        if (event.featureVersion === BASE.featureVersion) learner.learn(event)
      }
      return Buffer.from(encodeDeltas(learner.promoted())).toString('base64')
    },
    /** Newest first. */
    versions: async () => (await store.models()).map(({ version, state }) => `${version} ${state}`),
    last: async () => (await store.correctionsInOrder(0, 1_000)).at(-1)!,
  }
}

function said(fields: Parameters<typeof correction>[0]) {
  return correction({ featureVersion: BASE.featureVersion, ...fields })
}

function message(word: number) {
  return {
    messageKey: key(`m${word}`),
    features: encodeEventFeatures(words(word), NO_META),
  }
}

/** From now on it is ten minutes later. */
function passTenMinutes(t: TestContext): void {
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + 10 * 60_000)
}
