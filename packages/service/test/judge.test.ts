import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readModels } from '../../artifact-files/artifact-files.ts'
import { policyFor } from '../../mail/verdict/policy.ts'
import { incomingFrom, judgingHere } from '../cli/judging-here.ts'
import { openEmbedding } from '../embedding/open-embedding.ts'
import { judge, verdictOf } from '../judge.ts'
import { openKnowledge } from '../known-domains.ts'
import { MessageKeys } from '../users/message-keys.ts'

const LETTER = new TextEncoder().encode(
  'From: ann@example.com\r\nSubject: Tuesday\r\n\r\nShall we meet at the station at eight?\r\n',
)

describe('judge', () => {
  it('decides by the policy that belonged to the models when the analysis began, whatever is reloaded meanwhile', async (t) => {
    const models = await readModels(undefined)
    const embedding = await openEmbedding(undefined)
    t.after(() => embedding.close())
    const settings = { spamPrior: 0.5, spamEntitled: true }
    const began = policyFor(models, { ...settings, threshold: 0.999 })
    const reloaded = policyFor(models, { ...settings, threshold: 0.000001 })
    let isReloaded = false
    const here = judgingHere({
      models,
      knowledge: await openKnowledge(undefined),
      policy: began,
      embedding,
      keys: new MessageKeys(new Uint8Array(32)),
      users: { lookUp: () => assert.fail('The question names no user') },
      taught: { leaseDeltas: () => undefined },
    })
    const service = {
      ...here,
      analyser: {
        ...here.analyser,
        analyse: async (...task: Parameters<typeof here.analyser.analyse>) => {
          isReloaded = true
          return await here.analyser.analyse(...task)
        },
      },
      get policies() {
        const forAll = isReloaded ? reloaded : began
        return { forAll, at: () => forAll, byUser: new Map(), byDomain: new Map() }
      },
    }
    const caller = {
      tenant: 'default',
      scopes: new Set<never>(),
      entitlements: new Set(['spam'] as const),
    }
    const judged = await judge(service, caller, incomingFrom(LETTER), {
      userIds: [],
      detail: false,
    })
    assert.equal(service.policies.forAll, reloaded)
    assert.equal(judged.policyFor(undefined).threshold, began.threshold)
    assert.equal(verdictOf(judged).isSpam, false)
  })
})
