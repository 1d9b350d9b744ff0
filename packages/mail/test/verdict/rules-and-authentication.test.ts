/**
 * Which rule has its say about which message: every kind of rule against every outcome of
 * authentication, beside a feed, models that are sure of spam, and models that are not. What is
 * expected was reasoned from docs/senders.md and not read off the code.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RuleType } from '../../personalization/kinds.ts'
import type { Patterns } from '../../personalization/patterns.ts'
import {
  type CorrectionRule,
  type ExplicitRule,
  indexRules,
} from '../../personalization/rule-index.ts'
import { matchRules, type SenderAuthentication } from '../../personalization/rules.ts'
import type { Analysis } from '../../verdict/analysis.ts'
import { decide } from '../../verdict/decide.ts'
import type { Evidence } from '../../verdict/evidence.ts'
import type { Policy } from '../../verdict/policy.ts'
import { analysisOf } from './analysis.ts'

const TEMPLATE = `t1:example.com:${'A'.repeat(24)}`

const PATTERNS: Patterns = {
  sender: 'ada@mail.example.com',
  senderDomain: 'example.com',
  list: 'news.example.com',
  thread: '<1@example.com>',
  template: TEMPLATE,
}

const POLICY: Policy = {
  threshold: 0.9,
  priorLogit: 0,
  escalation: { logitMargin: 0, disagreement: 1 },
  spamEntitled: true,
}

/** Odds at the threshold are 9 to 1, and 66.5 to 1 where the models are sure: 9 times e². */
const UNSURE = 0.985
const SURE = 0.986

const FEED_HIT = {
  href: 'http://example.com',
  feed: 'phishtank',
  entry: 1,
  expression: 'example.com/',
}

/** What is known of the message, one letter of a cell each. */
const SITUATIONS: readonly Analysis[] = [
  analysisOf(UNSURE, { feedHits: [FEED_HIT] }),
  analysisOf(SURE),
  analysisOf(UNSURE),
]

/** What a verdict is by: a feed, the models, an allow or a block of the user. */
const DECIDERS = {
  F: ['phishtank_match', true, 1],
  M: [null, true, undefined],
  H: ['user_rule', false, 0],
  S: ['user_rule', true, 1],
} as const

const SENDERS: readonly SenderAuthentication[] = [
  { result: 'pass', domain: 'mail.example.com' },
  { result: 'pass', domain: 'example.net' },
  { result: 'fail' },
  { result: 'unknown' },
]

/** Every type with the pattern of the message; a bare domain is a Sender too. */
const TYPES: Readonly<Record<string, readonly [RuleType, string]>> = {
  Thread: ['Thread', '<1@example.com>'],
  Template: ['Template', TEMPLATE],
  address: ['Sender', 'ada@mail.example.com'],
  domain: ['Sender', 'example.com'],
  List: ['List', 'news.example.com'],
}

interface Row {
  readonly label: 'ham' | 'spam'
  readonly source: 'explicit' | 'correction'
  readonly verified: boolean
  readonly types: string
  /** By SENDERS, and in each by SITUATIONS. */
  readonly expected: string
}

/**
 * Corrections make rules for addresses alone.
 *
 * By sender: passed for the rule's domain, passed for another, failed, unknown. In each: a feed
 * matches, the models are sure of spam, the models are not sure.
 */
// biome-ignore format: a row each
const ROWS: readonly Row[] = (
  [
    // A verified allow decides for its own domain; over a feed only where it is about this thread or
    // template. It is nothing to others, and lifts where nobody knows.
    ['ham', 'explicit', true, 'Thread Template', 'HHH FMM FMM FMH'],
    ['ham', 'explicit', true, 'address domain List', 'FHH FMM FMM FMH'],
    ['ham', 'correction', true, 'address', 'FHH FMM FMM FMH'],
    // An unverified allow names no domain: whatever domain passes, it only lifts.
    ['ham', 'explicit', false, 'Thread Template address domain List', 'FMH FMH FMM FMH'],
    ['ham', 'correction', false, 'address', 'FMH FMH FMM FMH'],
    // What the user states as a block is for all.
    ['spam', 'explicit', true, 'Thread Template address domain List', 'FSS FSS FSS FSS'],
    ['spam', 'explicit', false, 'Thread Template address domain List', 'FSS FSS FSS FSS'],
    ['spam', 'correction', true, 'address', 'FSS FSS FSS FSS'],
    // It may have come of a forged message: not for those who prove who they are.
    ['spam', 'correction', false, 'address', 'FMM FMM FSS FSS'],
  ] as const
).map(([label, source, verified, types, expected]) => ({ label, source, verified, types, expected }))

const MADE_AT = new Date('2026-06-01')

function explicitRule(name: string, { label, verified }: Pick<Row, 'label' | 'verified'>) {
  const [ruleType, pattern] = TYPES[name]!
  const made: ExplicitRule = {
    id: name,
    kind: 'spam',
    ruleType,
    pattern,
    label,
    unverified: !verified,
    createdAt: MADE_AT,
    ...(verified && { authenticatedDomain: 'mail.example.com' }),
  }
  return made
}

