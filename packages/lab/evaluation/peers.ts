/** Other filters on the files that our models are measured on, each trained on the same mail where it learns. */
import { startProgress } from '../../terminal/progress.ts'
import type { Sample } from '../corpora/sample.ts'
import { BOGOFILTER } from '../peers/bogofilter.ts'
import type { Peer, PeerVerdict } from '../peers/peer.ts'
import { RSPAMD_RULES, RSPAMD_TRAINED } from '../peers/rspamd.ts'
import { judgeAfterTraining } from '../peers/run-peers.ts'
import { SPAMASSASSIN_RULES, SPAMASSASSIN_TRAINED } from '../peers/spamassassin.ts'
import { isUnthreadedOrSpam } from './measurements.ts'

const PEERS: readonly Peer[] = [
  RSPAMD_RULES,
  RSPAMD_TRAINED,
  SPAMASSASSIN_RULES,
  SPAMASSASSIN_TRAINED,
  BOGOFILTER,
]

/** Sources that peers are asked about, left out of what they learn. */
export const PEER_SOURCES = ['household_2025', 'lists'] as const

/** Scored beside it, as by our models. */
const SCORED_WITH_NEVER_TRAINED = 'household_2025'

/** Messages of one source and label that peers are asked about: SpamAssassin judges four a second. */
export const MESSAGES_MAX = 200

/** A filter in one mode; a row of the comparison. */
export interface PeerResult extends Pick<Peer, 'name' | 'mode'> {
  /** Undefined when it is not installed. */
  readonly version: string | undefined
  /** By `peerKey`; empty when it is not installed or could not be run in this mode. */
  readonly verdicts: ReadonlyMap<string, PeerVerdict>
  /** Why it could not be run, where it is installed and could not. */
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
  const verdicts = new Map(present.map((peer) => [peer, new Map<string, PeerVerdict>()]))
  const failures = new Map<Peer, string>()
  for (const { training, asked } of rounds) {
    for (const run of await judgeAfterTraining(present, training, asked, () => judging.advance())) {
      if (run.failure !== undefined) failures.set(run.peer, run.failure)
      run.verdicts.forEach((verdict, i) => {
        verdicts.get(run.peer)!.set(peerKey(asked[i]!), verdict)
      })
    }
  }
  judging.end()
  return PEERS.map((peer) => {
    const { name, mode } = peer
    const failure = failures.get(peer)
    const result = { name, mode, version: peer.version() }
    // A filter that fails has none of its verdicts shown.
    if (failure !== undefined) return { ...result, verdicts: new Map(), failure }
    return { ...result, verdicts: verdicts.get(peer) ?? new Map() }
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
function evenly<T>(items: readonly T[], max: number): T[] {
  if (items.length <= max) return [...items]
  return Array.from({ length: max }, (_, i) => items[Math.floor((i * items.length) / max)]!)
}
