/**
 * An offer that is spam as it stands is spam in each form in which mail programs show it
 * (shown-text.cases), and what somebody else's message or an encrypted one says is not held against
 * who sends it.
 */
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

describe('an offer', () => {
  for (const { title, expected, bytes } of readCases(
    new URL('shown-text.cases', import.meta.url),
  )) {
    it(`${title}: ${expected.join(', ')}`, () => {
      const octets = memoryOctets(
        Buffer.from(Buffer.from(bytes).toString().replaceAll('\n', '\r\n')),
      )
      const analysis = analyse(octets, { now: new Date('2026-11-17T09:00:00Z') }, models)
      const { isSpam, shouldEscalate } = decide(analysis, NO_EVIDENCE, policy)
      assert.equal(isSpam, expected.includes('spam'))
      if (expected.includes('review')) assert.equal(shouldEscalate, true)
    })
  }
})
