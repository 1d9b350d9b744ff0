/** The test message of operators, with the models that ship. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../analyse.ts'
import { memoryOctets } from '../../message/octets.ts'
import { decide } from '../../verdict/decide.ts'
import { explanationOf } from '../../verdict/diagnostic.ts'
import { NO_EVIDENCE } from '../../verdict/evidence.ts'
import { policyFor } from '../../verdict/policy.ts'
import { strongestReasons } from '../../verdict/sentence.ts'

const models = await readModels()
const policy = policyFor(models, { threshold: 'cautious', spamPrior: 0.5, spamEntitled: true })
const now = new Date('2026-11-20T12:00:00Z')

const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'
const LETTER = 'Hello Ben, shall we meet on Friday at six, as always? Bring the maps.'

function analysed(body: string, type = 'text/plain') {
  const fields = `From: Ann <ann@example.com>\nTo: ben@example.com\nSubject: Friday\nContent-Type: ${type}`
  const message = `${fields}\n\n${body}\n`
  return analyse(memoryOctets(Buffer.from(message)), { now }, models, { detail: true })
}

describe('GTUBE', () => {
  for (const [where, body, type] of [
    ['alone', GTUBE, 'text/plain'],
    ['beside a letter', `${LETTER}\n\n${GTUBE}\n\n${LETTER}`, 'text/plain'],
    ['in HTML', `<p>${LETTER}</p><p>${GTUBE}</p>`, 'text/html'],
  ] as const) {
    it(`is spam by every threshold, ${where}`, () => {
      const { isSpam, spamProbability, bypassReason } = decide(
        analysed(body, type),
        NO_EVIDENCE,
        policy,
      )
      assert.deepEqual([isSpam, spamProbability, bypassReason], [true, 1, null])
    })
  }

  it('is the first reason in an explanation that adds up, and in a summary', () => {
    const analysis = analysed(`${LETTER}\n\n${GTUBE}`)
    const { for: pro, against, logit } = explanationOf(analysis, NO_EVIDENCE, policy)
    assert.deepEqual(pro[0], { kind: 'gtube', logit: 40 })
    const sum = [...pro, ...against].reduce((total, term) => total + term.logit, 0)
    assert.ok(Math.abs(sum - logit) < 1e-6)
    assert.equal(strongestReasons(analysis, NO_EVIDENCE, policy)[0]?.name, 'TAMIS_GTUBE')
  })

  it('is not lifted by an allow without proof', () => {
    const rule = { ruleType: 'Sender', pattern: 'ann@example.com', label: 'ham' } as const
    const match = { ...rule, verified: false, source: 'explicit', force: 'lifts', id: '1' } as const
    const evidence = { ...NO_EVIDENCE, ruleMatches: [match] }
    assert.equal(decide(analysed(GTUBE), evidence, policy).isSpam, true)
    assert.equal(decide(analysed(LETTER), evidence, policy).bypassReason, 'user_rule')
  })

  it('is nothing in part', () => {
    const { isSpam } = decide(analysed(`${LETTER}\n\n${GTUBE.slice(0, -1)}`), NO_EVIDENCE, policy)
    assert.equal(isSpam, false)
  })
})
