/** A message judged in process, as a worker and the main thread do between them, and what that took. */

import { readKnowledge, readModels } from '../../../artifact-files/artifact-files.ts'
import { TamisError } from '../../../errors/errors.ts'
import { type AnalyseMeans, type AnalyseOptions, analyse } from '../../analyse.ts'
import type { Knowledge } from '../../knowledge/knowledge.ts'
import { memoryOctets, type Octets } from '../../message/octets.ts'
import type { Models } from '../../models/models.ts'
import type { Facts } from '../../signals/signal.ts'
import type { Analysis } from '../../verdict/analysis.ts'
import { decide } from '../../verdict/decide.ts'
import { type Diagnostic, diagnostic } from '../../verdict/diagnostic.ts'
import { NO_EVIDENCE } from '../../verdict/evidence.ts'
import { type Policy, policyFor } from '../../verdict/policy.ts'
import type { Verdict } from '../../verdict/verdict.ts'

const FACTS: Facts = {
  now: new Date('2026-11-20T12:00:00Z'),
  senderIp: '192.0.2.1',
  mailFrom: 'ada@example.com',
}

/** What judges messages: opened once for all inputs. */
export interface Judge {
  readonly models: Models
  readonly knowledge: Knowledge
  readonly policy: Policy
}

export interface Judged {
  readonly analysis: Analysis
  readonly verdict: Verdict
}

/** All that comes out of one message. */
export interface Reading extends Judged {
  readonly diagnostic: Diagnostic
}

/** With the shipped models. */
export async function openJudge(): Promise<Judge> {
  const models = await readModels()
  const knowledge = await readKnowledge()
  const settings = { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true } as const
  return { models, knowledge, policy: policyFor(models, settings) }
}

/** As most requests have it; undefined for NOT_A_MESSAGE. Throws what else is thrown: nothing may be. */
export function judged(
  { models, knowledge, policy }: Judge,
  octets: Octets,
  options: AnalyseOptions & AnalyseMeans = {},
): Judged | undefined {
  try {
    const now = () => performance.now()
    const analysis = analyse(octets, FACTS, models, { knowledge, now, ...options })
    return { analysis, verdict: decide(analysis, NO_EVIDENCE, policy) }
  } catch (error) {
    if (error instanceof TamisError && error.code === 'NOT_A_MESSAGE') return undefined
    throw error
  }
}

/** With all that a diagnostic and a correction ask for. */
export function read(
  judge: Judge,
  octets: Octets,
  options: AnalyseOptions & AnalyseMeans = {},
): Reading | undefined {
  const all = { detail: true, personal: true, eventFeatures: true, ...options }
  const result = judged(judge, octets, all)
  return result && { ...result, diagnostic: diagnostic(result.analysis, NO_EVIDENCE, judge.policy) }
}

export function readBytes(judge: Judge, bytes: Uint8Array): Reading | undefined {
  return read(judge, memoryOctets(bytes))
}
