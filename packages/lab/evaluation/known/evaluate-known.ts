/**
 * What the knowledge of senders and hosts says of mail with labels: how much ham and spam comes from
 * known senders and what vouches for them, by source.
 */
import { falsePositiveRate } from '../../../mail/knowledge/domain-table.ts'
import { countsByKind, encodeKnowledge } from '../../../mail/knowledge/knowledge-artifact.ts'
import { networkCount } from '../../../mail/knowledge/network-table.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { knownAspect } from '../../../mail/signals/known.ts'
import type { SignalName } from '../../../mail/signals/signals.ts'
import { startProgress } from '../../../terminal/progress.ts'
import { CORPUS_FACTS, CORPUS_KNOWLEDGE } from '../../corpora/facts.ts'
import { readCorpora } from '../../corpora/read.ts'
import type { Sample } from '../../corpora/sample.ts'
import { KNOWN_SENDERS, type KnownSender, senderOf } from './sender.ts'
import { type LeftOutVerdicts, leftOutVerdicts } from './verdicts.ts'

/** The messages of one source and label. */
export interface KnownCounts {
  readonly source: string
  readonly spam: boolean
  readonly messages: number
  readonly senders: Readonly<Record<KnownSender, number>>
  readonly signals: ReadonlyMap<SignalName, number>
}

export interface KnownEvaluation extends LeftOutVerdicts {
  readonly version: string
  readonly domains: Readonly<Record<string, number>>
  readonly networks: number
  readonly falsePositiveRate: number
  readonly counts: readonly KnownCounts[]
  readonly artifactBytes: number
  readonly memoryBytes: number
}

/** @throws TamisError CORPUS_INVALID when there is nothing to look at. */
export function evaluateKnown(corpora: string): KnownEvaluation {
  const hasLabel = ({ spam }: Sample) => spam !== undefined
  const trainable = readCorpora(corpora, 'train').filter(hasLabel)
  const samples = [...trainable, ...readCorpora(corpora, 'evaluate').filter(hasLabel)]
  const reading = startProgress('read', samples.length)
  const counts = countsOf(samples, () => reading.advance())
  reading.end()
  const leftOut = leftOutVerdicts(samples, trainable.length)
  const { version, domains, networks } = CORPUS_KNOWLEDGE
  const arrays = [domains.hashes, domains.kinds, domains.buckets, networks.starts, networks.ends]
  return {
    version,
    domains: countsByKind(domains),
    networks: networkCount(networks),
    falsePositiveRate: falsePositiveRate(domains),
    counts,
    ...leftOut,
    artifactBytes: encodeKnowledge(CORPUS_KNOWLEDGE).length,
    memoryBytes: arrays.reduce((sum, { byteLength }) => sum + byteLength, 0),
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
