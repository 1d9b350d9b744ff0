/** Worked by hand: an analysis with known logits, one piece of evidence after the other. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RuleMatch } from '../../personalization/rules.ts'
import type { Analysis } from '../../verdict/analysis.ts'
import { decide, decideClass } from '../../verdict/decide.ts'
import type { Evidence } from '../../verdict/evidence.ts'
import type { Policy } from '../../verdict/policy.ts'
import { analysisOf, prediction } from './analysis.ts'

const analysis = analysisOf(0.8, {
  text: prediction(0.9),
  meta: prediction(0.7),
})

const policy: Policy = {
  threshold: 0.6,
  priorLogit: 0,
  escalation: { logitMargin: 0.5, disagreement: 0.4 },
  spamEntitled: true,
}

const alone: Evidence = { senderAuthenticated: false }
const feedHits = [
  { href: 'http://example.com', feed: 'phishtank', entry: 1, expression: 'example.com/' },
]
const decidedBy = { feedbackId: '1', label: 'spam', createdAt: new Date(0), similarity: 0.9 }

const rule = (label: 'spam' | 'ham', more: Partial<RuleMatch> = {}): RuleMatch => ({
  id: 'r1',
  ruleType: 'Sender',
  pattern: 'a@example.com',
  source: 'explicit',
  label,
  verified: false,
  force: 'decides',
  ...more,
})

/** What the memory says. */
function vote(label: 'spam' | 'ham', spamShare: number, sameMessage = false): Partial<Evidence> {
  return { memoryVote: { label, spamShare, sameMessage, force: 'decides', decidedBy } }
}

