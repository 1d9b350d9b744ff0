/** What a virus scanner finds, with the models that ship: it decides about spam, whatever a user has said. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../analyse.ts'
import { memoryOctets } from '../../message/octets.ts'
import { decide } from '../../verdict/decide.ts'
import { diagnostic, explanationOf } from '../../verdict/diagnostic.ts'
import { type Evidence, NO_EVIDENCE } from '../../verdict/evidence.ts'
import { pointsOf, reasonsOf } from '../../verdict/points.ts'
import { policyFor } from '../../verdict/policy.ts'
import { summaryReason } from '../../verdict/reasons.ts'
import { scanTerms, signatureName } from '../../verdict/scan-finding.ts'
import { sentenceOf, sentenceText, strongestReasons } from '../../verdict/sentence.ts'

const models = await readModels()
const policy = policyFor(models, { threshold: 'cautious', spamPrior: 0.5, spamEntitled: true })
const now = new Date('2026-11-20T12:00:00Z')

const LETTER = [
  'From: Ann <ann@example.com>',
  'To: ben@example.com',
  'Subject: Friday',
  'Date: Fri, 20 Nov 2026 11:00:00 +0000',
  'Message-ID: <friday@example.com>',
  '',
  'Hello Ben, shall we meet on Friday at six, as always? Bring the maps.',
  '',
].join('\n')

const analysis = analyse(memoryOctets(Buffer.from(LETTER)), { now }, models, {
  detail: true,
  personal: true,
})

function found(signature: string): Evidence {
  return { ...NO_EVIDENCE, scan: { signature, isPartial: false, failure: null } }
}

const VIRUS = found('Win.Test.EICAR_HDB-1')
const GUESS = found('Heuristics.Phishing.Email.SpoofedDomain')

const ALLOW = {
  ruleType: 'Sender',
  pattern: 'ann@example.com',
  label: 'ham',
  verified: true,
  source: 'explicit',
  force: 'decides',
  id: '1',
} as const

const SAME_MESSAGE = {
  label: 'ham',
  force: 'decides',
  sameMessage: true,
  spamShare: 0,
} as unknown as NonNullable<Evidence['memoryVote']>

describe('a virus', () => {
  it('makes spam of a letter, and nobody has to review it', () => {
    const { isSpam, spamProbability, bypassReason, shouldEscalate } = decide(
      analysis,
      VIRUS,
      policy,
    )
    assert.deepEqual(
      [isSpam, spamProbability, bypassReason, shouldEscalate],
      [true, 1, null, false],
    )
  })

  it('is spam although the user allows the sender, who is authenticated', () => {
    const allowed = { ruleMatches: [ALLOW], senderAuthenticated: true }
    assert.equal(decide(analysis, { ...NO_EVIDENCE, ...allowed }, policy).isSpam, false)
    const { isSpam, bypassReason } = decide(analysis, { ...VIRUS, ...allowed }, policy)
    assert.deepEqual([isSpam, bypassReason], [true, null])
  })

  it('is spam although the user has said of this very message that it is none', () => {
    const memoryVote = SAME_MESSAGE
    const { bypassReason } = decide(analysis, { ...NO_EVIDENCE, memoryVote }, policy)
    assert.equal(bypassReason, 'knn_memory')
    const verdict = decide(analysis, { ...VIRUS, memoryVote }, policy)
    assert.deepEqual([verdict.isSpam, verdict.bypassReason], [true, null])
  })

  it('is named in the sentence, in the reasons and in an explanation that adds up', () => {
    const verdict = decide(analysis, VIRUS, policy)
    const reasons = strongestReasons(analysis, VIRUS, policy, verdict)
    assert.deepEqual(summaryReason(reasons[0]!), {
      name: 'TAMIS_VIRUS',
      points: 40,
      description: 'ClamAV found Win.Test.EICAR_HDB-1 in the message.',
    })
    assert.deepEqual(reasons[0], {
      name: 'TAMIS_VIRUS',
      points: 40,
      signature: 'Win.Test.EICAR_HDB-1',
    })
    const sentence = sentenceOf({ ...verdict, threshold: policy.threshold }, reasons, 'example.com')
    assert.match(
      sentenceText(sentence),
      /^Almost certainly spam: it carries Win\.Test\.EICAR_HDB-1, which ClamAV knows/,
    )
    const explanation = explanationOf(analysis, VIRUS, policy)
    const terms = [...explanation.for, ...explanation.against]
    const sum = terms.reduce((total, { logit }) => total + logit, 0)
    assert.ok(Math.abs(sum - explanation.logit) < 1e-6)
    const symbols = reasonsOf(verdict, explanation)
    const points = symbols.reduce((total, reason) => total + reason.points, 0)
    assert.ok(Math.abs(points - pointsOf(verdict)) < 1e-6)
    assert.equal(
      symbols.find(({ name }) => name === 'TAMIS_VIRUS')?.evidence,
      'Win.Test.EICAR_HDB-1',
    )
  })
})

describe('a guess of the scanner', () => {
  it('counts for 2, and a rule of the user outranks it', () => {
    const logit = (evidence: Evidence) => explanationOf(analysis, evidence, policy).logit
    assert.ok(Math.abs(logit(GUESS) - logit(NO_EVIDENCE) - 2) < 1e-9)
    const evidence = { ...GUESS, ruleMatches: [ALLOW] }
    assert.equal(decide(analysis, evidence, policy).bypassReason, 'user_rule')
    const [term] = scanTerms(GUESS.scan)
    assert.deepEqual(term, {
      kind: 'scan',
      result: 'suspicion',
      signature: 'Heuristics.Phishing.Email.SpoofedDomain',
      logit: 2,
    })
  })

  it('is of names that begin with Heuristics or PUA, and of no others', () => {
    const result = (name: string) => scanTerms(found(name).scan)[0]?.result
    assert.equal(result('PUA.Win.Packer.Upx-1'), 'suspicion')
    assert.equal(result('Win.Heuristics.Test'), 'virus')
    assert.equal(result('PUAnything'), 'virus')
  })
})

describe('no answer of the scanner', () => {
  it('changes nothing', () => {
    const scan = { signature: null, isPartial: false, failure: 'NO_ANSWER' } as const
    assert.deepEqual(
      decide(analysis, { ...NO_EVIDENCE, scan }, policy),
      decide(analysis, NO_EVIDENCE, policy),
    )
    assert.deepEqual(diagnostic(analysis, { ...NO_EVIDENCE, scan }, policy).email.scan, scan)
  })
})

describe('the name of a signature', () => {
  it('is cut, and has no characters that could end a field or a quotation', () => {
    assert.equal(signatureName('Eicar.UNOFFICIAL'), 'Eicar.UNOFFICIAL')
    assert.equal(signatureName('a"b; c\r\nd\u{1f600}'), 'a_b__c__d__')
    assert.equal(signatureName('x'.repeat(200)).length, 80)
  })
})
