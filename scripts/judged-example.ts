/** The service's verdict on an example, for documents that show it: with the shipped models and without a user. */

import { readKnowledge, readModels } from '../packages/artifact-files/artifact-files.ts'
import { analyse } from '../packages/mail/analyse.ts'
import { memoryOctets } from '../packages/mail/message/octets.ts'
import type { Analysis } from '../packages/mail/verdict/analysis.ts'
import { type Policy, policyFor } from '../packages/mail/verdict/policy.ts'
import { policySettings, readConfig } from '../packages/service/config.ts'

export interface JudgedExample {
  readonly analysis: Analysis
  readonly policy: Policy
}

/** The clock: examples say when they arrived, and it must not be before that. */
const NOW = new Date('2027-01-01T00:00:00Z')

/** Decimals shown of a score: the last digits of a computed number depend on the processor. */
const DECIMALS = 4

/** The analysis of `bytes`, with all its detail, as the stream forms make it with defaults. */
export async function judgedExample(
  bytes: Uint8Array,
  mailFrom: string | undefined,
): Promise<JudgedExample> {
  const models = await readModels()
  const knowledge = await readKnowledge()
  const policy = policyFor(models, policySettings(readConfig({}, () => '{}')))
  const facts = { now: NOW, ...(mailFrom === undefined ? {} : { mailFrom }) }
  const options = { detail: true, knowledge, personal: true }
  return { analysis: analyse(memoryOctets(bytes), facts, models, options), policy }
}

/** `value` with its numbers as documents show them. */
export function shown<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (_, each) => (typeof each === 'number' ? rounded(each) : each)),
  )
}

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS))
}
