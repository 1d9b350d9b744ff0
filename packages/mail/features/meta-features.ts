/**
 * Features of how a message is made: its signals, and counts in bins.
 *
 * Unlike the features of the text they are not hashed: there are a few hundred, and each has a name,
 * so that an explanation can say `DATE_IN_FUTURE` or `links 8-15`.
 *
 * Signals about the delivery are left out: the chain of Received fields and the envelope identify the
 * receiving system, and so the collector of a corpus (docs/data.md).
 */
import type { Message } from '../message/message.ts'
import { COUNT_NAMES, type CountName, counts } from '../signals/counts.ts'
import type { Signal } from '../signals/signal.ts'
import { SIGNALS, type SignalName } from '../signals/table.ts'
import { newSparseVector, type SparseVector } from './sparse-vector.ts'

/** How many bins a count c has. Bin 0 holds 0, bin b > 0 holds 2^(b-1) <= c < 2^b, the last bin also all above. */
const BINS = 12

/** Shares lie in [0, 1]; as hundredths they fall into the same bins. */
const SHARE_SCALE = 100

const DELIVERY_ASPECTS: readonly string[] = ['sender', 'received']
const DELIVERY_COUNTS: readonly CountName[] = ['hops', 'recipients']

const FEATURE_SIGNALS: readonly SignalName[] = SIGNALS.filter(
  ({ aspect }) => !DELIVERY_ASPECTS.includes(aspect),
).map(({ name }) => name)
const FEATURE_COUNTS: readonly CountName[] = COUNT_NAMES.filter(
  (name) => !DELIVERY_COUNTS.includes(name),
)

/** What each count is multiplied by, in step with FEATURE_COUNTS. */
const COUNT_SCALES = FEATURE_COUNTS.map((name) => (name.endsWith('Share') ? SHARE_SCALE : 1))

/** Count by count, each from its lowest bin to its highest. */
const BIN_NAMES: readonly string[] = FEATURE_COUNTS.flatMap((name) =>
  Array.from({ length: BINS }, (_, bin) => binName(name, bin)),
)

/** Names of all meta features that this code draws, in the order in which training numbers them. */
export const META_FEATURE_NAMES: readonly string[] = [...FEATURE_SIGNALS, ...BIN_NAMES]

/** Which index each meta feature has in the vectors of a model. */
export interface MetaNumbering {
  /** The names of all features that the model knows, by index; also of those that this code does not draw. */
  readonly names: readonly string[]
  /** Index of each signal that has one. */
  readonly signals: ReadonlyMap<SignalName, number>
  /** Index of each bin of each count, -1 where it has none. Shape (FEATURE_COUNTS, BINS), row by row. */
  readonly bins: Int32Array
}

/** The numbering of a model that knows the features `names`, no name twice, in the order of its weights. */
export function metaNumbering(names: readonly string[]): MetaNumbering {
  const indexOf = new Map(names.map((name, index) => [name, index]))
  const signals = FEATURE_SIGNALS.flatMap((name): [SignalName, number][] => {
    const index = indexOf.get(name)
    return index === undefined ? [] : [[name, index]]
  })
  const bins = BIN_NAMES.map((name) => indexOf.get(name) ?? -1)
  return { names, signals: new Map(signals), bins: Int32Array.from(bins) }
}

/** That of a model that this code trains. */
export const META_NUMBERING: MetaNumbering = metaNumbering(META_FEATURE_NAMES)

/** Shape (names,) of `numbering`; 1 where a signal is raised, and at the bin of each count. */
export function metaFeatures(
  message: Message,
  signals: readonly Signal[],
  numbering: MetaNumbering,
  values: Record<CountName, number> = counts(message),
): SparseVector {
  // No index occurs twice: no signal is raised twice, and each count is in one bin.
  const indices: number[] = []
  for (const signal of signals) {
    const index = numbering.signals.get(signal.name)
    if (index !== undefined) indices.push(index)
  }
  for (let position = 0; position < FEATURE_COUNTS.length; position++) {
    const value = values[FEATURE_COUNTS[position]!] * COUNT_SCALES[position]!
    const index = numbering.bins[position * BINS + binOf(value)]!
    if (index >= 0) indices.push(index)
  }
  const vector = newSparseVector(numbering.names.length, indices.length)
  vector.indices.set(indices)
  vector.values.fill(1)
  return vector
}

/** `vector`, whose indices are positions in `names`, as one of `numbering`; what that does not know is left out. */
export function renumbered(
  vector: SparseVector,
  names: readonly string[],
  numbering: MetaNumbering,
): SparseVector {
  const indexOf = new Map(numbering.names.map((name, index) => [name, index]))
  const entries = Array.from(vector.indices, (from, position) => ({
    index: indexOf.get(names[from]!),
    value: vector.values[position]!,
  })).filter(({ index }) => index !== undefined)
  return {
    size: numbering.names.length,
    indices: Uint32Array.from(entries, ({ index }) => index!),
    values: Float32Array.from(entries, ({ value }) => value),
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
