/**
 * No call of one tenant reads, changes, deletes or detects what is another's. Every method of the
 * store stands in a table here: a new one without a row fails.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsOf } from '../../../../test/words.ts'
import type { Database } from '../../store/database.ts'
import { type Store, storeOn } from '../../store/store.ts'
import type { Job } from '../../users/job.ts'
import {
  correction,
  historyEntry,
  key,
  learned,
  model,
  queueJob,
  rule,
  siteRule,
  weightedRule,
  withdrawal,
  written,
} from './samples.ts'

/** What tenant `victim` has. */
interface Victim {
  readonly feedbackId: string
  readonly keyId: string
  readonly siteRuleId: string
  readonly weightedRuleId: string
  readonly job: Job
}

const ANN = { kind: 'user', name: 'ann' } as const

/** What a call of tenant `other` gives, with the victim's users, ids and patterns as arguments. */
type Call = (store: Store, victim: Victim) => Promise<unknown>

const CALLS: Readonly<Record<string, { readonly call: Call; readonly gives: unknown }>> = {
  keysOf: { call: (store) => store.keysOf('other'), gives: [] },
  revokeKey: { call: (store, { keyId }) => store.revokeKey('other', keyId), gives: false },
  rulesOf: { call: (store) => store.rulesOf('other', 'ann'), gives: [] },
  removeRules: { call: (store) => store.removeRules(rule({ tenant: 'other' })), gives: 0 },
  addRule: {
    call: async (store) => (await store.addRule(rule({ tenant: 'other' }))).created,
    gives: true,
  },
  addSiteRule: {
    call: async (store) =>
      (await store.addSiteRule(siteRule({ tenant: 'other', label: 'ham' }))).created,
    gives: true,
  },
  removeSiteRule: {
    call: (store, { siteRuleId }) => store.removeSiteRule('other', siteRuleId),
    gives: false,
  },
  siteRules: { call: (store) => store.siteRules('other', 10), gives: [] },
  addWeightedRule: {
    call: async (store) =>
      (await store.addWeightedRule(weightedRule({ tenant: 'other', weight: 1 }))).created,
    gives: true,
  },
  removeWeightedRule: {
    call: (store, { weightedRuleId }) => store.removeWeightedRule('other', weightedRuleId),
    gives: false,
  },
  weightedRules: { call: (store) => store.weightedRules('other', 10), gives: [] },
  setRecipient: {
    call: async (store) => {
      const set = await store.setRecipient('other', { ...ANN, learning: 'on' })
      return { threshold: set?.threshold, learning: set?.learning }
    },
    gives: { threshold: undefined, learning: 'on' },
  },
  removeRecipient: { call: (store) => store.removeRecipient('other', ANN), gives: false },
  recipientSettings: { call: (store) => store.recipientSettings('other', 10), gives: [] },
  tenantProfile: {
    call: (store) => store.tenantProfile('other'),
    gives: { siteRules: [], recipients: [], weightedRules: [] },
  },
  recordCorrection: {
    call: async (store) => {
      const { feedbackId: _, ...recorded } = await store.recordCorrection(
        correction({ tenant: 'other', label: 'ham', dropsRulesFor: 'a@b' }),
      )
      return recorded
    },
    gives: { status: 'recorded' },
  },
  withdrawCorrection: {
    call: async (store) => (await store.withdrawCorrection(withdrawal({ tenant: 'other' }))).status,
    gives: 'already_recorded',
  },
  endCorrection: {
    call: (store, { feedbackId }) => store.endCorrection('other', feedbackId),
    gives: 'unknown',
  },
  activeCorrections: {
    call: (store) => store.activeCorrections('other', 'ann', 'spam', 10),
    gives: [],
  },
  correctionsOf: {
    call: (store, { feedbackId }) =>
      store.correctionsOf('other', 'ann', { kinds: ['spam'], before: feedbackId, limit: 10 }),
    gives: [],
  },
  correctedFeatures: {
    call: (store) => store.correctedFeatures('other', 'ann', 'f1', 10),
    gives: [],
  },
  correctionsInOrder: { call: (store) => store.correctionsInOrder('other', 0, 10), gives: [] },
  counts: {
    call: (store) => store.counts('other', { featureVersion: 'f', embeddingModel: 'e' }),
    gives: {
      users: 0,
      rules: 0,
      corrections: { spam: 0, tabs: 0 },
      correspondents: { written: 0, sent: 0, received: 0, heard: 0 },
      setAside: { features: 0, embeddings: 0 },
    },
  },
  countCorrections: { call: (store) => store.countCorrections('other', 1_000), gives: 0 },
  automaticRulesOf: { call: (store) => store.automaticRulesOf('other', 'ann'), gives: [] },
  dropAutomaticRule: {
    call: (store) => store.dropAutomaticRule('other', 'ann', 'a@b'),
    gives: 0,
  },
  userProfile: {
    call: (store) => store.userProfile('other', 'ann', 10),
    gives: { rules: [], automaticRules: [], spam: [], tabs: [] },
  },
  usersOf: { call: (store) => store.usersOf('other', { startsWith: '', limit: 10 }), gives: [] },
  deleteUser: {
    call: async (store) => {
      const { jobId: _, deletedAt: __, ...deleted } = await store.deleteUser('other', 'ann', 'all')
      return deleted
    },
    gives: { rules: 0, memory: 0, feedback: 0, correspondents: 0, history: 0 },
  },
  addCorrespondents: {
    call: (store) => store.addCorrespondents('other', 'ann', [written('a')]),
    gives: 1,
  },
  learnCorrespondents: {
    call: (store) => store.learnCorrespondents('other', [learned('ann', 'written', 'a')]),
    gives: 1,
  },
  correspondentKeys: {
    call: (store) => store.correspondentKeys('other', 'ann'),
    gives: { written: new Uint8Array(), sent: new Uint8Array(), received: new Uint8Array() },
  },
  correspondentsOf: { call: (store) => store.correspondentsOf('other', 'ann', 10), gives: [] },
  removeCorrespondents: {
    call: (store) => store.removeCorrespondents('other', 'ann', [written('a').key]),
    gives: 0,
  },
  addHistory: { call: (store) => store.addHistory('other', [historyEntry()]), gives: 1 },
  historyOf: { call: (store) => store.historyOf('other', {}, 10), gives: [] },
  jobById: { call: (store, { job }) => store.jobById('other', job.id), gives: undefined },
  renewJob: {
    call: (store, { job }) => store.renewJob({ ...job, tenant: 'other' }, 1),
    gives: false,
  },
  finishJob: {
    call: (store, { job }) => store.finishJob({ ...job, tenant: 'other' }),
    gives: false,
  },
  saveModel: { call: (store) => store.saveModel(model({ tenant: 'other' }), 'promoted'), gives: 1 },
  rollback: { call: (store) => store.rollback('other'), gives: undefined },
  promotedModel: { call: (store) => store.promotedModel('other'), gives: undefined },
  models: { call: (store) => store.models('other'), gives: [] },
  forgetModelsBefore: { call: (store) => store.forgetModelsBefore('other', 100), gives: 0 },
}

