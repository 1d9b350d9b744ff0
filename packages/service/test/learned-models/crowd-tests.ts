/**
 * What is learned from a crowd, on both databases: learned from the log in order, refused where it
 * makes the canary set worse, and rebuilt without a user who leaves, every limit and refusal included.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { readCanary, readModels } from '../../../artifact-files/artifact-files.ts'
import { encodeDeltas } from '../../../mail/learning/deltas.ts'
import { Learner } from '../../../mail/learning/learner.ts'
import { MALICIOUS_USERS, poisonedCanary } from '../../../mail/test/learning/poisoned-canary.ts'
import { Learning } from '../../learned-models/learning.ts'
import { ALONE } from '../../siblings/siblings.ts'
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
      const { store, learned, refusals } = await open(t, place)
      await learned.caughtUp()
      const first = await servedNow(store, learned)
      assert.deepEqual(first, await learnedFrom(store))
      assert.ok(first.promoted > 0 && first.refused > 0, `${first.promoted} ${first.refused}`)
      assert.equal(refusals(), first.refused)

      await store.deleteUser(LEAVER, 'all')
      await learned.rebuild()
      const second = await servedNow(store, learned)
      assert.deepEqual(second, await learnedFrom(store))
      assert.notDeepEqual(second.deltas, first.deltas)
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
  let refused = 0
  const learned = await Learning.open({
    store,
    base,
    canary,
    mode: 'users',
    onError: (error) => assert.fail(String(error)),
    onRefused: (more) => {
      refused += more
    },
    workers: ALONE,
  })
  t.after(async () => {
    await learned.close()
    await store.close()
  })
  return { store, learned, refusals: () => refused }
}

interface Corrected {
  readonly deltas: string
  readonly promoted: number
  readonly refused: number
}

async function servedNow(store: Store, learned: Learning): Promise<Corrected> {
  await learned.promote()
  const { deltas } = (await store.promotedModel())!
  const { promoted, refused } = learned.progress()
  return { deltas: Buffer.from(deltas).toString('base64'), promoted, refused }
}

/** Of corrections of these features; of the others their users are known. */
async function learnedFrom(store: Store): Promise<Corrected> {
  const learner = new Learner(base, { mode: 'users' }, canary)
  for (const event of await store.correctionsInOrder(0, 10_000)) learner.learn(event)
  const deltas = Buffer.from(encodeDeltas(learner.promoted())).toString('base64')
  return { deltas, ...learner.promotions }
}
