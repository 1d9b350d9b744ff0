/** Samples -> features: what serving draws from a message, drawn once for all fits. */
import { META_NUMBERING, metaFeatures } from '../../mail/features/meta-features.ts'
import type { SparseVector } from '../../mail/features/sparse-vector.ts'
import { type ReadTexts, readTexts, textFeatures } from '../../mail/features/text-features.ts'
import { parseAddresses } from '../../mail/message/address.ts'
import { registrableDomain } from '../../mail/message/domain.ts'
import { headerBody, type Message } from '../../mail/message/message.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import { parseMessage } from '../../mail/message/parse.ts'
import { signals } from '../../mail/signals/signals.ts'
import { readerText } from '../../mail/signals/text.ts'
import { CORPUS_FACTS, CORPUS_KNOWLEDGE } from '../corpora/facts.ts'
import type { Sample } from '../corpora/sets.ts'
import { clusters, DisjointSets, type Signature, signatureOf } from './near-duplicates.ts'

/** A sample as the models see it. The bytes are let go. */
export interface Example extends Omit<Sample, 'bytes'> {
  readonly text: SparseVector
  readonly meta: SparseVector
  /** What the features of its stretches are drawn from, once a model says which stretch is the worst. */
  readonly texts: ReadTexts
  /** Within its source: examples of one group never stand on both sides of a split. */
  readonly group: string
  /** Over all sources: the same number for messages that say nearly the same. */
  readonly campaign: number
}

/** What is drawn from one message alone. */
interface Drawn extends Omit<Example, 'group' | 'campaign'> {
  /** One sender's registrable domain, a collection, or the kind of a written message. */
  readonly origin: string
  readonly signature: Signature
}

/** The examples of `samples`, in step. `onDrawn` is called after each. */
export function examplesOf(samples: readonly Sample[], onDrawn: () => void = () => {}): Example[] {
  const drawn = samples.map((sample) => {
    const found = drawnFrom(sample)
    onDrawn()
    return found
  })
  const campaigns = clusters(drawn.map(({ signature }) => signature))
  const groups = groupsOf(drawn, campaigns)
  return drawn.map(({ origin: _origin, signature: _signature, ...example }, i) => ({
    ...example,
    group: groups[i]!,
    campaign: campaigns[i]!,
  }))
}

function drawnFrom(sample: Sample): Drawn {
  const { bytes, ...labels } = sample
  const message = parseMessage(memoryOctets(bytes))
  const found = signals(message, CORPUS_FACTS, CORPUS_KNOWLEDGE)
  return {
    ...labels,
    text: textFeatures(message).vector,
    meta: metaFeatures(message, found, META_NUMBERING),
    texts: readTexts(message),
    origin: originOf(sample, message),
    signature: signatureOf(`${message.subject} ${readerText(message)}`),
  }
}

/** One name for all origins of a source that campaigns or contrast pairs connect: the first of them. */
function groupsOf(drawn: readonly Drawn[], campaigns: Uint32Array): string[] {
  const origins = firstPositions(drawn.map(({ source, origin }) => `${source} ${origin}`))
  const copies = firstPositions(drawn.map(({ source }, i) => `${source} ${campaigns[i]}`))
  const pairs = firstPositions(
    drawn.map(({ source, pair }, i) => (pair === undefined ? String(i) : `${source} ${pair}`)),
  )
  const sets = new DisjointSets(drawn.length)
  drawn.forEach((_, i) => {
    sets.join(i, origins[i]!)
    sets.join(i, copies[i]!)
    sets.join(i, pairs[i]!)
  })
  return drawn.map(({ source }, i) => `${source} ${drawn[sets.first(i)]!.origin}`)
}

/** For each name, the position where it stands first. */
function firstPositions(names: readonly string[]): number[] {
  const firsts = new Map<string, number>()
  return names.map((name, i) => {
    if (!firsts.has(name)) firsts.set(name, i)
    return firsts.get(name)!
  })
}

/**
 * The kind of a written message, or where a message was collected; else the sender's domain, since
 * one sender's mail is alike.
 */
function originOf({ kind, collection }: Sample, message: Message): string {
  if (kind !== undefined) return kind
  if (collection !== undefined) return collection
  const domain = parseAddresses(headerBody(message, 'from') ?? '')[0]?.domain ?? ''
  return registrableDomain(domain)
}
