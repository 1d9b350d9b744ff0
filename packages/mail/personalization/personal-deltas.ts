/**
 * What a user's own corrections add to the models for that user, beside rules and memory: a small
 * sparse correction of the spam and the class weights (personal-training.ts). Nobody else's mail is
 * judged by it, so however a user lies, nobody else is reached.
 */
import type { EventFeatures } from '../features/event-features.ts'
import type { SparseVector } from '../features/sparse-vector.ts'
import { TEXT_FEATURES_SIZE } from '../features/text-features.ts'
import { CLASSES } from '../models/prediction.ts'

/** Corrections of one kind that are learned from, the newest: 0.1 ms of CPU each. */
export const PERSONAL_EXAMPLES_MAX = 256

/** Features that are kept of a table, those with the largest weights. A table is 0.1 MB at most, that of the classes 0.3. */
export const PERSONAL_FEATURES_MAX = 8_192

/**
 * Log-odds by which a user's corrections may move a verdict, either way: a message that the models
 * are sure of takes a rule or the memory.
 */
export const PERSONAL_REACH = 3

export interface PersonalDeltas {
  /** The version of the models that they are added to; another's features have other numbers. */
  readonly modelsVersion: string
  readonly spam: PersonalTable | undefined
  readonly classes: PersonalTable | undefined
}

/** The share of slots that are taken, at most. */
const LOAD_MAX = 0.75

/** A hash table with open addressing, from features to rows of numbers. */
export interface PersonalTable {
  /** Feature + 1, or 0 for none. Text features first, then meta features. Length a power of 2. */
  readonly keys: Uint32Array
  /** Shape (keys, width): what a value of 1 adds to the logits. */
  readonly rows: Float32Array
  readonly width: number
}

/** What the deltas add for one message. */
export interface PersonalShift {
  /** To the fused log-odds of spam, in [-PERSONAL_REACH, PERSONAL_REACH]. */
  readonly spam: number
  /** To the log-odds of each class, in the order of CLASSES. */
  readonly classes: readonly number[]
}

/**
 * The table of weights learned at `features`, in rows of `width`.
 *
 * @param slopes what text and meta features are multiplied by, from weight to logit.
 */
export function personalTable(
  features: readonly number[],
  weights: Float32Array,
  width: number,
  slopes: { readonly text: number; readonly meta: number },
): PersonalTable {
  const places = largest(weights, width, features.length)
  const length = 2 ** Math.ceil(Math.log2(places.length / LOAD_MAX + 1))
  const keys = new Uint32Array(length)
  const rows = new Float32Array(length * width)
  for (const place of places) {
    const feature = features[place]!
    const slope = feature < TEXT_FEATURES_SIZE ? slopes.text : slopes.meta
    const at = slotOf(keys, feature)
    keys[at] = feature + 1
    for (let c = 0; c < width; c++) rows[at * width + c] = slope * weights[place * width + c]!
  }
  return { keys, rows, width }
}

/** The places of rows that are not zero, those with the largest number first if there are too many. */
function largest(weights: Float32Array, width: number, count: number): number[] {
  const sizes = new Float32Array(count)
  for (let i = 0; i < count * width; i++) {
    const place = Math.floor(i / width)
    sizes[place] = Math.max(sizes[place]!, Math.abs(weights[i]!))
  }
  const places = [...sizes.keys()].filter((place) => sizes[place]! > 0)
  if (places.length <= PERSONAL_FEATURES_MAX) return places
  return places.sort((a, b) => sizes[b]! - sizes[a]! || a - b).slice(0, PERSONAL_FEATURES_MAX)
}

/** What `deltas` add for a message with `features`. */
export function personalShift(
  { spam, classes }: PersonalDeltas,
  features: EventFeatures,
): PersonalShift {
  const [spamShift = 0] = spam === undefined ? [] : sumsOf(spam, features)
  return {
    spam: Math.max(-PERSONAL_REACH, Math.min(PERSONAL_REACH, spamShift)),
    classes: classes === undefined ? CLASSES.map(() => 0) : sumsOf(classes, features),
  }
}

/** About what they take up, in bytes. */
export function personalBytes({ spam, classes }: PersonalDeltas): number {
  return [spam, classes].reduce(
    (sum, table) => sum + (table === undefined ? 0 : table.keys.byteLength + table.rows.byteLength),
    0,
  )
}

function sumsOf(table: PersonalTable, { text, meta }: EventFeatures): number[] {
  const sums = new Array<number>(table.width).fill(0)
  addRows(sums, table, text, 0)
  addRows(sums, table, meta, TEXT_FEATURES_SIZE)
  return sums
}

function addRows(
  sums: number[],
  { keys, rows, width }: PersonalTable,
  { indices, values }: SparseVector,
  first: number,
): void {
  for (let i = 0; i < indices.length; i++) {
    const at = slotOf(keys, first + indices[i]!)
    if (keys[at] === 0) continue
    for (let c = 0; c < width; c++) sums[c]! += rows[at * width + c]! * values[i]!
  }
}

/** Where `feature` stands, or may stand. Ends: a quarter of the slots is empty. */
function slotOf(keys: Uint32Array, feature: number): number {
  const mask = keys.length - 1
  // Knuth's multiplicative hash, so that neighbouring features do not crowd.
  let at = (Math.imul(feature + 1, 0x9e3779b1) >>> 7) & mask
  while (keys[at] !== 0 && keys[at] !== feature + 1) at = (at + 1) & mask
  return at
}