/** Not a tenant's: the operator's, the service's own, or what finds the tenant of a key. */
const OF_NO_TENANT = wordsOf(`
  addKey addTenant changesSince check close expireCorrections expireCorrespondents expireHistory forgetSubjects keyByHash
  keysNeeded latestChange prune scrub silentMs takeJob tell tenants waiveKeys watch
`)

export function tenantTests(open: () => Promise<Store>): void {
  describe('another tenant', () => {
    it('is kept out of every method of the store', async () => {
      const { secret: _secret, place: _place, damaged: _damaged, ...methods } = await open()
      assert.deepEqual(
        Object.keys(methods).toSorted(),
        [...Object.keys(CALLS), ...OF_NO_TENANT].toSorted(),
      )
    })

    it('does not keep a tenant from what is its own', async () => {
      const store = await open()
      await furnish(store)
      await store.addRule(rule({ tenant: 'victim', kind: 'tabs', label: 'updates' }))
      await store.recordCorrection(correction({ tenant: 'victim', kind: 'tabs', label: 'updates' }))
      const profile = await store.userProfile('victim', 'ann', 10)
      assert.deepEqual(
        [profile.rules, profile.automaticRules, profile.spam, profile.tabs].map((of) => of.length),
        [2, 1, 1, 1],
      )
    })

    it('does not write in the order of a tenant, nor out of its own', async () => {
      const orders: (string | undefined)[] = []
      const database: Database = {
        kind: 'sqlite',
        place: { at: '', owner: '', isNew: false },
        read: async () => undefined,
        write: async (tenant) => {
          orders.push(tenant)
          return { value: {}, changes: [] }
        },
        scrub: async () => true,
        check: async () => undefined,
        onCommit: () => () => {},
        close: async () => {},
      }
      const store = await storeOn(database)
      const victim = {
        feedbackId: 'f',
        keyId: 'k',
        siteRuleId: 's',
        weightedRuleId: 'w',
        job: { id: 'j' } as Job,
      }
      for (const { call } of Object.values(CALLS)) await call(store, victim)
      assert.ok(orders.length > 10)
      assert.deepEqual([...new Set(orders)], ['other'])
    })

    for (const [name, { call, gives }] of Object.entries(CALLS)) {
      it(`has nothing of it by ${name}`, async () => {
        const store = await open()
        const victim = await furnish(store)
        const before = await everythingOf(store, victim)
        assert.deepEqual(await call(store, victim), gives)
        assert.deepEqual(await everythingOf(store, victim), before)
      })
    }
  })
}

