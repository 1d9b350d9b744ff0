/** What scores of rules add to a verdict, worked by hand, and what those that speak against spam cannot do. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logit, sigmoid } from '../../models/prediction.ts'
import type { RuleScores } from '../../operator-rules/match.ts'
import type { RuleMatch } from '../../personalization/rules.ts'
import { decide } from '../../verdict/decide.ts'
import type { Evidence } from '../../verdict/evidence.ts'
import type { Policy } from '../../verdict/policy.ts'
import { scoreTerms } from '../../verdict/score-terms.ts'
import { strongestReasons } from '../../verdict/sentence.ts'
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
const holding = (...weights: number[]): RuleScores => ({
  holding: weights.map((weight, at) => ({ name: `RULE_${at}`, weight })),
})

const analysis = analysisOf(0.3)
const logitsOf = (matches: RuleScores, { sender }: Evidence = alone) =>
  scoreTerms(matches, sender).map((term) => term.logit)

const allow = (force: RuleMatch['force']): RuleMatch => ({
  id: 'r',
  ruleType: 'Sender',
  pattern: 'a@example.com',
  source: 'explicit',
  label: 'ham',
  verified: force === 'decides',
  force,
})

describe('scores', () => {
  it('add their weights to the log-odds of spam', () => {
    const judged = decide(analysis, { ...alone, scores: holding(2.5, -1) }, policy)
    assert.ok(Math.abs(judged.spamProbability - sigmoid(logit(0.3) + 1.5)) < 1e-12)
    assert.deepEqual([judged.isSpam, judged.bypassReason], [true, null])
  })

  it('add up to 8 at most, either way, each in its share', () => {
    assert.deepEqual(logitsOf(holding(6, 6, 4)), [3, 3, 2])
    assert.deepEqual(logitsOf(holding(-6, -6)), [-4, -4])
    assert.deepEqual(logitsOf(holding(6, 6, -4)), [6, 6, -4])
  })

  it('outweigh an allow without proof of the sender where with them the models are sure', () => {
    const evidence = { ...alone, ruleMatches: [allow('lifts')] }
    const reasonOf = (...weights: number[]) =>
      decide(analysis, { ...evidence, scores: holding(...weights) }, policy).bypassReason
    assert.deepEqual([reasonOf(), reasonOf(3), reasonOf(4)], ['user_rule', 'user_rule', null])
  })

  it('escalate a message where there was no time for all of them, and say so', () => {
    const cut = { ...alone, scores: { ...holding(), isCut: true as const } }
    assert.equal(decide(analysisOf(0.01), alone, policy).shouldEscalate, false)
    assert.equal(decide(analysisOf(0.01), cut, policy).shouldEscalate, true)
    const names = strongestReasons(analysisOf(0.01), cut, policy).map(({ name }) => name)
    assert.deepEqual(names, ['TAMIS_RULES_CUT'])
  })
})

describe('scores against spam', () => {
  it('do not count for a program, whose other rules do', () => {
    const program: RuleScores = { ...holding(-6, 2), unsafe: 'ATTACHMENT_EXECUTABLE' }
    assert.deepEqual(logitsOf(program), [2])
    const spam = analysisOf(0.9)
    assert.equal(decide(spam, { ...alone, scores: program }, policy).isSpam, true)
    assert.equal(decide(spam, { ...alone, scores: holding(-6) }, policy).isSpam, false)
  })

  it('do not count where checks of the sender fail', () => {
    assert.deepEqual(logitsOf(holding(-6, 2), failed), [2])
    const scores = holding(-6, -6)
    const spam = analysisOf(0.9)
    assert.equal(decide(spam, { ...failed, scores }, policy).isSpam, true)
    const unknown: Evidence = { ...alone, sender: { result: 'unknown', excuse: 'list' } }
    assert.equal(decide(spam, { ...unknown, scores }, policy).isSpam, false)
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
    const scores: RuleScores = { ...holding(2), unsafe: 'ATTACHMENT_EXECUTABLE' }
    assert.equal(decide(program, { ...evidence, scores }, policy).isSpam, true)
  })
})
