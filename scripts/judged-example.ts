/** What the service says of an example, for the documents that show it: with the shipped models and no user. */
import { analyse } from '../src/classify.ts'
import { policySettings, readConfig } from '../src/config.ts'
import { memoryOctets } from '../src/message/octets.ts'
import { embedElsewhere } from '../src/personalization/personal-analysis.ts'
import { readModels } from '../src/storage/artifact-files.ts'
import { openEmbedding } from '../src/storage/open-embedding.ts'
import type { Analysis } from '../src/verdict/analysis.ts'
import { type Policy, policyFor } from '../src/verdict/policy.ts'

export interface JudgedExample {
  readonly analysis: Analysis
  readonly policy: Policy
}

/** Examples say when they arrived; the clock is only never to be before that. */
const NOW = new Date('2027-01-01T00:00:00Z')

/** Decimals shown of a score: the last ones of a computed number are the processor's. */
const DECIMALS = 4

/** The analysis of `bytes`, with all its detail, as the stream forms make it with defaults. */
export async function judgedExample(
  bytes: Uint8Array,
  mailFrom: string | undefined,
): Promise<JudgedExample> {
  const models = await readModels()
  const embedding = await openEmbedding(undefined)
  try {
    const facts = { now: NOW, ...(mailFrom === undefined ? {} : { mailFrom }) }
    const options = { detail: true, personal: embedding.embedder }
    const analysis = analyse(memoryOctets(bytes), facts, models, options)
    const personal = await embedElsewhere(analysis.personal!, embedding.model)
    const policy = policyFor(models, policySettings(readConfig({}, () => '{}')))
    return { analysis: { ...analysis, personal }, policy }
  } finally {
    await embedding.close()
  }
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
