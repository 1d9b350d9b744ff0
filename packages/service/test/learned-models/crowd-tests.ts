/**
 * What is learned from a crowd, on both databases: learned from the log in order, refused where it
 * makes the canary set worse, and without a user who leaves, every limit and refusal included.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { readCanary, readModels } from '../../../artifact-files/artifact-files.ts'
import { encodeDeltas } from '../../../mail/learning/deltas.ts'
import { Learner } from '../../../mail/learning/learn.ts'
import { MALICIOUS_USERS, poisonedCanary } from '../../../mail/test/learning/poisoned-canary.ts'
import { Learning } from '../../learned-models/learning.ts'
import type { StoreSettings } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import { withStoreAt } from '../helpers/store-at.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { correction, key } from '../store/samples.ts'

/** Says what many others say, so that others' steps are taken at other times without them. */
const LEAVER = 'attacker 40'

const TODAY = new Date('2026-11-20T12:00:00Z')
const THREE_DAYS_BEFORE = new Date('2026-11-17T12:00:00Z')

const base = await readModels()
const canary = await readCanary(base)

export function crowdTests(name: string, place: StoreSettings): void {
  describe(`${name}: models learned by a crowd`, () => {
    it('are, bit for bit, what the log gives, and without a user what it gives without them', async (t) => {
      await excuse(place)
      const { store, learning, warnings } = await open(t, place)
      await learning.look()
      const first = await served(store)
      assert.deepEqual(first, await learnedFrom(store))
      assert.ok(first.promoted > 0 && first.refused > 0, `${first.promoted} ${first.refused}`)
      assert.deepEqual(warnings, [{ refused: first.refused }])

      const { jobId } = await store.deleteUser(LEAVER, 'all')
      await learning.look()
      await learning.look()
      assert.ok((await store.jobById(jobId))?.finishedAt)
      const second = await served(store)
      assert.deepEqual(second, await learnedFrom(store))
      assert.notDeepEqual(second.deltas, first.deltas)
      assert.equal((await store.models()).length, 1)
    })
  })
}

/** A hundred users, heard of three days before, call doubtful spam of the canary set ham. */
async function excuse(place: StoreSettings): Promise<void> {
  const { lies } = await poisonedCanary(base)
  await withStoreAt(place, THREE_DAYS_BEFORE, async (store) => {
    for (let i = 0; i < MALICIOUS_USERS; i++) {
      await store.recordCorrection(correction({ userId: `attacker ${i}` }))
    }
  })
  await withStoreAt(place, TODAY, async (store) => {
    for (const { userId, feedbackId, domainKey, features } of lies) {
      const messageKey = key(feedbackId)
      const more = { domainKey, messageKey, features, authenticatedDomain: 'example.com' }
      await store.recordCorrection(
        correction({ userId, label: 'ham', featureVersion: base.featureVersion, ...more }),
      )
    }
  })
}

async function open(t: TestContext, place: StoreSettings) {
  const store = await openStoreHere(place)
  const warnings: object[] = []
  const learning = await Learning.open({
    ...{ store, base, canary },
    mode: 'users',
    onError: (error) => assert.fail(String(error)),
    log: { warn: (fields) => warnings.push(fields) },
  })
  t.after(async () => {
    await learning.close()
    await store.close()
  })
  return { store, learning, warnings }
}

async function served(store: Store) {
  const { deltas } = (await store.promotedModel())!
  const { promoted, refused } = (await store.learningState(1)).last!
  return { deltas: Buffer.from(deltas).toString('base64'), promoted, refused }
}

async function learnedFrom(store: Store) {
  const learner = new Learner(base, canary, { mode: 'users' })
  for (const event of await store.correctionsInOrder(0, 10_000)) learner.take(event)
  const { deltas, promoted, refused } = learner.learned()
  return { deltas: Buffer.from(encodeDeltas(deltas)).toString('base64'), promoted, refused }
}
