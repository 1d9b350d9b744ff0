/** How much processor time messages take from bytes to verdict, by stage, on this thread. */
import { analyse } from '../../mail/analyse.ts'
import type { Knowledge } from '../../mail/knowledge/knowledge.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import type { Models } from '../../mail/models/models.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { decide } from '../../mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../../mail/verdict/evidence.ts'
import type { Policy } from '../../mail/verdict/policy.ts'
import { factsHere } from './delivery-options.ts'

export interface Round {
  /** User and system time of the process, compiler and garbage collector included, in milliseconds. */
  readonly cpuMs: number
  /** Wall-clock time by stage, in milliseconds. */
  readonly stages: Record<keyof Analysis['timing'] | 'decide', number>
}

/** Analyses and decides each of `messages`, with `afterEach` between them, whose time counts too. */
export function measureRound(
  messages: readonly Uint8Array[],
  models: Models,
  knowledge: Knowledge,
  policy: Policy,
  afterEach: () => void = () => {},
): Round {
  const stages = { parse: 0, signals: 0, features: 0, models: 0, decide: 0 }
  const facts = factsHere()
  const now = () => performance.now()
  const before = process.cpuUsage()
  for (const bytes of messages) {
    const analysis = analyse(memoryOctets(bytes), facts, models, { now, knowledge })
    const analysed = now()
    decide(analysis, NO_EVIDENCE, policy)
    stages.decide += now() - analysed
    for (const [stage, ms] of Object.entries(analysis.timing))
      stages[stage as keyof typeof stages] += ms
    afterEach()
  }
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1_000, stages }
}
