/** What is known besides the models: what each kind adds, worked by hand, and what it can do to a verdict. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../analyse.ts'
import { memoryOctets } from '../../message/octets.ts'
import { logit, sumOf } from '../../models/prediction.ts'
import type { RuleMatch } from '../../personalization/rules.ts'
import { decide, modelledLogit } from '../../verdict/decide.ts'
import { explanationOf } from '../../verdict/diagnostic.ts'
import {
  type Evidence,
  type ListFinding,
  NO_EVIDENCE,
  signatureName,
} from '../../verdict/evidence.ts'
import { explain } from '../../verdict/explain.ts'
import type { Policy } from '../../verdict/policy.ts'
import { pointsOf, reasonsOf } from '../../verdict/reasons.ts'
import { strongestReasons } from '../../verdict/sentence.ts'
import { analysisOf } from './analysis.ts'

const policy: Policy = {
  threshold: 0.9,
  priorLogit: 0,
  escalation: { logitMargin: 0.1, disagreement: 0.9 },
  spamEntitled: true,
}

function listed(list: string, ...weights: number[]): ListFinding {
  const hits = weights.map((logOdds) => ({ listed: 'bad.example', meaning: 'spam', logOdds }))
  return { list, lookups: 1, hits, failure: null }
}

const found = (signature: string) => ({ signature, isPartial: false, failure: null })
const scores = (...weights: number[]) => ({
  holding: weights.map((weight, at) => ({ name: `RULE_${at}`, weight })),
})
const FRIEND = { tie: 'written_to', authentication: 'pass', logit: -3 } as const
const HELD = { ...FRIEND, logit: 0, unsafe: 'ATTACHMENT_EXECUTABLE', isHeld: true } as const
const VIRUS = 'Win.Test.EICAR_HDB-1'

const given = (evidence: Partial<Evidence>): Evidence => ({ ...NO_EVIDENCE, ...evidence })
const decided = (probability: number, evidence: Partial<Evidence> = {}) =>
  decide(analysisOf(probability), given(evidence), policy)

const match = (label: 'spam' | 'ham', force: RuleMatch['force']): RuleMatch => {
  const rule = {
    id: 'r',
    ruleType: 'Sender',
    pattern: 'a@example.com',
    source: 'explicit',
  } as const
  return { ...rule, label, force, verified: force === 'decides' }
}

describe('what is known besides the models', () => {
  // biome-ignore format: a row each
  const cases: [what: string, evidence: Partial<Evidence>, logits: number[]][] = [
    ['each list counts once, by its weightiest hit', { lists: [listed('dbl', 4, 2), listed('zen', 1)] }, [4, 1]],
    ['lists count for 6 together', { lists: [listed('zen', 3), listed('dbl', 5), listed('x', 4)] }, [1.5, 2.5, 2]],
    ['a list without a hit adds nothing', { lists: [listed('zen')] }, []],
    ['scores add up', { scores: scores(2.5, -1) }, [2.5, -1]],
    ['scores count for 8 together', { scores: scores(6, 6, 4) }, [3, 3, 2]],
    ['scores against spam count for 8 together', { scores: scores(-6, -6) }, [-4, -4]],
    ['scores that go both ways are bounded by what is left', { scores: scores(6, 6, -4) }, [6, 6, -4]],
    ['no score excuses a sender whose checks fail', { scores: scores(-6, 2), sender: { result: 'failed' } }, [2]],
    ['a signature of a virus is beyond every threshold', { scan: found(VIRUS) }, [40]],
    ['a guess counts for 2', { scan: found('Heuristics.Phishing.Email') }, [2]],
    ['so does what is unwanted', { scan: found('PUA.Win.Packer.Upx-1') }, [2]],
    ['a virus may have Heuristics in its name', { scan: found('Win.Heuristics.Test') }, [40]],
    ['no answer of the scanner adds nothing', { scan: { signature: null, isPartial: false, failure: 'NO_ANSWER' } }, []],
    ['a correspondent counts as stated', { correspondent: FRIEND }, [-3]],
    ['what is learned of the user counts', { shift: { spam: -2, classes: [] } }, [-2]],
  ]
  for (const [what, evidence, logits] of cases) {
    it(what, () => {
      const [, ...terms] = explain(analysisOf(0.3), given(evidence), policy)
      assert.deepEqual(
        terms.map((term) => term.logit),
        logits,
      )
      const sum = modelledLogit(analysisOf(0.3), given(evidence), policy)
      assert.ok(Math.abs(sum - logit(0.3) - sumOf(terms)) < 1e-12)
    })
  }

  it('outweighs an allow without proof of the sender where with it the models are sure, and no other', () => {
    const by = (force: RuleMatch['force'], evidence: Partial<Evidence>) =>
      decided(0.7, { ...evidence, ruleMatches: [match('ham', force)] }).bypassReason
    for (const evidence of [{ lists: [listed('dbl', 4)] }, { scores: scores(4) }]) {
      assert.deepEqual([by('lifts', evidence), by('decides', evidence)], [null, 'user_rule'])
    }
    assert.equal(by('lifts', { lists: [listed('dbl', 2)] }), 'user_rule')
    assert.equal(by('lifts', { scores: scores(3) }), 'user_rule')
  })
})

describe('a virus', () => {
  it('is spam that nobody has to review, whatever the user said of the sender or of this message', () => {
    const memoryVote = { label: 'ham', force: 'decides', sameMessage: true, spamShare: 0 } as never
    for (const evidence of [{}, { ruleMatches: [match('ham', 'decides')] }, { memoryVote }]) {
      const verdict = decided(0.01, { ...evidence, scan: found(VIRUS) })
      assert.deepEqual(
        [
          verdict.isSpam,
          verdict.spamProbability > 1 - 1e-12,
          verdict.bypassReason,
          verdict.shouldEscalate,
        ],
        [true, true, null, false],
      )
    }
    assert.equal(decided(0.01, { memoryVote }).bypassReason, 'knn_memory')
  })

  it('has a name without what could end a field or a quotation', () => {
    assert.equal(signatureName('a"b; c\r\nd\u{1f600}'), 'a_b__c__d__')
    assert.equal(signatureName('x'.repeat(200)).length, 80)
  })
})

const PROGRAM = { isShared: false, repliesTo: [], unsafe: 'ATTACHMENT_EXECUTABLE' } as const

describe('a program', () => {
  it('is excused by no score of a rule, whose others count', () => {
    const program = analysisOf(0.9, { correspondence: PROGRAM })
    const [, ...terms] = explain(program, given({ scores: scores(-6, 2) }), policy)
    assert.deepEqual(
      terms.map((term) => term.logit),
      [2],
    )
  })
})

describe('a program from a correspondent', () => {
  it('is held for a person, and called no spam', () => {
    for (const probability of [0.1, 0.95, 0.9999999]) {
      const { isSpam, shouldEscalate, spamProbability } = decided(probability, {
        correspondent: HELD,
      })
      assert.deepEqual([isSpam, shouldEscalate], [false, true])
      const expected = Math.min(logit(probability), logit(0.9) - 0.01)
      assert.ok(Math.abs(logit(spamProbability) - expected) < 1e-6)
    }
  })

  it('is spam where a rule says so, and from a stranger', () => {
    assert.equal(decided(0.95, { correspondent: HELD, scores: scores(2) }).isSpam, true)
    assert.equal(decided(0.95, { correspondent: { ...FRIEND, logit: 0 } }).isSpam, true)
  })
})

describe('rules that were not all compared in time', () => {
  it('escalate the message, and are a reason', () => {
    const cut = { scores: { ...scores(), isCut: true as const } }
    assert.equal(decided(0.01).shouldEscalate, false)
    assert.equal(decided(0.01, cut).shouldEscalate, true)
    const reasons = strongestReasons(analysisOf(0.01), given(cut), policy)
    assert.equal(reasons.at(-1)?.name, 'TAMIS_RULES_CUT')
  })
})

describe('a feed', () => {
  it('outranks a correspondent', () => {
    const feedHits = [{ href: 'https://login.example/', feed: 'f', entry: '1', expression: 'x' }]
    const analysis = analysisOf(0.1, { feedHits: feedHits as never })
    const { isSpam, bypassReason } = decide(analysis, given({ correspondent: FRIEND }), policy)
    assert.deepEqual([isSpam, bypassReason], [true, 'phishtank_match'])
  })
})

const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'
const LETTER = 'Hello Ben, shall we meet on Friday at six, as always? Bring the maps.'
const models = await readModels()

function analysed(body: string, type = 'text/plain') {
  const fields = `From: Ann <ann@example.com>\nTo: ben@example.com\nSubject: Friday\nContent-Type: ${type}`
  const octets = memoryOctets(Buffer.from(`${fields}\n\n${body}\n`))
  return analyse(octets, { now: new Date('2026-11-20T12:00:00Z') }, models, { detail: true })
}

describe('the test text of operators', () => {
  // biome-ignore format: a row each
  const cases: [where: string, body: string, type: string, isSpam: boolean][] = [
    ['alone', GTUBE, 'text/plain', true],
    ['beside a letter', `${LETTER}\n\n${GTUBE}\n\n${LETTER}`, 'text/plain', true],
    ['in HTML', `<p>${LETTER}</p><p>${GTUBE}</p>`, 'text/html', true],
    ['in part', `${LETTER}\n\n${GTUBE.slice(0, -1)}`, 'text/plain', false],
  ]
  for (const [where, body, type, isSpam] of cases) {
    it(`${where} is ${isSpam ? '' : 'not '}spam, whatever an allow without proof says`, () => {
      const verdict = decide(analysed(body, type), NO_EVIDENCE, policy)
      assert.deepEqual([verdict.isSpam, verdict.spamProbability === 1], [isSpam, isSpam])
      const lifted = given({ ruleMatches: [match('ham', 'lifts')] })
      assert.equal(decide(analysed(body, type), lifted, policy).isSpam, isSpam)
    })
  }
})

describe('an explanation', () => {
  it('adds up to the log-odds, and its symbols to the score, with all that can be known', () => {
    const analysis = analysed(`${LETTER}\n\n${GTUBE}`)
    const evidence = given({
      ...{ lists: [listed('spamhaus-dbl', 4)], scan: found(VIRUS), scores: scores(2, -1) },
      ...{ correspondent: FRIEND, shift: { spam: -2, classes: [0, 0, 0, 0] } },
      sender: { result: 'failed', policy: 'reject' },
      authentication: {},
    })
    const biased = { ...policy, priorLogit: 0.5 }
    const verdict = decide(analysis, evidence, biased)
    const explained = explanationOf(analysis, evidence, biased)
    const terms = [...explained.for, ...explained.against]
    assert.ok(Math.abs(sumOf(terms) - explained.logit) < 1e-6)
    const symbols = reasonsOf(verdict, explained)
    const points = symbols.reduce((sum, reason) => sum + reason.points, 0)
    assert.ok(Math.abs(points - pointsOf(verdict)) < 1e-6)
    const shown = new Map(symbols.map(({ name, ...reason }) => [name, reason]))
    assert.deepEqual(shown.get('TAMIS_VIRUS'), {
      points: 40,
      description: `ClamAV found ${VIRUS} in the message.`,
      evidence: VIRUS,
    })
    assert.deepEqual(shown.get('TAMIS_LIST_SPAMHAUS_DBL'), {
      points: 4,
      description: 'The DNS list spamhaus-dbl names a domain or IP address of the message: spam.',
      evidence: 'bad.example',
    })
    assert.deepEqual(shown.get('TAMIS_RULE_RULE_0'), {
      points: 2,
      description: "The operator's rule RULE_0 holds.",
    })
    const told = strongestReasons(analysis, evidence, biased).map(({ name }) => name)
    assert.deepEqual(told.slice(0, 2).toSorted(), ['TAMIS_GTUBE', 'TAMIS_VIRUS'])
  })
})