function correctionRule({ label, verified }: Row): CorrectionRule {
  return {
    feedbackId: 'correction',
    label,
    pattern: 'ada@mail.example.com',
    senderKey: Uint8Array.of(1),
    createdAt: MADE_AT,
    ...(verified && { authenticatedDomain: 'mail.example.com' }),
  }
}

function evidenceOf(
  sender: SenderAuthentication,
  explicit: readonly ExplicitRule[],
  corrections: readonly CorrectionRule[] = [],
): Evidence {
  const ruleMatches = matchRules(indexRules(explicit, corrections), PATTERNS, sender)
  return { senderAuthenticated: sender.result === 'pass', ruleMatches }
}

function verdictBy(evidence: Evidence, analysis: Analysis) {
  const { bypassReason, isSpam, spamProbability } = decide(analysis, evidence, POLICY)
  return [bypassReason, isSpam, Number(spamProbability.toFixed(9))]
}

describe('a rule met by a message', () => {
  for (const row of ROWS) {
    for (const name of row.types.split(' ')) {
      const { label, source, verified, expected } = row
      const what = `${label === 'ham' ? 'allow' : 'block'} of type ${name}, ${source}`
      it(`${verified ? 'verified' : 'unverified'} ${what}: ${expected}`, () => {
        const rules: [ExplicitRule[], CorrectionRule[]] =
          source === 'explicit' ? [[explicitRule(name, row)], []] : [[], [correctionRule(row)]]
        const cells = expected.split(' ')
        for (const [i, sender] of SENDERS.entries()) {
          const evidence = evidenceOf(sender, ...rules)
          for (const [j, analysis] of SITUATIONS.entries()) {
            const letter = cells[i]![j]! as keyof typeof DECIDERS
            const [reason, isSpam, certain] = DECIDERS[letter]
            assert.deepEqual(
              verdictBy(evidence, analysis),
              [reason, isSpam, certain ?? analysis.spam.probability],
              `${JSON.stringify(sender)}, situation ${j}`,
            )
          }
        }
      })
    }
  }
})

describe('an allow that only lifts', () => {
  const UNKNOWN = SENDERS[3]!
  const lifting = explicitRule('Thread', { label: 'ham', verified: false })

  it('outweighs a less specific block, as one that decides does', () => {
    const blocked = explicitRule('domain', { label: 'spam', verified: false })
    const evidence = evidenceOf(UNKNOWN, [blocked, lifting])
    assert.deepEqual(verdictBy(evidence, analysisOf(UNSURE)), ['user_rule', false, 0])
  })

  it('leaves the say to the next rule where the models are sure', () => {
    const PASS = SENDERS[0]!
    const verified = explicitRule('address', { label: 'ham', verified: true })
    const evidence = evidenceOf(PASS, [lifting, verified])
    assert.deepEqual(verdictBy(evidence, analysisOf(SURE)), ['user_rule', false, 0])
  })

  it('leaves the say over a feed to a verified Template rule behind it', () => {
    const PASS = SENDERS[0]!
    const verified = explicitRule('Template', { label: 'ham', verified: true })
    const evidence = evidenceOf(PASS, [lifting, verified])
    assert.deepEqual(verdictBy(evidence, SITUATIONS[0]!), ['user_rule', false, 0])
  })

  it('measures how sure the models are from the threshold, wherever prior and operator put it', () => {
    const evidence = evidenceOf(UNKNOWN, [lifting])
    const shifted = { ...POLICY, priorLogit: -1, threshold: 0.5 }
    // From 0.5 and a prior of -1 in log-odds, two more are 3: a probability of 0.953.
    assert.equal(decide(analysisOf(0.953), evidence, shifted).isSpam, true)
    assert.equal(decide(analysisOf(0.952), evidence, shifted).isSpam, false)
  })

  it('of the memory is outweighed like that of a rule, but not on this very message', () => {
    const decidedBy = { feedbackId: '1', label: 'spam', createdAt: MADE_AT, similarity: 0.9 }
    const vote = { label: 'ham', spamShare: 0, sameMessage: false, decidedBy } as const
    const by = (force: 'lifts' | 'decides', sameMessage: boolean): Evidence => ({
      senderAuthenticated: false,
      memoryVote: { ...vote, force, sameMessage },
    })
    const reasons = (evidence: Evidence) =>
      SITUATIONS.map((situation) => decide(situation, evidence, POLICY).bypassReason)
    assert.deepEqual(reasons(by('lifts', false)), ['phishtank_match', null, 'knn_memory'])
    assert.deepEqual(reasons(by('decides', false)), ['phishtank_match', 'knn_memory', 'knn_memory'])
    assert.deepEqual(reasons(by('decides', true)), ['knn_memory', 'knn_memory', 'knn_memory'])
  })
})
