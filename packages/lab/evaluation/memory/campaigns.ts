/**
 * Campaigns, and how much of one a single correction decides. A campaign is near-duplicates of one source by what their senders
 * wrote, not by footers and frames; thresholds were chosen on one half of them. Of every campaign a few members are corrected in
 * turn, each time for a user who has corrected nothing else.
 */
import { analyse } from '../../../mail/analyse.ts'
import { passagesOf } from '../../../mail/embedding/passages.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { packMemory } from '../../../mail/personalization/memory.ts'
import { memoryVote } from '../../../mail/personalization/memory-votes.ts'
import { indexRules } from '../../../mail/personalization/rule-index.ts'
import { matchRules, UNKNOWN_SENDER } from '../../../mail/personalization/rules.ts'
import { templateMatches } from '../../../mail/personalization/template.ts'
import type { Analysis } from '../../../mail/verdict/analysis.ts'
import { decide } from '../../../mail/verdict/decide.ts'
import { type Evidence, NO_EVIDENCE } from '../../../mail/verdict/evidence.ts'
import type { Policy } from '../../../mail/verdict/policy.ts'
import { CORPUS_FACTS } from '../../corpora/facts.ts'
import type { Sample } from '../../corpora/sample.ts'
import { areCopies, clusters, type Signature, signatureOf } from '../../training/near-duplicates.ts'
import { meanOf, shareOf } from '../metrics.ts'
import {
  embedded,
  type MemoryMeans,
  queryOf,
  type Remembered,
  rememberedOf,
  senderRules,
  storedItem,
} from './remembered.ts'

/** Which half of the campaigns: thresholds are chosen on the first and reported on the second. */
export type Half = 'choosing' | 'reporting'

export const HALVES: readonly Half[] = ['choosing', 'reporting']

/** Messages from which near-duplicates are a campaign. */
const CAMPAIGN_MIN = 3

export interface MemorySample extends Remembered {
  readonly source: string
  readonly spam: boolean
  readonly half: Half
  /** Equal for near-duplicates of one source. */
  readonly group: string
  readonly inCampaign: boolean
  /** Of its own text; undefined for written mail and texts of a few words. */
  readonly signature: Signature
  /** What the models say; of spam with a signature alone. */
  readonly analysis?: Analysis
}

type Drawn = Omit<MemorySample, 'half' | 'group' | 'inCampaign'>

/**
 * Those of `samples` that say whether they are spam, and of campaigns with their embeddings. Renderings of a written text are
 * no campaign.
 */
export async function memorySamples(
  samples: readonly Sample[],
  means: MemoryMeans,
): Promise<MemorySample[]> {
  const drawn = samples.flatMap((sample) => draw(sample, means))
  const sources = [...new Set(drawn.map(({ source }) => source))]
  const all = sources.flatMap((source) => grouped(drawn.filter((one) => one.source === source)))
  const ofCampaigns = await embedded(all.filter(({ inCampaign }) => inCampaign))
  return [...ofCampaigns, ...all.filter(({ inCampaign }) => !inCampaign)]
}

function draw({ source, bytes, spam }: Sample, means: MemoryMeans): Drawn[] {
  if (spam === undefined) return []
  const message = parseMessage(memoryOctets(bytes))
  const { subject, own } = passagesOf(message, means.models.commonText)
  const signature = source === 'written' ? undefined : signatureOf(`${subject} ${own}`)
  const drawn = { source, spam, ...rememberedOf(message, means), signature }
  if (!spam || signature === undefined) return [drawn]
  const options = { knowledge: means.knowledge }
  return [{ ...drawn, analysis: analyse(memoryOctets(bytes), CORPUS_FACTS, means.models, options) }]
}

function grouped(drawn: readonly Drawn[]): MemorySample[] {
  const firsts = [...clusters(drawn.map(({ signature }) => signature))]
  const sizes = new Map<number, number>()
  for (const first of firsts) sizes.set(first, (sizes.get(first) ?? 0) + 1)
  const order = new Map([...sizes.keys()].map((first, i) => [first, i]))
  return drawn.map((sample, i) => ({
    ...sample,
    half: HALVES[order.get(firsts[i]!)! % HALVES.length]!,
    group: `${sample.source} ${firsts[i]}`,
    inCampaign: sizes.get(firsts[i]!)! >= CAMPAIGN_MIN,
  }))
}

/** The campaigns of one half, each with its members in order. */
export function campaignsOf(samples: readonly MemorySample[], half: Half): MemorySample[][] {
  const members = samples.filter((sample) => sample.inCampaign && sample.half === half)
  return [...Map.groupBy(members, ({ group }) => group).values()]
}

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

function haveOneTemplate([one, other]: Pair): boolean {
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
