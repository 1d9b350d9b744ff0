/** What weighted rules add to a verdict, worked by hand, and what those that speak against spam cannot do. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logit, sigmoid } from '../../models/logit.ts'
import type { RuleMatch } from '../../personalization/rules.ts'
import type { WeightedMatches } from '../../personalization/weighted-matches.ts'
import { decide } from '../../verdict/decide.ts'
import type { Evidence } from '../../verdict/evidence.ts'
import type { Policy } from '../../verdict/policy.ts'
import { reasonsTold } from '../../verdict/told-reasons.ts'
import { weightedTerms } from '../../verdict/weighted-terms.ts'
import { analysisOf } from './analysis.ts'

const policy: Policy = {
  threshold: 0.6,
  priorLogit: 0,
  escalation: { logitMargin: 0.1, disagreement: 0.9 },
  spamEntitled: true,
}

const alone: Evidence = { senderAuthenticated: false }
const failed: Evidence = { ...alone, sender: { result: 'failed', policy: 'none' } }

/** Rules of these weights hold. */
const holding = (...weights: number[]): WeightedMatches => ({
  holding: weights.map((weight, at) => ({ name: `RULE_${at}`, weight })),
})

const analysis = analysisOf(0.3)
const logitsOf = (matches: WeightedMatches, { sender }: Evidence = alone) =>
  weightedTerms(matches, sender).map((term) => term.logit)

const allow = (force: RuleMatch['force']): RuleMatch => ({
  id: 'r',
  ruleType: 'Sender',
  pattern: 'a@example.com',
  source: 'explicit',
  label: 'ham',
  verified: force === 'decides',
  force,
})

describe('weighted rules that hold', () => {
  it('add their weights to the log-odds of spam', () => {
    const judged = decide({ ...analysis, weighted: holding(2.5, -1) }, alone, policy)
    assert.ok(Math.abs(judged.spamProbability - sigmoid(logit(0.3) + 1.5)) < 1e-12)
    assert.deepEqual([judged.isSpam, judged.bypassReason], [true, null])
  })

  it('add up to 8 at most, either way, each in its share', () => {
    assert.deepEqual(logitsOf(holding(6, 6, 4)), [3, 3, 2])
    assert.deepEqual(logitsOf(holding(-6, -6)), [-4, -4])
    assert.deepEqual(logitsOf(holding(6, 6, -4)), [6, 6, -4])
  })

  it('change nothing, to the last bit, where none holds', () => {
    const verdict = decide(analysis, alone, policy)
    assert.deepEqual(decide({ ...analysis, weighted: holding() }, alone, policy), verdict)
  })

  it('are reasons by their names', () => {
    const [reason] = reasonsTold({ ...analysis, weighted: holding(3) }, alone, policy)
    assert.deepEqual(reason, {
      name: 'TAMIS_RULE_RULE_0',
      points: 3,
    })
  })

  it('do not decide where a rule of the user does', () => {
    const evidence = { ...alone, ruleMatches: [allow('decides')] }
    const judged = decide({ ...analysis, weighted: holding(6, 6) }, evidence, policy)
    assert.deepEqual([judged.isSpam, judged.bypassReason], [false, 'user_rule'])
  })

  it('outweigh an allow without proof of the sender where with them the models are sure', () => {
    const evidence = { ...alone, ruleMatches: [allow('lifts')] }
    const reasonOf = (...weights: number[]) =>
      decide({ ...analysis, weighted: holding(...weights) }, evidence, policy).bypassReason
    assert.deepEqual([reasonOf(), reasonOf(3), reasonOf(4)], ['user_rule', 'user_rule', null])
  })

  it('escalate a message where there was no time for all of them, and say so', () => {
    const cut = { ...analysisOf(0.01), weighted: { ...holding(), isCut: true as const } }
    assert.equal(decide(analysisOf(0.01), alone, policy).shouldEscalate, false)
    assert.equal(decide(cut, alone, policy).shouldEscalate, true)
    const names = reasonsTold(cut, alone, policy).map(({ name }) => name)
    assert.deepEqual(names, ['TAMIS_RULES_CUT'])
  })
})

describe('weighted rules against spam', () => {
  it('do not count for a program, whose other rules do', () => {
    const program: WeightedMatches = { ...holding(-6, 2), unsafe: 'ATTACHMENT_EXECUTABLE' }
    assert.deepEqual(logitsOf(program), [2])
    const spam = analysisOf(0.9)
    assert.equal(decide({ ...spam, weighted: program }, alone, policy).isSpam, true)
    assert.equal(decide({ ...spam, weighted: holding(-6) }, alone, policy).isSpam, false)
  })

  it('do not count for parts that were not read, which may be a program', () => {
    assert.deepEqual(logitsOf({ ...holding(-6), unsafe: 'UNREAD' }), [])
  })

  it('do not count where checks of the sender fail', () => {
    assert.deepEqual(logitsOf(holding(-6, 2), failed), [2])
    const spam = { ...analysisOf(0.9), weighted: holding(-6, -6) }
    assert.equal(decide(spam, failed, policy).isSpam, true)
    const unknown: Evidence = { ...alone, sender: { result: 'unknown', excuse: 'list' } }
    assert.equal(decide(spam, unknown, policy).isSpam, false)
  })

  it('leave a link in a feed, and the test text of operators, spam', () => {
    const hit = { href: 'http://example.com', feed: 'phishtank', entry: 1, expression: 'x' }
    const weighted = holding(-6, -6)
    const inFeed = decide({ ...analysis, weighted, feedHits: [hit] }, alone, policy)
    assert.deepEqual([inFeed.isSpam, inFeed.bypassReason], [true, 'phishtank_match'])
    assert.equal(decide({ ...analysis, weighted, gtubeLogit: 40 }, alone, policy).isSpam, true)
  })

  it('do not make way for an allow without proof', () => {
    const evidence = { ...alone, ruleMatches: [allow('lifts')] }
    const sure = analysisOf(0.99)
    assert.equal(decide(sure, evidence, policy).bypassReason, null)
    assert.equal(decide({ ...sure, weighted: holding(-3) }, evidence, policy).bypassReason, null)
  })
})

describe('a program from a correspondent, held for a person', () => {
  it('is spam where a rule says so', () => {
    const correspondent = {
      tie: 'written_to',
      authentication: 'pass',
      unsafe: 'ATTACHMENT_EXECUTABLE',
      logit: 0,
      isHeld: true,
    } as const
    const evidence = { ...alone, correspondent }
    const program = analysisOf(0.9)
    const held = decide(program, evidence, policy)
    assert.deepEqual([held.isSpam, held.shouldEscalate], [false, true])
    const weighted: WeightedMatches = { ...holding(2), unsafe: 'ATTACHMENT_EXECUTABLE' }
    assert.equal(decide({ ...program, weighted }, evidence, policy).isSpam, true)
  })
})