/** Gives the tenant `victim` something of everything, and makes the tenant `other`. */
async function furnish(store: Store): Promise<Victim> {
  const tenant = 'victim'
  await store.addTenant(tenant, 'Victim')
  await store.addTenant('other', 'Other')
  await queueJob(store, tenant)
  const job = (await store.takeJob(60_000))!
  await store.addRule(rule({ tenant }))
  const recorded = await store.recordCorrection(correction({ tenant, rulePattern: 'a@b' }))
  await store.addHistory(tenant, [historyEntry()])
  await store.addCorrespondents(tenant, 'ann', [written('a')])
  const keyId = await store.addKey({
    tenant,
    name: 'key',
    hash: key('hash'),
    scopes: ['admin'],
    entitlements: ['spam'],
  })
  const { rule: made } = await store.addSiteRule(siteRule({ tenant }))
  const { rule: weighted } = await store.addWeightedRule(weightedRule({ tenant }))
  await store.setRecipient(tenant, { ...ANN, threshold: 0.9, learning: 'off' })
  await store.saveModel(model({ tenant }), 'promoted')
  await store.saveModel(model({ tenant }), 'rejected')
  return {
    feedbackId: recorded.feedbackId,
    keyId,
    siteRuleId: made.id,
    weightedRuleId: weighted.id,
    job,
  }
}

async function everythingOf(store: Store, { job }: Victim): Promise<unknown> {
  return {
    keys: await store.keysOf('victim'),
    profile: await store.userProfile('victim', 'ann', 10),
    settings: await store.tenantProfile('victim'),
    log: await store.correctionsInOrder('victim', 0, 10),
    history: await store.historyOf('victim', {}, 10),
    correspondents: await store.correspondentsOf('victim', 'ann', 10),
    job: await store.jobById('victim', job.id),
    models: await store.models('victim'),
    promoted: await store.promotedModel('victim'),
  }
}
