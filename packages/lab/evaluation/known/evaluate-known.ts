/**
 * What the knowledge of senders and hosts says of mail with labels, and what it costs: how much ham
 * and spam comes from known senders and what vouches for them, by source.
 */
import { analyse } from '../../../mail/analyse.ts'
import { domainHash, falsePositiveRate, kindOfName } from '../../../mail/knowledge/domain-table.ts'
import { countsByKind, encodeKnowledge } from '../../../mail/knowledge/knowledge-artifact.ts'
import { isInNetworks, networkCount } from '../../../mail/knowledge/network-table.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import type { Models } from '../../../mail/models/models.ts'
import { knownAspect } from '../../../mail/signals/known.ts'
import { type SignalName, signals } from '../../../mail/signals/signals.ts'
import { startProgress } from '../../../terminal/progress.ts'
import { CORPUS_FACTS, CORPUS_KNOWLEDGE } from '../../corpora/facts.ts'
import { readCorpora } from '../../corpora/read.ts'
import type { Sample } from '../../corpora/sample.ts'
import { randomSource, shuffled } from '../../training/random.ts'
import { meanOf } from '../metrics.ts'
import { KNOWN_SENDERS, type KnownSender, senderOf } from './sender.ts'
import { type VerdictsBySender, verdictsBySender } from './verdicts.ts'

/** The messages of one source and label. */
export interface KnownCounts {
  readonly source: string
  readonly spam: boolean
  readonly messages: number
  readonly senders: Readonly<Record<KnownSender, number>>
  readonly signals: ReadonlyMap<SignalName, number>
}

export interface KnownCost {
  readonly artifactBytes: number
  readonly memoryBytes: number
  /** CPU time of one look-up, in nanoseconds. */
  readonly domainNs: number
  readonly networkNs: number
  /** Of made-up names, how many the table takes for one of its own. */
  readonly falsePositives: number
  readonly madeUp: number
  /** CPU time in which the aspect looks at a message that others have read, in microseconds. */
  readonly aspectUs: number
  /** CPU time of one analysis without and with it, in microseconds: the least of ROUNDS rounds in turn. */
  readonly withoutUs: number
  readonly withUs: number
}

export interface KnownEvaluation {
  readonly version: string
  readonly domains: Readonly<Record<string, number>>
  readonly networks: number
  readonly falsePositiveRate: number
  readonly counts: readonly KnownCounts[]
  readonly verdicts: VerdictsBySender
  readonly cost: KnownCost
}

/** @throws TamisError CORPUS_INVALID when there is nothing to look at. */
export function evaluateKnown(corpora: string, models: Models): KnownEvaluation {
  const hasLabel = ({ spam }: Sample) => spam !== undefined
  const trainable = readCorpora(corpora, 'train').filter(hasLabel)
  const samples = [...trainable, ...readCorpora(corpora, 'evaluate').filter(hasLabel)]
  const reading = startProgress('read', samples.length)
  const counts = countsOf(samples, () => reading.advance())
  reading.end()
  const verdicts = verdictsBySender(samples, trainable.length)
  const measuring = startProgress('measure', ROUNDS)
  const cost = costOf(samples, models, () => measuring.advance())
  measuring.end()
  const { version, domains, networks } = CORPUS_KNOWLEDGE
  return {
    version,
    domains: countsByKind(domains),
    networks: networkCount(networks),
    falsePositiveRate: falsePositiveRate(domains),
    counts,
    verdicts,
    cost,
  }
}

function countsOf(samples: readonly Sample[], onRead: () => void): KnownCounts[] {
  const groups = Map.groupBy(samples, ({ source, spam }) => `${source} ${spam}`)
  return [...groups.values()].map((own) => {
    const senders = Object.fromEntries(KNOWN_SENDERS.map((sender) => [sender, 0]))
    const signals = new Map<SignalName, number>()
    for (const { bytes } of own) {
      senders[senderOf(bytes)]! += 1
      for (const { name } of knownAspect.find(parseMessage(memoryOctets(bytes)), ARRIVED)) {
        signals.set(name, (signals.get(name) ?? 0) + 1)
      }
      onRead()
    }
    const { source, spam } = own[0]!
    return {
      source,
      spam: spam === true,
      messages: own.length,
      senders: senders as KnownCounts['senders'],
      signals,
    }
  })
}

