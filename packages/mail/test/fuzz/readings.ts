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

/** All that comes out of one message; undefined analysis for bytes that are none. */
export interface Reading {
  readonly analysis: Analysis
  readonly verdict: Verdict
  readonly diagnostic: Diagnostic
}

/** With the shipped models. */
export async function openJudge(): Promise<Judge> {
  const models = await readModels()
  const knowledge = await readKnowledge()
  const settings = { threshold: 'balanced', spamPrior: 0.5, spamEntitled: true } as const
  return { models, knowledge, policy: policyFor(models, settings) }
}

/** Undefined for NOT_A_MESSAGE. Throws what else is thrown: nothing may be. */
export function read(
  judge: Judge,
  octets: Octets,
  options: AnalyseOptions & AnalyseMeans = {},
): Reading | undefined {
  const analysis = analysisOf(judge, octets, options)
  if (analysis === undefined) return undefined
  return {
    analysis,
    verdict: decide(analysis, NO_EVIDENCE, judge.policy),
    diagnostic: diagnostic(analysis, NO_EVIDENCE, judge.policy),
  }
}

/** As `read`, but for what a diagnostic shows. */
export function verdictWithoutDetail(judge: Judge, bytes: Uint8Array): Verdict | undefined {
  const analysis = analysisOf(judge, memoryOctets(bytes), { detail: false })
  return analysis && decide(analysis, NO_EVIDENCE, judge.policy)
}

/** As most requests have it: neither for a diagnostic nor for a correction. */
export function readPlainly(
  judge: Judge,
  bytes: Uint8Array,
): Pick<Reading, 'analysis' | 'verdict'> | undefined {
  try {
    const analysis = analyse(memoryOctets(bytes), FACTS, judge.models, {
      knowledge: judge.knowledge,
      now: () => performance.now(),
    })
    return { analysis, verdict: decide(analysis, NO_EVIDENCE, judge.policy) }
  } catch (error) {
    return undefinedIfNone(error)
  }
}

export function readBytes(judge: Judge, bytes: Uint8Array): Reading | undefined {
  return read(judge, memoryOctets(bytes))
}

function analysisOf(
  { models, knowledge }: Judge,
  octets: Octets,
  options: AnalyseOptions & AnalyseMeans,
): Analysis | undefined {
  try {
    return analyse(octets, FACTS, models, {
      detail: true,
      knowledge,
      personal: true,
      eventFeatures: true,
      now: () => performance.now(),
      ...options,
    })
  } catch (error) {
    return undefinedIfNone(error)
  }
}

function undefinedIfNone(error: unknown): undefined {
  if (error instanceof TamisError && error.code === 'NOT_A_MESSAGE') return undefined
  throw error
}

/** The same for the same reading, whatever time it took. */
export function fingerprint(reading: Reading | undefined): string {
  if (reading === undefined) return 'no message'
  const { analysis, diagnostic } = reading
  const untimed = { ...analysis, timing: null, diagnostic: { ...diagnostic, timing: null } }
  return JSON.stringify(untimed, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  )
}