function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`)
}

describe('decide by the models', () => {
  const verdict = decide(analysis, alone, policy)

  it('gives margin, entropy and disagreement as the interface defines them', () => {
    const { isSpam, bypassReason, shouldEscalate, classification, ...numbers } = verdict
    assert.deepEqual(
      [isSpam, bypassReason, shouldEscalate, classification],
      [true, null, false, 'promotions'],
    )
    assertNear(numbers.spamProbability, 0.8)
    assertNear(numbers.confidenceMargin, 0.2)
    assertNear(numbers.entropy, 0.7219280948873623)
    assertNear(numbers.disagreement, 0.2)
    assertNear(numbers.textSpamScore, 0.9)
    assertNear(numbers.metaSpamScore, 0.7)
  })

  // biome-ignore format: a row each
  const cases: [what: string, message: Partial<Analysis>, threshold: number, isSpam: boolean, escalates: boolean, reason?: string][] = [
    ['is spam above the threshold alone', {}, 0.81, false, true],
    ['escalates what is a little below the threshold', {}, 0.85, false, true],
    ['escalates nothing that is far below', {}, 0.9, false, false],
    ['escalates where the two models are far apart', { meta: prediction(0.49) }, 0.6, true, true],
    ['escalates no spam where text was left unread', { textUnread: true }, 0.6, true, false],
    ['escalates what is taken for good where text was left unread', { textUnread: true }, 0.95, false, true],
    ['says where a limit stopped the reading, and escalates', { limitsReached: ['PARTS'] }, 0.6, true, true, 'parse_error'],
    ['says where nothing of the body was read', { bodyUnread: true }, 0.6, true, true, 'parse_error'],
  ]
  for (const [what, message, threshold, isSpam, escalates, reason = null] of cases) {
    it(what, () => {
      const found = decide({ ...analysis, ...message }, alone, { ...policy, threshold })
      assert.deepEqual(
        [found.isSpam, found.shouldEscalate, found.bypassReason],
        [isSpam, escalates, reason],
      )
    })
  }
})

describe('decide by precedence', () => {
  type Known = Partial<Evidence> & Partial<Pick<Analysis, 'feedHits'>>
  const allow = (ruleType: RuleMatch['ruleType'], more: Partial<RuleMatch> = {}): Known => ({
    feedHits,
    ruleMatches: [rule('ham', { ruleType, verified: true, ...more })],
  })
  // biome-ignore format: a row each
  const cases: [sentence: string, known: Known, isSpam: boolean, reason: string][] = [
    ['a link in a feed is spam', { feedHits }, true, 'phishtank_match'],
    ['a feed outranks an allow rule of the sender', allow('Sender'), true, 'phishtank_match'],
    ['a feed outranks an allow rule of the list', allow('List'), true, 'phishtank_match'],
    ['a verified thread rule outranks a feed', allow('Thread'), false, 'user_rule'],
    ['a verified template rule outranks a feed', allow('Template'), false, 'user_rule'],
    ['an unverified thread rule does not', allow('Thread', { verified: false, force: 'lifts' }), true, 'phishtank_match'],
    ["the user's word on this very message outranks a feed", { feedHits, ...vote('ham', 0, true) }, false, 'knn_memory'],
    ['a rule outranks the memory', { ruleMatches: [rule('ham')], ...vote('spam', 1, true) }, false, 'user_rule'],
    ['the memory outranks the models', vote('ham', 0.1), false, 'knn_memory'],
  ]
  for (const [sentence, { feedHits = [], ...evidence }, isSpam, reason] of cases) {
    it(sentence, () => {
      const verdict = decide({ ...analysis, feedHits }, { ...alone, ...evidence }, policy)
      assert.equal(verdict.isSpam, isSpam)
      assert.equal(verdict.bypassReason, reason)
    })
  }

  for (const [decider, hits, evidence] of [
    ['a rule', [], { ruleMatches: [rule('spam')] }],
    ['a feed', feedHits, {}],
  ] as const) {
    it(`is certain under ${decider}, and never escalates, also where the models are far apart`, () => {
      const apart = { ...analysis, meta: prediction(0.01), feedHits: hits }
      assert.equal(decide({ ...apart, feedHits: [] }, alone, policy).shouldEscalate, true)
      const verdict = decide(
        { ...apart, limitsReached: ['CPU'] },
        { ...alone, ...evidence },
        { ...policy, threshold: 0.999_999 },
      )
      assert.equal(verdict.spamProbability, 1)
      assert.equal(verdict.entropy, 0)
      assert.equal(verdict.shouldEscalate, false)
      assert.equal(verdict.textSpamScore, 0.9)
    })
  }

  it("moves the memory's share to the side of its label", () => {
    const low = decide(analysis, { ...alone, ...vote('spam', 0.55) }, policy)
    assert.ok(low.isSpam && low.spamProbability > policy.threshold)
    const high = decide(analysis, { ...alone, ...vote('ham', 0.7) }, policy)
    assert.ok(!high.isSpam && high.spamProbability <= policy.threshold)
  })
})

describe('decide under a licence without spam detection', () => {
  it('answers the class and zeroes the rest', () => {
    const verdict = decide(
      analysis,
      { ...alone, ruleMatches: [rule('spam')] },
      { ...policy, spamEntitled: false },
    )
    assert.deepEqual(verdict, {
      isSpam: false,
      spamProbability: 0,
      classification: 'promotions',
      textSpamScore: 0,
      metaSpamScore: 0,
      confidenceMargin: 0.6,
      entropy: 0,
      disagreement: 0,
      shouldEscalate: false,
      bypassReason: null,
      senderAuthenticated: false,
    })
  })
})

describe('decideClass', () => {
  const classRule = {
    ruleType: 'Sender',
    pattern: 'x',
    classification: 'updates',
    id: '1',
  } as const
  const shares = { primary: 1, promotions: 0, updates: 0, transactions: 0 }
  const classVote = { shares, weight: 0.5, sameMessage: false, decidedBy }
  const shift = { spam: 0, classes: [0, -2, 0, 0] }
  // biome-ignore format: a row each
  const cases: [what: string, evidence: Partial<Evidence>, name: string, confidence: number, source: string | null][] = [
    ["gives the largest of the model's probabilities", {}, 'promotions', 0.6, null],
    ['is certain under a rule', { classRule }, 'updates', 1, 'tabs_rule'],
    ['mixes the memory with the model', { classVote }, 'primary', 0.55, 'tabs_knn'],
    ['adds what is learned of the user', { shift }, 'updates', 0.2 / (0.4 + 0.6 * Math.exp(-2)), null],
  ]
  for (const [what, evidence, name, expected, source] of cases) {
    it(what, () => {
      const { classification, confidence, personalizationSource } = decideClass(analysis, {
        ...alone,
        ...evidence,
      })
      assert.deepEqual([classification, personalizationSource], [name, source])
      assertNear(confidence, expected)
    })
  }
})
