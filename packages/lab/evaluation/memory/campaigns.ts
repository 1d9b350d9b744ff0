/**
 * After one correction of a campaign, how much of its rest does the user's memory, or a rule,
 * decide the same way? Of every campaign a few members are corrected in turn, each time for a
 * user who has corrected nothing else.
 */

import { packMemory } from '../../../mail/personalization/memory.ts'
import { memoryVote } from '../../../mail/personalization/memory-votes.ts'
import { indexRules } from '../../../mail/personalization/rule-index.ts'
import { matchRules, UNKNOWN_SENDER } from '../../../mail/personalization/rules.ts'
import { templateMatches } from '../../../mail/personalization/template.ts'
import { decide } from '../../../mail/verdict/decide.ts'
import { type Evidence, NO_EVIDENCE } from '../../../mail/verdict/evidence.ts'
import type { Policy } from '../../../mail/verdict/policy.ts'
import { areCopies } from '../../training/near-duplicates.ts'
import { queryOf, senderRules, storedItem } from '../memory-items.ts'
import { meanOf, shareOf } from '../metrics.ts'
import type { MemorySample } from './samples.ts'

/** Members of a campaign that are corrected. */
const CORRECTED_MAX = 6

/** Shares of the rest that were called spam; means over campaigns, each weighing the same. */
export interface Reach {
  readonly campaigns: number
  readonly memory: number
  readonly memoryOrTemplate: number
  /** With the Sender rule that a correction makes by itself. */
  readonly withRules: number
  /** With what the models call spam by themselves, and alone. */
  readonly withModels: number
  readonly modelsAlone: number
}

/** Shares of pairs of a campaign, of one sender's domain, that have one template. */
export interface TemplateReach {
  readonly campaigns: number
  readonly matched: number
}

/** What decided about one member after another was corrected. */
interface Outcome {
  readonly memory: boolean
  readonly template: boolean
  readonly sender: boolean
  readonly models: boolean
  readonly verdict: boolean
}

export function reachOf(campaigns: readonly (readonly MemorySample[])[], policy: Policy): Reach {
  const outcomes = campaigns
    .map((members) => pairs(members).map((pair) => outcomeOf(pair, policy)))
    .filter((of) => of.length > 0)
  const share = (is: (outcome: Outcome) => boolean) => meanOf(outcomes.map((of) => shareOf(of, is)))
  return {
    campaigns: outcomes.length,
    memory: share(({ memory }) => memory),
    memoryOrTemplate: share(({ memory, template }) => memory || template),
    withRules: share(({ memory, template, sender }) => memory || template || sender),
    withModels: share(({ verdict, template, sender }) => verdict || template || sender),
    modelsAlone: share(({ models }) => models),
  }
}

export function templateReach(campaigns: readonly (readonly MemorySample[])[]): TemplateReach {
  const comparable = campaigns
    .map((members) => pairs(members).filter(ofOneDomain))
    .filter((of) => of.length > 0)
  return {
    campaigns: comparable.length,
    matched: meanOf(comparable.map((of) => shareOf(of, haveOneTemplate))),
  }
}

type Pair = readonly [corrected: MemorySample, other: MemorySample]

/** Copies of one another: a chain of copies may begin and end with different mail. */
function pairs(members: readonly MemorySample[]): Pair[] {
  return members
    .slice(0, CORRECTED_MAX)
    .flatMap((corrected) =>
      members
        .filter((other) => other !== corrected && areCopies(corrected.signature, other.signature))
        .map((other) => [corrected, other] as const),
    )
}

function ofOneDomain([one, other]: Pair): boolean {
  const { senderDomain } = one.patterns
  return senderDomain !== undefined && senderDomain === other.patterns.senderDomain
}

export function haveOneTemplate([one, other]: Pair): boolean {
  const { template } = other.patterns
  return template !== undefined && templateMatches(one.patterns.template ?? '', template)
}

function outcomeOf([corrected, other]: Pair, policy: Policy): Outcome {
  const item = storedItem(corrected, 'spam')
  const vote = memoryVote(packMemory([item]), queryOf(other), UNKNOWN_SENDER)
  const evidence = { ...NO_EVIDENCE, ...(vote && { memoryVote: vote }) }
  const isSpam = (known: Evidence) =>
    other.analysis !== undefined && decide(other.analysis, known, policy).isSpam
  return {
    memory: vote?.label === 'spam',
    models: isSpam(NO_EVIDENCE),
    verdict: isSpam(evidence),
    template: haveOneTemplate([corrected, other]),
    sender: hasSenderRule(corrected, other),
  }
}

function hasSenderRule(corrected: MemorySample, other: MemorySample): boolean {
  const rules = indexRules(
    [],
    senderRules([corrected], () => 'spam'),
  )
  return matchRules(rules, other.patterns, UNKNOWN_SENDER).length > 0
}