/** What is known of corpus mail as it arrives. */
const ARRIVED = { receivedAt: CORPUS_FACTS.now, knowledge: CORPUS_KNOWLEDGE }

/** Names and addresses that are looked up to measure how long that takes. */
const LOOK_UPS = 1_000_000

/** Messages of a round, drawn from all sources. */
const ROUND_MESSAGES = 300

/** Each round analyses its messages with and without; which comes first changes every round. */
const ROUNDS = 21

const SEED = 20_261_122

function costOf(samples: readonly Sample[], models: Models, onRound: () => void): KnownCost {
  const { domains, networks } = CORPUS_KNOWLEDGE
  const names = Array.from({ length: LOOK_UPS }, (_, i) => `stranger-${i}.example`)
  const addresses = names.map((name) => {
    const hash = domainHash(name)
    return [24, 16, 8, 0].map((bits) => (hash >>> bits) & 0xff).join('.')
  })
  let falsePositives = 0
  const domainNs = nanosecondsEach(names, (name) => {
    if (kindOfName(domains, name) !== undefined) falsePositives += 1
  })
  const networkNs = nanosecondsEach(addresses, (address) => void isInNetworks(networks, address))
  const arrays = [domains.hashes, domains.kinds, domains.buckets, networks.starts, networks.ends]
  return {
    artifactBytes: encodeKnowledge(CORPUS_KNOWLEDGE).length,
    memoryBytes: arrays.reduce((sum, { byteLength }) => sum + byteLength, 0),
    domainNs,
    networkNs,
    falsePositives,
    madeUp: names.length,
    aspectUs: aspectCost(drawn(samples)),
    ...analysisCost(drawn(samples), models, onRound),
  }
}

function drawn(samples: readonly Sample[]): Uint8Array[] {
  const messages = samples.map(({ bytes }) => bytes)
  return shuffled(messages, randomSource(SEED)).slice(0, ROUND_MESSAGES)
}

/** Often enough that the clock is not what is measured. */
const REPEATS = 100

function aspectCost(messages: readonly Uint8Array[]): number {
  const costs = messages.map((bytes) => {
    const message = parseMessage(memoryOctets(bytes))
    // Other aspects have read its From and its links by then.
    signals(message, CORPUS_FACTS)
    const before = process.cpuUsage()
    for (let i = 0; i < REPEATS; i += 1) knownAspect.find(message, ARRIVED)
    return microsecondsSince(before) / REPEATS
  })
  return meanOf(costs)
}

function analysisCost(
  messages: readonly Uint8Array[],
  models: Models,
  onRound: () => void,
): Pick<KnownCost, 'withoutUs' | 'withUs'> {
  const ways = {
    without: () => analyseAll(messages, models, {}),
    with: () => analyseAll(messages, models, { knowledge: CORPUS_KNOWLEDGE }),
  }
  ways.without()
  ways.with()
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const first = round % 2 === 0 ? ways.without() : undefined
    const withUs = ways.with()
    const withoutUs = first ?? ways.without()
    onRound()
    return { withoutUs, withUs }
  })
  // Other work on the machine makes a round dearer, and never cheaper.
  return {
    withoutUs: Math.min(...rounds.map(({ withoutUs }) => withoutUs)),
    withUs: Math.min(...rounds.map(({ withUs }) => withUs)),
  }
}

/** CPU time of one analysis, in microseconds. */
function analyseAll(
  messages: readonly Uint8Array[],
  models: Models,
  options: { readonly knowledge?: typeof CORPUS_KNOWLEDGE },
): number {
  const before = process.cpuUsage()
  for (const bytes of messages) analyse(memoryOctets(bytes), CORPUS_FACTS, models, options)
  return microsecondsSince(before) / messages.length
}

function nanosecondsEach(texts: readonly string[], lookUp: (text: string) => void): number {
  const before = process.cpuUsage()
  for (const text of texts) lookUp(text)
  return (1_000 * microsecondsSince(before)) / texts.length
}

function microsecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return user + system
}
