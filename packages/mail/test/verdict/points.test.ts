/** The scale of other filters: where the threshold lies on it, and that reasons add up. Worked by hand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logit, sigmoid } from '../../models/prediction.ts'
import type { Explanation } from '../../verdict/diagnostic.ts'
import { pointsOf, reasonsOf } from '../../verdict/points.ts'
import type { DescribedReason } from '../../verdict/reasons.ts'

const THRESHOLD = 0.9

/** The verdict of the models for a message of this probability. */
function verdict(spamProbability: number, threshold = THRESHOLD) {
  return {
    isSpam: spamProbability > threshold,
    spamProbability,
    confidenceMargin: Math.abs(spamProbability - threshold),
    classification: 'updates' as const,
    shouldEscalate: false,
    bypassReason: null,
  }
}

describe('pointsOf', () => {
  it('gives a point for each unit of log-odds from the threshold, which is at 5', () => {
    const thresholdLogit = logit(THRESHOLD)
    assert.equal(pointsOf(verdict(sigmoid(thresholdLogit + 3))), 8)
    assert.equal(pointsOf(verdict(sigmoid(thresholdLogit - 3))), 2)
    assert.equal(pointsOf(verdict(sigmoid(thresholdLogit - 9))), -4)
  })

  it('never rounds a message over to the other side', () => {
    assert.equal(pointsOf(verdict(THRESHOLD + 1e-12)), 5)
    assert.equal(pointsOf(verdict(THRESHOLD - 1e-12)), 4.9)
  })

  it('ends at 25 and -15, where a rule is certain', () => {
    assert.equal(pointsOf(verdict(1)), 25)
    assert.equal(pointsOf(verdict(0)), -15)
  })
})

/** Terms that add up to the logit of 0.95: 2.944. */
const explanation: Explanation = {
  sentence: { verdict: 'Probably spam', reasons: 'its wording is typical of spam' },
  sender: 'unchecked',
  logit: logit(0.95),
  probability: 0.95,
  threshold: THRESHOLD,
  signals: [
    { name: 'DATE_MISSING' },
    { name: 'MESSAGE_ID_MISSING', evidence: 'none' },
  ] as Explanation['signals'],
  for: [
    {
      kind: 'wording',
      logit: 1.5,
      count: 3,
      words: [
        { span: { view: 'message', kind: 'word', text: 'prize' }, logit: 2 },
        { span: { view: 'message', kind: 'word', text: 'lake' }, logit: -0.5 },
        { span: { view: 'subject', kind: 'word', text: 'winner' }, logit: 0.3 },
      ],
    },
    { kind: 'meta', name: 'DATE_MISSING', value: 1, logit: 1.5 },
    { kind: 'meta', name: 'links', value: 3, logit: 0.25 },
  ],
  against: [
    { kind: 'baseline', logit: logit(0.95) - 3.5 },
    { kind: 'rest', count: 40, logit: 0.25 },
  ],
}

function sumOf(reasons: readonly DescribedReason[]): number {
  return reasons.reduce((sum, { points }) => sum + points, 0)
}

function assertNear(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs(actual! - expected) < 1e-9, `${actual} is not ${expected}`)
}

describe('reasonsOf', () => {
  const reasons = reasonsOf(verdict(0.95), explanation)
  const named = (name: string) => reasons.find((reason) => reason.name === name)

  it('adds up to the score', () => {
    assertNear(sumOf(reasons), pointsOf(verdict(0.95)))
    assert.equal(pointsOf(verdict(0.95)), 5.7)
  })

  it('gives a signal its own points and description', () => {
    assert.deepEqual(named('DATE_MISSING'), {
      name: 'DATE_MISSING',
      points: 1.5,
      description: 'There is no date.',
    })
  })

  it('has the words in one, with the strongest that speak as it does as evidence', () => {
    assert.deepEqual(named('TAMIS_TEXT'), {
      name: 'TAMIS_TEXT',
      points: 1.5,
      description: 'The wording.',
      evidence: 'prize, winner',
    })
  })

  it('gives a rule of the recipient the points between the models and the score', () => {
    const ruled = { ...verdict(0), bypassReason: 'user_rule' as const }
    const withRule = reasonsOf(ruled, explanation)
    assertNear(sumOf(withRule), -15)
    assert.equal(withRule[0]?.name, 'TAMIS_USER_RULE')
    assertNear(withRule[0]?.points, -15 - (5 + logit(0.95) - logit(THRESHOLD)))
  })

  it('says that only a part was read, for no points', () => {
    const partly = { ...verdict(0.95), bypassReason: 'parse_error' as const, shouldEscalate: true }
    const both = reasonsOf(partly, explanation)
    assertNear(sumOf(both), 5.7)
    for (const name of ['TAMIS_PARTLY_READ', 'TAMIS_REVIEW']) {
      assert.equal(both.find((reason) => reason.name === name)?.points, 0)
    }
  })

  it('has the class and one reason for the rest under a licence without spam detection', () => {
    const names = reasonsOf(verdict(0), null).map(({ name }) => name)
    assert.deepEqual(names, ['TAMIS_BASE', 'TAMIS_CLASS_UPDATES'])
  })
})
