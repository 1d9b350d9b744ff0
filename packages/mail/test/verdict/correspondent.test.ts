/** What a correspondent adds to a verdict, and where it is shown. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../analyse.ts'
import { memoryOctets } from '../../message/octets.ts'
import { logit } from '../../models/prediction.ts'
import type { Correspondent } from '../../personalization/correspondents.ts'
import { decide } from '../../verdict/decide.ts'
import { explanationOf } from '../../verdict/diagnostic.ts'
import { NO_EVIDENCE } from '../../verdict/evidence.ts'
import { reasonsOf } from '../../verdict/points.ts'
import { policyFor } from '../../verdict/policy.ts'
import { strongestReasons } from '../../verdict/sentence.ts'
import { analysisOf } from './analysis.ts'

const models = await readModels()
const policy = policyFor(models, { threshold: 0.9, spamPrior: 0.5, spamEntitled: true })

const FRIEND: Correspondent = { tie: 'written_to', authentication: 'pass', logit: -3 }
const evidence = { ...NO_EVIDENCE, correspondent: FRIEND }

describe('a correspondent', () => {
  it('is three units of log-odds less like spam, and no more than that', () => {
    assert.equal(decide(analysisOf(0.95), NO_EVIDENCE, policy).isSpam, true)
    const { isSpam, spamProbability } = decide(analysisOf(0.95), evidence, policy)
    assert.equal(isSpam, false)
    assert.ok(Math.abs(logit(spamProbability) - (logit(0.95) - 3)) < 1e-9)
    assert.equal(decide(analysisOf(0.999), evidence, policy).isSpam, true)
  })

  it('has a program looked at that a known and authenticated sender sends, and calls it no spam', () => {
    const held: Correspondent = {
      ...FRIEND,
      logit: 0,
      unsafe: 'ATTACHMENT_EXECUTABLE',
      isHeld: true,
    }
    for (const probability of [0.1, 0.95, 0.9999999]) {
      const verdict = decide(
        analysisOf(probability),
        { ...NO_EVIDENCE, correspondent: held },
        policy,
      )
      assert.deepEqual([verdict.isSpam, verdict.shouldEscalate], [false, true])
      const expected = Math.min(logit(probability), logit(policy.threshold) - 0.01)
      assert.ok(Math.abs(logit(verdict.spamProbability) - expected) < 1e-6)
    }
    const detail = { signals: [], contributions: [{ kind: 'base', logit: logit(0.99) }] } as never
    const explanation = explanationOf(
      analysisOf(0.99, { detail }),
      { ...NO_EVIDENCE, correspondent: held },
      policy,
    )
    const [term] = explanation.against
    assert.equal(term?.kind, 'correspondent')
    assert.ok(Math.abs(logit(0.99) + term!.logit - explanation.logit) < 1e-9)
    const stranger = { ...NO_EVIDENCE, correspondent: { ...held, isHeld: undefined } as never }
    assert.equal(decide(analysisOf(0.95), stranger, policy).isSpam, true)
  })

  it('does not outrank a feed', () => {
    const hit = { href: 'https://login.example/', feed: 'phishtank', entry: '1', expression: 'x' }
    const { isSpam, bypassReason } = decide(
      analysisOf(0.1, { feedHits: [hit as never] }),
      evidence,
      policy,
    )
    assert.deepEqual([isSpam, bypassReason], [true, 'phishtank_match'])
  })

  it('is a term of an explanation that adds up, and a reason for the recipient, but not in the header that all read', () => {
    const letter =
      'From: Bob <bob@example.net>\r\nSubject: Boat\r\n\r\nShall we sail on Sunday?\r\n'
    const now = new Date('2026-11-20T12:00:00Z')
    const octets = memoryOctets(Buffer.from(letter))
    const analysis = analyse(octets, { now }, models, { detail: true })
    const explanation = explanationOf(analysis, evidence, policy)
    const term = explanation.against.find(({ kind }) => kind === 'correspondent')
    assert.deepEqual(term, { kind: 'correspondent', tie: 'written_to', logit: -3 })
    const terms = [...explanation.for, ...explanation.against]
    const sum = terms.reduce((total, { logit }) => total + logit, 0)
    assert.ok(Math.abs(sum - explanation.logit) < 1e-6)

    const verdict = decide(analysis, evidence, policy)
    const named = (reasons: readonly { readonly name: string; readonly points: number }[]) =>
      reasons.find(({ name }) => name === 'TAMIS_CORRESPONDENT')?.points
    assert.equal(named(reasonsOf(verdict, explanation)), -3)
    assert.equal(named(strongestReasons(analysis, evidence, policy, verdict)), -3)
    assert.equal(named(strongestReasons(analysis, NO_EVIDENCE, policy)), undefined)
  })
})
