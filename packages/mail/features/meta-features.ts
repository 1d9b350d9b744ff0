/**
 * Features of how a message is made: its signals, and counts in bins.
 *
 * Unlike the text's they are not hashed: there are a few hundred, each has a name, and so an
 * explanation can say `DATE_IN_FUTURE` or `links 8-15`.
 *
 * Signals of the delivery are left out: the chain of Received fields and the envelope tell one
 * receiving system from another, and corpora by who collected them (docs/data.md).
 */
import type { Message } from '../message/message.ts'
import { COUNT_NAMES, type CountName, counts } from '../signals/counts.ts'
import type { Signal } from '../signals/signal.ts'
import { type AspectName, SIGNAL_NAMES, SIGNALS, type SignalName } from '../signals/signals.ts'
import type { SparseVector } from './sparse-vector.ts'

/** Bins of a count c: 0, then by doubling. Bin b > 0 holds 2^(b-1) <= c < 2^b; the last holds all above. */
const BINS = 12

/** Shares lie in [0, 1]; as hundredths they fall into the same bins. */
const SHARE_SCALE = 100

const DELIVERY_ASPECTS: readonly AspectName[] = ['sender', 'received']
const DELIVERY_COUNTS: readonly CountName[] = ['hops', 'recipients']

const FEATURE_SIGNALS: readonly SignalName[] = SIGNAL_NAMES.filter(
  (name) => !DELIVERY_ASPECTS.includes(SIGNALS[name].aspect),
)
const FEATURE_COUNTS: readonly CountName[] = COUNT_NAMES.filter(
  (name) => !DELIVERY_COUNTS.includes(name),
)

/** What each count is multiplied by, in step with FEATURE_COUNTS. */
const COUNT_SCALES = FEATURE_COUNTS.map((name) => (name.endsWith('Share') ? SHARE_SCALE : 1))

/** Names of all meta features, in the order of their indices. */
export const META_FEATURE_NAMES: readonly string[] = [
  ...FEATURE_SIGNALS,
  ...FEATURE_COUNTS.flatMap((name) => Array.from({ length: BINS }, (_, bin) => binName(name, bin))),
]

export const META_FEATURES_SIZE: number = META_FEATURE_NAMES.length

const SIGNAL_INDEX = new Map<SignalName, number>(
  FEATURE_SIGNALS.map((name, index) => [name, index]),
)

/** Shape (META_FEATURES_SIZE,); 1 where a signal is raised, and at the bin of each count. */
export function metaFeatures(
  message: Message,
  signals: readonly Signal[],
  values: Record<CountName, number> = counts(message),
): SparseVector {
  // No index twice: signals raises no name twice, and each count is in one bin.
  const indices: number[] = []
  for (const signal of signals) {
    const index = SIGNAL_INDEX.get(signal.name)
    if (index !== undefined) indices.push(index)
  }
  for (let position = 0; position < FEATURE_COUNTS.length; position++) {
    const value = values[FEATURE_COUNTS[position]!] * COUNT_SCALES[position]!
    indices.push(FEATURE_SIGNALS.length + position * BINS + binOf(value))
  }
  return {
    size: META_FEATURES_SIZE,
    indices: Uint32Array.from(indices),
    values: new Float32Array(indices.length).fill(1),
  }
}

/** 0 for less than 1, else one more than the binary logarithm, cut at the last bin. */
function binOf(value: number): number {
  return value < 1 ? 0 : Math.min(BINS - 1, 32 - Math.clz32(Math.floor(value)))
}

function binName(name: CountName, bin: number): string {
  const low = bin === 0 ? 0 : 2 ** (bin - 1)
  if (bin === BINS - 1) return `${name} >= ${low}`
  const high = 2 ** bin - 1
  return bin < 2 ? `${name} ${low}` : `${name} ${low}-${high}`
}
