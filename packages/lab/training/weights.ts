/**
 * How much each source counts. There is most of old list mail and least of modern mail, so
 * counting every message alike would train the models on what mail looked like in 2002.
 *
 * A source's weight is shared by its messages of one label; afterwards spam and ham are scaled
 * to the same sum, which makes the models' prior 50 %. The weights were chosen by leaving whole
 * sources out (docs/evaluation.md).
 */
import type { Example } from './features.ts'

type SourceWeights = Readonly<Record<string, number>>

/** Weights for the text: mail written in 2002 says little about mail written now. */
const TEXT_WEIGHTS: SourceWeights = {
  written: 32,
  household_2025: 2,
  lists: 1,
  finds: 1,
  glitchyzorua: 1,
  bounces: 0.3,
  parcel_notices: 0.3,
  spamassassin: 0.05,
  csdmc2010: 0.03,
}

/** Weights for the meta features: how mail is made ages more slowly. The addresses of glitchyzorua are redacted, which shows in its headers. */
const META_WEIGHTS: SourceWeights = {
  written: 3,
  household_2025: 2,
  lists: 1,
  finds: 1,
  glitchyzorua: 0,
  bounces: 0.3,
  parcel_notices: 0.3,
  spamassassin: 1,
  csdmc2010: 0.5,
}

/** Weights for calibration and fusion, which are for the mail of today. */
const FUSION_WEIGHTS: SourceWeights = {
  written: 2,
  household_2025: 2,
  lists: 1,
  finds: 1,
  glitchyzorua: 0.3,
  bounces: 0.3,
  parcel_notices: 0.3,
  spamassassin: 0.3,
  csdmc2010: 0.3,
}

/**
 * Notices of programs, a quarter of the written mail: they are many, alike, and half of them letters
 * of one kind. They have no label for spam (corpora/written.ts), so they weigh for classes alone.
 */
const TEMPLATES_WEIGHT = 0.3

const TABS_WEIGHTS: SourceWeights = {
  written: 4,
  household_2025: 2,
  lists: 1,
  finds: 1,
  templates: TEMPLATES_WEIGHT,
  bounces: 0.3,
  parcel_notices: 0.3,
}

/** The weight of a source that a table does not name. */
const OTHER_WEIGHT = 1

const SPAM_WEIGHTS = { text: TEXT_WEIGHTS, meta: META_WEIGHTS, fusion: FUSION_WEIGHTS } as const

/**
 * How much a short letter counts beside other written ham. It says little, and much of written spam is
 * short too: counted alike, a quarter of the letters of kinds left out come out above 50 %. By its
 * words it counts as other ham: at 3 the household's 1-AUC by words goes from 11 to 14 %.
 */
const SHORT_LETTER_WEIGHTS: Readonly<Record<keyof typeof SPAM_WEIGHTS, number>> = {
  text: 1,
  meta: 3,
  fusion: 6,
}

/** One weight per example, in step with `examples`; mean 1, spam and ham of equal sum. */
export function spamWeights(
  examples: readonly Example[],
  purpose: keyof typeof SPAM_WEIGHTS,
): Float64Array {
  const shared = sharedWeights(examples, SPAM_WEIGHTS[purpose], (example) => String(example.spam))
  const raw = shared.map((weight, i) =>
    examples[i]!.shortLetter === true ? weight * SHORT_LETTER_WEIGHTS[purpose] : weight,
  )
  const sums = { true: 0, false: 0 }
  examples.forEach((example, i) => {
    sums[example.spam ? 'true' : 'false'] += raw[i]!
  })
  const half = examples.length / 2
  return raw.map((weight, i) => (weight * half) / sums[examples[i]!.spam ? 'true' : 'false'])
}

/** One weight per example, in step with `examples`; mean 1. */
export function classWeights(examples: readonly Example[]): Float64Array {
  const raw = sharedWeights(examples, TABS_WEIGHTS, (example) => String(example.messageClass))
  const sum = raw.reduce((total, weight) => total + weight, 0)
  return raw.map((weight) => (weight * examples.length) / sum)
}

function sharedWeights(
  examples: readonly Example[],
  sources: SourceWeights,
  labelOf: (example: Example) => string,
): Float64Array {
  const counts = new Map<string, number>()
  const key = (example: Example) => `${example.source} ${labelOf(example)}`
  for (const example of examples) counts.set(key(example), (counts.get(key(example)) ?? 0) + 1)
  return Float64Array.from(
    examples,
    (example) => (sources[example.source] ?? OTHER_WEIGHT) / counts.get(key(example))!,
  )
}
