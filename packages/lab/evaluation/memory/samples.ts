/**
 * Messages as the measurements of memory and rules see them: in campaigns (near-duplicates within
 * a source, by what their senders wrote, not by footers and frames), and these in two halves, one to choose thresholds on and one to report on.
 */
import { analyse } from '../../../mail/analyse.ts'
import { passagesOf } from '../../../mail/embedding/passages.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import type { Analysis } from '../../../mail/verdict/analysis.ts'
import { CORPUS_FACTS } from '../../corpora/facts.ts'
import type { Sample } from '../../corpora/sample.ts'
import { clusters, type Signature, signatureOf } from '../../training/near-duplicates.ts'
import { embedded, type MemoryMeans, type Remembered, rememberedOf } from '../memory-items.ts'

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
