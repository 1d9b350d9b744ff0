/**
 * What a tenant is served as its log grows, goes back to an earlier version, and loses a user. The
 * operator's own corrections are learned from at once, so that one is enough to be seen.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
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
import type { Store } from '../../store/store.ts'
import { withStoreAt } from '../helpers/store-at.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { correction, key } from '../store/samples.ts'

const BASE = emptyModels()

const NO_CANARY: Canary = []

const TODAY = new Date('2026-11-20T12:00:00Z')
const THREE_DAYS_BEFORE = new Date('2026-11-17T12:00:00Z')

/** Where ann has corrected a message when an earlier release drew other features. */
const OLD = 'old'

let dataDir: string
let store: Store
let learning: Learning
let learnedModels: LearnedModels
let tenants = 0

before(async () => {
  dataDir = temporaryFolder()
  await withStoreAt({ dataDir }, THREE_DAYS_BEFORE, async (then) => {
    await then.addTenant(OLD, OLD)
    const old = { featureVersion: 'older', authority: 'operator', ...message(1) } as const
    await then.recordCorrection(said(OLD, old))
  })
  store = await openStoreHere({ dataDir })
  const { worker: siblings, office: workers } = withOffice(ALONE)
  const settings = {
    store,
    base: BASE,
    canary: NO_CANARY,
    mode: 'operator',
    onError: (error: unknown) => assert.fail(String(error)),
  } as const
  const onRefused = () => assert.fail('Nothing is to be refused')
  learning = await Learning.open({ ...settings, workers, onRefused })
  learnedModels = LearnedModels.open({ ...settings, siblings })
})

after(async () => {
  await learnedModels.close()
  await learning.close()
  await store.close()
})

describe('after a rollback', { concurrency: true }, () => {
  it('a tenant stays at the version before, whatever is corrected, until it promotes', async () => {
    const { tenant, say, served, learned, versions } = await newTenant()
    await say('ann', 1)
    await learning.caughtUp(tenant)
    const first = await served()
    assert.equal(first, await learned())
    assert.equal(await learnedModels.promote(tenant), 1)
    await say('bob', 2)
    await learning.caughtUp(tenant)
    assert.notEqual(await served(), first)
    assert.equal(await learnedModels.rollback(tenant), 1)
    assert.equal(await served(), first)
    await say('cid', 3)
    await learning.caughtUp(tenant)
    assert.equal(await served(), first)
    assert.equal(await learnedModels.promote(tenant), 3)
    assert.equal(await served(), await learned())
    assert.deepEqual(await versions(), ['3 promoted', '2 rejected', '1 retired'])
  })

  it('a tenant stays without what was learned when a user is forgotten, and follows its log once it promotes', async () => {
    const { tenant, say, served, learned, versions } = await newTenant()
    await say('ann', 1)
    await learnedModels.promote(tenant)
    await say('bob', 2)
    await learnedModels.promote(tenant)
    assert.equal(await learnedModels.rollback(tenant), 1)
    await store.deleteUser(tenant, 'ann', 'all')
    await learning.rebuild(tenant)
    assert.equal(await served(), undefined)
    assert.deepEqual(await versions(), ['3 rejected'])
    await say('cid', 3)
    await learning.caughtUp(tenant)
    assert.equal(await served(), undefined)
    assert.equal(await learnedModels.promote(tenant), 4)
    assert.equal(await served(), await learned())
    assert.notEqual(await served(), undefined)
  })

  it('goes back to the shipped weights from the first version, and no further', async () => {
    const { tenant, say, served, versions } = await newTenant()
    await say('ann', 1)
    await learning.caughtUp(tenant)
    assert.equal(await learnedModels.rollback(tenant), undefined)
    assert.equal(await served(), undefined)
    assert.deepEqual(await versions(), ['1 rejected'])
    assert.equal(await learnedModels.rollback(tenant), undefined)
    assert.deepEqual(await versions(), ['1 rejected'])
  })
})

describe('when a user is forgotten', () => {
  it('a tenant that follows its log is served what it gives without that user, and no version that knew them is left', async () => {
    const { tenant, say, served, learned, versions } = await newTenant()
    await say('ann', 1)
    await say('bob', 2)
    await learnedModels.promote(tenant)
    const before = await served()
    await store.deleteUser(tenant, 'ann', 'all')
    await learning.rebuild(tenant)
    assert.notEqual(await served(), before)
    assert.equal(await served(), await learned())
    assert.deepEqual(await versions(), ['2 promoted'])
    const [version] = await learnedModels.versions(tenant)
    assert.deepEqual(version?.metrics, { corrections: 1, promotions: 1, refused: 0 })
    assert.equal(version?.learnedToSeq, (await lastOf(tenant)).seq)
  })
})

