/** What lists add to a verdict, worked by hand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logit, sigmoid } from '../../models/prediction.ts'
import { decide } from '../../verdict/decide.ts'
import { type ListFinding, listTerms } from '../../verdict/list-findings.ts'
import type { Policy } from '../../verdict/policy.ts'
import { analysisOf } from './analysis.ts'

const analysis = analysisOf(0.3)

const policy: Policy = {
  threshold: 0.6,
  priorLogit: 0,
  escalation: { logitMargin: 0.1, disagreement: 0.9 },
  spamEntitled: true,
}

const alone = { senderAuthenticated: false }

function finding(list: string, ...weights: number[]): ListFinding {
  const hits = weights.map((logOdds, at) => ({
    listed: `d${at}.example`,
    meaning: 'spam',
    logOdds,
  }))
  return { list, lookups: 3, hits, failure: null }
}

describe('hits in DNS lists', () => {
  it('add the weight of each list to the log-odds of spam', () => {
    const lists = [finding('zen', 1.5), finding('dbl', 2)]
    const { spamProbability, isSpam, bypassReason } = decide(analysis, { ...alone, lists }, policy)
    assert.ok(Math.abs(spamProbability - sigmoid(logit(0.3) + 3.5)) < 1e-12)
    assert.equal(isSpam, true)
    assert.equal(bypassReason, null)
  })

  it('count once a list, by the weightiest', () => {
    assert.deepEqual(listTerms([finding('dbl', 4, 2, 1)]), [
      { kind: 'list', list: 'dbl', listed: 'd0.example', meaning: 'spam', logit: 4 },
    ])
  })

  it('count for 6 together at most, each in its share', () => {
    const terms = listTerms([finding('zen', 3), finding('dbl', 5), finding('surbl', 4)])
    assert.deepEqual(
      terms.map(({ logit: each }) => each),
      [1.5, 2.5, 2],
    )
  })

  it('change nothing, to the last bit, where no list has the message', () => {
    const failed: ListFinding = { list: 'zen', lookups: 1, hits: [], failure: 'REFUSED' }
    const verdict = decide(analysis, alone, policy)
    assert.deepEqual(decide(analysis, { ...alone, lists: [failed] }, policy), verdict)
    assert.deepEqual(decide(analysis, { ...alone, lists: [] }, policy), verdict)
  })

  it('outweigh an allow without proof of the sender where with them the models are sure', () => {
    const ruleMatches = [
      {
        id: 'r1',
        ruleType: 'Sender',
        pattern: 'a@example.com',
        source: 'explicit',
        label: 'ham',
        verified: false,
        force: 'lifts',
      },
    ] as const
    const by = (lists: ListFinding[]) =>
      decide(analysis, { ...alone, ruleMatches, lists }, policy).bypassReason
    assert.equal(by([finding('dbl', 2)]), 'user_rule')
    assert.equal(by([finding('dbl', 4)]), null)
  })
})
