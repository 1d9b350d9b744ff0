/** Other filters on the files that our models are measured on, each trained on the same mail where it learns. */
import { startProgress } from '../../terminal/progress.ts'
import type { Sample } from '../corpora/sets.ts'
import { BOGOFILTER } from '../peers/bogofilter.ts'
import { RSPAMD } from '../peers/rspamd.ts'
import { judgeAfterTraining, type PeerVerdict } from '../peers/run-peers.ts'
import { SPAMASSASSIN } from '../peers/spamassassin.ts'
import { isUnthreadedOrSpam } from './measurements.ts'

const PEERS = [RSPAMD, SPAMASSASSIN, BOGOFILTER]

/** Sources that peers are asked about, left out of what they learn. */
export const PEER_SOURCES = ['household_2025', 'lists'] as const

/** Scored beside it, as by our models. */
const SCORED_WITH_NEVER_TRAINED = 'household_2025'

/** Messages of one source and label that peers are asked about: SpamAssassin judges four a second. */
export const MESSAGES_MAX = 200

/** A row of the comparison. */
export interface PeerResult {
  readonly name: string
  /** Undefined when it is not installed. */
  readonly version: string | undefined
  /** By `peerKey`; empty when it is not installed or could not be run. */
  readonly verdicts: ReadonlyMap<string, PeerVerdict>
  /** Why it could not be run, where it is installed. */
  readonly failure?: string
}

/** Names a message among the verdicts. */
export function peerKey({ source, id }: Pick<Sample, 'source' | 'id'>): string {
  return `${source}/${id}`
}

/** What the peers say of `sources`, those of PEER_SOURCES that were measured. */
export async function askPeers(
  samples: readonly Sample[],
  neverTrained: readonly Sample[],
  sources: readonly string[],
): Promise<PeerResult[]> {
  const rounds = sources.map((source) => roundFor(source, samples, neverTrained))
  const present = PEERS.filter(({ version }) => version() !== undefined)
  const asked = rounds.reduce((sum, round) => sum + round.asked.length, 0)
  const judging = startProgress('peers', asked * present.length)
  const results = new Map<string, PeerResult>()
  for (const { training, asked } of rounds) {
    for (const run of await judgeAfterTraining(present, training, asked, () => judging.advance())) {
      const { name, version } = run.peer
      const before = results.get(name)
      const failure = run.failure ?? before?.failure
      const verdicts = run.verdicts.map((verdict, i) => [peerKey(asked[i]!), verdict] as const)
      results.set(name, {
        name,
        version: version(),
        verdicts: new Map([...(before?.verdicts ?? []), ...verdicts]),
        ...(failure === undefined ? {} : { failure }),
      })
    }
  }
  judging.end()
  return PEERS.map(({ name, version }) => {
    const result: PeerResult = results.get(name) ?? {
      name,
      version: version(),
      verdicts: new Map(),
    }
    // A filter that fails has none of its verdicts shown.
    return result.failure === undefined ? result : { ...result, verdicts: new Map() }
  })
}

/** A source left out, and what is asked about then. */
interface Round {
  readonly training: readonly Sample[]
  readonly asked: readonly Sample[]
}

function roundFor(
  source: string,
  samples: readonly Sample[],
  neverTrained: readonly Sample[],
): Round {
  const own = samples.filter((sample) => sample.source === source)
  const comparable = source === 'lists' ? own.filter(isUnthreadedOrSpam) : own
  const beside = source === SCORED_WITH_NEVER_TRAINED ? neverTrained : []
  const labels = [true, false].map((spam) => comparable.filter((sample) => sample.spam === spam))
  return {
    training: samples.filter((sample) => sample.source !== source && sample.spam !== undefined),
    asked: [...labels, beside].flatMap((messages) => evenly(messages, MESSAGES_MAX)),
  }
}

/** `max` of `items`, evenly spaced; all when there are no more. */
export function evenly<T>(items: readonly T[], max: number): T[] {
  if (items.length <= max) return [...items]
  return Array.from({ length: max }, (_, i) => items[Math.floor((i * items.length) / max)]!)
}
