/** The classes that are stated, with the models that ship: class-term.cases. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../analyse.ts'
import { memoryOctets } from '../../message/octets.ts'
import { decide } from '../../verdict/decide.ts'
import { NO_EVIDENCE } from '../../verdict/evidence.ts'
import { policyFor } from '../../verdict/policy.ts'
import { readCases } from '../signals/cases.ts'

const models = await readModels()
const policy = policyFor(models, { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true })
const now = new Date('2026-10-15T12:00:00Z')

describe('the class', () => {
  for (const { title, expected, bytes } of readCases(
    new URL('class-term.cases', import.meta.url),
  )) {
    it(`${title}: ${expected[0]}`, () => {
      const analysis = analyse(memoryOctets(bytes), { now }, models)
      assert.equal(decide(analysis, NO_EVIDENCE, policy).classification, expected[0])
    })
  }
})