describe('corrections whose features are of another version', () => {
  it('correct nothing, are counted, and make their user known', async () => {
    const { say, served, learned } = of(OLD)
    await learning.caughtUp(OLD)
    assert.equal(await served(), undefined)
    assert.deepEqual(await learnedModels.progress(OLD), {
      mode: 'operator',
      promoted: 0,
      refused: 0,
    })
    const now = { authenticatedDomain: 'example.com', createdAt: TODAY, ...message(2) }
    const wouldLearn = (userId: string) =>
      learnedModels.wouldLearn(OLD, { ...said(OLD, { userId }), ...now })
    assert.equal(await wouldLearn('ann'), true)
    assert.equal(await wouldLearn('newcomer'), false)
    await say('bob', 2)
    await learnedModels.promote(OLD)
    const [version] = await learnedModels.versions(OLD)
    assert.deepEqual(version?.metrics, { corrections: 2, promotions: 1, refused: 0 })
    assert.equal(await served(), await learned())
  })
})

describe('a version', () => {
  it('is kept by itself after a hundred corrections of the tenant, however many others make, and ten minutes', async (t) => {
    const { tenant, say, versions } = await newTenant()
    for (let i = 0; i < 99; i++) await say('ann', i)
    await learning.caughtUp(tenant)
    assert.deepEqual(await versions(), [])
    await say('ann', 99)
    await learning.caughtUp(tenant)
    assert.deepEqual(await versions(), ['1 promoted'])
    const [version] = await learnedModels.versions(tenant)
    assert.equal(version?.learnedToSeq, (await lastOf(tenant)).seq)
    for (let i = 100; i < 200; i++) await say('ann', i)
    await learning.caughtUp(tenant)
    assert.deepEqual(await versions(), ['1 promoted'])
    passTenMinutes(t)
    await learning.caughtUp(tenant)
    assert.deepEqual(await versions(), ['2 promoted', '1 retired'])
  })

  it('is not served after a rollback though it is time to keep one', async (t) => {
    const { tenant, say, served, versions } = await newTenant()
    await say('ann', 0)
    await learning.caughtUp(tenant)
    await learnedModels.rollback(tenant)
    passTenMinutes(t)
    for (let i = 1; i <= 100; i++) await say('ann', i)
    await learning.caughtUp(tenant)
    assert.equal(await served(), undefined)
    assert.deepEqual(await versions(), ['1 rejected'])
  })
})

/** A tenant of its own, with what it is served. */
async function newTenant() {
  const tenant = `tenant-${++tenants}`
  await store.addTenant(tenant, tenant)
  return of(tenant)
}

function of(tenant: string) {
  return {
    tenant,
    /** The operator says, in the name of `userId`, that a message with one word is spam. */
    say: async (userId: string, word: number) => {
      await store.recordCorrection(
        said(tenant, { userId, authority: 'operator', ...message(word) }),
      )
    },
    /** What is added to the shipped weights, in base64; undefined for nothing. */
    served: async () => {
      await learnedModels.take(tenant)
      using lease = learnedModels.leaseDeltas(tenant, BASE.version)
      return lease && Buffer.from(encodeDeltas(lease.deltas)).toString('base64')
    },
    /** What the log gives that is learned from in one go; corrections of other features are passed over. */
    learned: async () => {
      const learner = new Learner(BASE, { mode: 'operator' }, NO_CANARY)
      for (const event of await store.correctionsInOrder(tenant, 0, 1_000)) {
        if (event.featureVersion === BASE.featureVersion) learner.learn(event)
      }
      return Buffer.from(encodeDeltas(learner.promoted())).toString('base64')
    },
    /** Newest first. */
    versions: async () =>
      (await store.models(tenant)).map(({ version, state }) => `${version} ${state}`),
  }
}

function said(tenant: string, fields: Parameters<typeof correction>[0]) {
  return correction({ tenant, featureVersion: BASE.featureVersion, ...fields })
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

async function lastOf(tenant: string) {
  return (await store.correctionsInOrder(tenant, 0, 1_000)).at(-1)!
}
