/**
 * Letters judged by the models that ship: honest mail on which they are sure on little evidence beside
 * the fraud in the same dress (allowances.cases), the classes that are stated (class-term.cases), and an
 * offer in each form in which mail programs show it (shown-text.cases).
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readKnowledge, readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../analyse.ts'
import { memoryOctets } from '../../message/octets.ts'
import { ALLOWANCE_LOGITS } from '../../verdict/allowances.ts'
import { decide } from '../../verdict/decide.ts'
import { explanationOf } from '../../verdict/diagnostic.ts'
import { type Evidence, NO_EVIDENCE } from '../../verdict/evidence.ts'
import { policyFor } from '../../verdict/policy.ts'
import { strongestReasons } from '../../verdict/sentence.ts'
import { readCases } from '../signals/cases.ts'

const models = await readModels()
const knowledge = await readKnowledge()
const policy = policyFor(models, { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true })
const now = new Date('2026-10-15T12:00:00Z')

/** Cases with the line ends of mail. */
function lettersOf(file: string) {
  return readCases(new URL(file, import.meta.url)).map(({ title, expected, bytes }) => ({
    title,
    expected,
    isSpam: expected.includes('spam'),
    text: Buffer.from(bytes).toString().replaceAll('\n', '\r\n'),
  }))
}

const CASES = lettersOf('allowances.cases')
const textOf = (title: string) => CASES.find((each) => each.title === title)!.text
const PHOTO = textOf('a photo without text')

function analysed(text: string) {
  return analyse(memoryOctets(Buffer.from(text)), { now }, models, { detail: true, knowledge })
}

describe('letters', () => {
  for (const { title, expected, isSpam, text } of [...CASES, ...lettersOf('shown-text.cases')]) {
    it(`${title}: ${expected}`, () => {
      const verdict = decide(analysed(text), NO_EVIDENCE, policy)
      assert.equal(verdict.isSpam, isSpam)
      if (expected.includes('review')) assert.equal(verdict.shouldEscalate, true)
    })
  }

  for (const { title, expected, text } of lettersOf('class-term.cases')) {
    it(`${title}: ${expected[0]}`, () => {
      assert.equal(decide(analysed(text), NO_EVIDENCE, policy).classification, expected[0])
    })
  }
})

describe('allowances', () => {
  it('take no more than their bounds, and nothing of a message that the models find honest', () => {
    for (const { isSpam, text } of CASES) {
      if (isSpam) continue
      const { reason, logit: taken } = analysed(text).allowance!
      assert.ok(taken <= 0 && taken >= ALLOWANCE_LOGITS[reason])
    }
    const letter =
      'From: Ben <ben@sender.example>\r\nTo: Ines Okafor <ines@reader.example>\r\nSubject: Friday\r\nMessage-ID: <7@sender.example>\r\n\r\nHello Ines, shall we meet on Friday at six, as always? Bring the maps.\r\n\r\nBen\r\n'
    assert.equal(analysed(letter).allowance, undefined)
  })

  it('are a term of an explanation that adds up, and a reason', () => {
    const analysis = analysed(PHOTO)
    const explained = explanationOf(analysis, NO_EVIDENCE, policy)
    const { for: pro, against } = explained
    assert.ok(against.some((term) => term.kind === 'allowance' && term.reason === 'NO_TEXT'))
    const sum = [...pro, ...against].reduce((total, term) => total + term.logit, 0)
    assert.ok(Math.abs(sum - explained.logit) < 1e-6)
    assert.ok(
      strongestReasons(analysis, NO_EVIDENCE, policy).some(({ name }) => name === 'TAMIS_NO_TEXT'),
    )
  })

  it('count for nothing where the sender is not who it claims to be', () => {
    const failed: Evidence = { ...NO_EVIDENCE, sender: { result: 'failed', policy: 'reject' } }
    const { against } = explanationOf(analysed(PHOTO), failed, policy)
    assert.ok(!against.some((term) => term.kind === 'allowance'))
  })

  it('leave what cannot be read to a person', () => {
    const encrypted = textOf('S/MIME about a salary')
    assert.equal(decide(analysed(encrypted), NO_EVIDENCE, policy).shouldEscalate, true)
    assert.equal(decide(analysed(PHOTO), NO_EVIDENCE, policy).shouldEscalate, false)
  })
})
