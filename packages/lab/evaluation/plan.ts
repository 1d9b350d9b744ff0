/**
 * Which trainings an evaluation needs: each leaves messages out of everything (models,
 * calibration, fusion, thresholds) and is then asked about them.
 *
 * A random split over all sources gives 99 % for the wrong reasons, since each source has its own
 * era, mailbox and collector (docs/evaluation.md). So whole sources are left out; where a part of
 * one is, no group (one sender's domain, one kind of written message, and what copies connect)
 * stands on both sides. A copy in another source of what is asked about is left out with it.
 */
import { FOLDS, foldOf } from '../training/folds.ts'
import { randomSource, shuffledIndices } from '../training/random.ts'

/** Sources that are left out whole, one training each. */
const SOURCES_LEFT_OUT = [
  'household_2025',
  'lists',
  'spamassassin',
  'csdmc2010',
  'glitchyzorua',
  'bounces',
] as const

/** In the order of the report; the last three leave out parts of a source, in several trainings. */
export const MEASURES = [...SOURCES_LEFT_OUT, 'finds', 'written', 'languages'] as const

export type MeasureName = (typeof MEASURES)[number]

/** Mail that may not be trained on is scored beside this source, by models that know neither. */
const SCORED_WITH_NEVER_TRAINED: MeasureName = 'household_2025'

const HALVES_SEED = 7

/** What of an example decides where it stands. */
export interface Placed {
  readonly source: string
  readonly group: string
  readonly campaign: number
  /** ISO 639-1, for written mail. */
  readonly language?: string
}

/** One training. Positions are in the examples. */
export interface Training {
  readonly measure: MeasureName
  /** What it does not see, ascending. */
  readonly leftOut: readonly number[]
  /** What it is asked about: all of it left out. */
  readonly scored: readonly number[]
}

/**
 * The trainings for `measures`, those without a message to ask about left away.
 *
 * @param trainable of the examples, how many may be trained on: the first ones.
 */
export function planTrainings(
  examples: readonly Placed[],
  trainable: number,
  measures: readonly MeasureName[] = MEASURES,
): Training[] {
  const may = examples.slice(0, trainable)
  const never = examples.slice(trainable).map((_, i) => trainable + i)
  return measures.flatMap((measure) =>
    leftOutBy(measure, may)
      .map(({ leftOut, scored }) => {
        const asked = measure === SCORED_WITH_NEVER_TRAINED ? [...scored, ...never] : scored
        return {
          measure,
          leftOut: withCopies(examples, [...leftOut, ...never], asked),
          scored: asked,
        }
      })
      .filter(({ scored }) => scored.length > 0),
  )
}

/** `leftOut` and every copy of what is asked about, ascending. */
function withCopies(
  examples: readonly Placed[],
  leftOut: readonly number[],
  scored: readonly number[],
): number[] {
  const absent = new Set(leftOut)
  const campaigns = new Set(scored.map((i) => examples[i]!.campaign))
  return positionsOf(examples, ({ campaign }, i) => absent.has(i) || campaigns.has(campaign))
}

function leftOutBy(measure: MeasureName, examples: readonly Placed[]): Omit<Training, 'measure'>[] {
  switch (measure) {
    case 'finds':
    case 'written':
      return foldsLeftOut(examples, measure)
    case 'languages':
      return languagesLeftOut(examples)
    default:
      return [whole(positionsOf(examples, ({ source }) => source === measure))]
  }
}

/** Each fold of a source once: of the written mail by kind, of the finds by where they were found. */
function foldsLeftOut(
  examples: readonly Placed[],
  name: 'finds' | 'written',
): Omit<Training, 'measure'>[] {
  return Array.from({ length: FOLDS }, (_, fold) =>
    whole(positionsOf(examples, ({ source, group }) => source === name && foldOf(group) === fold)),
  )
}

/**
 * Both halves of the written mail in other languages than English, by kind. All of a kind is left
 * out, its English messages too; asked about are the others.
 */
function languagesLeftOut(examples: readonly Placed[]): Omit<Training, 'measure'>[] {
  const foreign = positionsOf(examples, isForeign)
  const groups = foreign.map((i) => examples[i]!.group)
  const half = halfOfGroups(groups, HALVES_SEED)
  const otherHalf = new Set(groups.filter((group) => !half.has(group)))
  return [half, otherHalf].map((side) => ({
    leftOut: positionsOf(examples, ({ group }) => side.has(group)),
    scored: foreign.filter((i) => side.has(examples[i]!.group)),
  }))
}

function isForeign({ language = 'en' }: Placed): boolean {
  return language !== 'en'
}

/** Groups in random order until they hold half of the messages. */
function halfOfGroups(groups: readonly string[], seed: number): Set<string> {
  const sizes = new Map<string, number>()
  for (const group of groups) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const names = [...sizes.keys()]
  const half = new Set<string>()
  let taken = 0
  for (const i of shuffledIndices(names.length, randomSource(seed))) {
    if (taken >= groups.length / 2) break
    half.add(names[i]!)
    taken += sizes.get(names[i]!)!
  }
  return half
}

function whole(positions: readonly number[]): Omit<Training, 'measure'> {
  return { leftOut: positions, scored: positions }
}

function positionsOf(
  examples: readonly Placed[],
  is: (example: Placed, position: number) => boolean,
): number[] {
  return examples.flatMap((example, i) => (is(example, i) ? [i] : []))
}
