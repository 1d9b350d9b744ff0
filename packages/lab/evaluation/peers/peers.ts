/**
 * Other filters on the same files, each trained on the same mail where it learns. Nothing is kept
 * from one run to the next: what an old run said of other files or versions would be no comparison.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sample } from '../../corpora/sample.ts'
import { isUnthreadedOrSpam } from '../measurements.ts'
import { BOGOFILTER } from './bogofilter.ts'
import type { Peer, PeerVerdict } from './peer.ts'
import { withoutReceivingSide } from './received-message.ts'
import { RSPAMD } from './rspamd.ts'
import { SPAMASSASSIN } from './spamassassin.ts'

const PEERS: readonly Peer[] = [RSPAMD, SPAMASSASSIN, BOGOFILTER]

/** Sources that peers are asked about, left out of what they learn. */
export const PEER_SOURCES = ['household_2025', 'lists'] as const

/** Scored beside it, as by our models. */
const SCORED_WITH_NEVER_TRAINED = 'household_2025'

/** Messages of one source and label that peers are asked about: SpamAssassin judges four a second. */
export const MESSAGES_MAX = 200

/** A filter in one mode; a row of the comparison. */
export interface PeerResult {
  readonly name: string
  /** 'rules, Bayes trained'. */
  readonly mode: string
  /** Undefined when it is not installed. */
  readonly version: string | undefined
  /** By `peerKey`; empty when it is not installed or could not be run in this mode. */
  readonly verdicts: ReadonlyMap<string, PeerVerdict>
  /** Why it could not be run, where it is installed and could not. */
  readonly failure?: string
}

/** What the peers are run on, and how their work is seen from outside. */
export interface PeerInput {
  readonly samples: readonly Sample[]
  readonly neverTrained: readonly Sample[]
  /** Those of PEER_SOURCES that were measured. */
  readonly sources: readonly string[]
  /** Called once, with how many verdicts there will be. */
  readonly onStart: (verdicts: number) => void
  readonly onJudged: () => void
}

/** Names a message among the verdicts. */
export function peerKey({ source, id }: Pick<Sample, 'source' | 'id'>): string {
  return `${source}/${id}`
}

export async function runPeers(input: PeerInput): Promise<PeerResult[]> {
  const rounds = input.sources.map((source) => roundFor(source, input))
  const installed = PEERS.filter((peer) => peer.version() !== undefined)
  const messages = rounds.reduce((sum, { asked }) => sum + asked.length, 0)
  input.onStart(messages * installed.reduce((sum, { modes }) => sum + modes.length, 0))

  const folder = mkdtempSync(join(tmpdir(), 'tamis-peers-'))
  // spamd leaves root behind and still has to come in.
  chmodSync(folder, 0o755)
  try {
    const paths = writeMessages(folder, rounds)
    const results: PeerResult[] = []
    for (const peer of PEERS)
      results.push(...(await resultsOf(peer, rounds, paths, folder, input.onJudged)))
    return results
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A source left out, and what is asked about then. */
interface Round {
  readonly source: string
  readonly training: readonly Sample[]
  readonly asked: readonly Sample[]
}

function roundFor(source: string, { samples, neverTrained }: PeerInput): Round {
  const own = samples.filter((sample) => sample.source === source)
  const comparable = source === 'lists' ? own.filter(isUnthreadedOrSpam) : own
  const beside = source === SCORED_WITH_NEVER_TRAINED ? neverTrained : []
  const labels = [true, false].map((spam) => comparable.filter((sample) => sample.spam === spam))
  return {
    source,
    training: samples.filter((sample) => sample.source !== source && sample.spam !== undefined),
    asked: [...labels, beside].flatMap((messages) => evenly(messages, MESSAGES_MAX)),
  }
}

/** `max` of `items`, evenly spaced; all when there are no more. */
function evenly<T>(items: readonly T[], max: number): T[] {
  if (items.length <= max) return [...items]
  return Array.from({ length: max }, (_, i) => items[Math.floor((i * items.length) / max)]!)
}

/** One result a mode. A filter that fails has none of its verdicts shown: the others' are worth having. */
async function resultsOf(
  peer: Peer,
  rounds: readonly Round[],
  paths: ReadonlyMap<Sample, string>,
  folder: string,
  onJudged: () => void,
): Promise<PeerResult[]> {
  const version = peer.version()
  const result = { name: peer.name, version, verdicts: new Map<string, PeerVerdict>() }
  if (version === undefined) return peer.modes.map((mode) => ({ ...result, mode }))
  try {
    const verdicts = await judgeRounds(peer, rounds, paths, folder, onJudged)
    return peer.modes.map((mode) => ({ ...result, mode, verdicts: verdicts.get(mode)! }))
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    return peer.modes.map((mode) => ({ ...result, mode, failure }))
  }
}

/** For each mode the verdicts of all rounds. */
async function judgeRounds(
  peer: Peer,
  rounds: readonly Round[],
  paths: ReadonlyMap<Sample, string>,
  folder: string,
  onJudged: () => void,
): Promise<ReadonlyMap<string, ReadonlyMap<string, PeerVerdict>>> {
  const verdicts = new Map(peer.modes.map((mode) => [mode, new Map<string, PeerVerdict>()]))
  const pathsOf = (samples: readonly Sample[]) => samples.map((sample) => paths.get(sample)!)
  for (const { source, training, asked } of rounds) {
    const scratch = join(folder, `${peer.name}-${source}`)
    mkdirSync(scratch)
    const judged = await peer.judge({
      spam: pathsOf(training.filter(({ spam }) => spam)),
      ham: pathsOf(training.filter(({ spam }) => !spam)),
      messages: pathsOf(asked),
      scratch,
      onJudged,
    })
    for (const [mode, found] of judged) {
      found.forEach((verdict, i) => {
        verdicts.get(mode)!.set(peerKey(asked[i]!), verdict)
      })
    }
  }
  return verdicts
}

/** Every message of the rounds as a file, the receiving side's fields taken out. */
function writeMessages(folder: string, rounds: readonly Round[]): Map<Sample, string> {
  const mail = join(folder, 'mail')
  mkdirSync(mail)
  const paths = new Map<Sample, string>()
  for (const sample of rounds.flatMap(({ training, asked }) => [...training, ...asked])) {
    if (paths.has(sample)) continue
    const path = join(mail, `${paths.size}.eml`)
    writeFileSync(path, withoutReceivingSide(sample.bytes))
    paths.set(sample, path)
  }
  return paths
}
