/**
 * How much each source counts. There is most of old list mail and least of modern mail, so
 * counting every message alike would train the models on what mail looked like in 2002.
 *
 * A source's weight is shared by its messages of one label; afterwards spam and ham are scaled
 * to the same sum, which makes the models' prior 50 %. The weights were chosen by leaving whole
 * sources out (docs/evaluation.md).
 */
import type { Example } from './features.ts'

/**
 * Weights for the text, for the meta features, for calibration and fusion, and for classes. Mail written in 2002
 * says little about mail written now; how mail is made ages more slowly; calibration and fusion are for the mail
 * of today. The addresses of glitchyzorua are redacted, which shows in its headers. The notices of programs, a quarter
 * of the written mail, are many, alike, and half of them letters of one kind; they have no label for spam
 * (corpora/written.ts), so they weigh for classes alone.
 */
const WEIGHTS: Readonly<Record<string, Partial<Record<Purpose | 'tabs', number>>>> = {
  written: { text: 32, meta: 3, fusion: 2, tabs: 4 },
  household_2025: { text: 2, meta: 2, fusion: 2, tabs: 2 },
  lists: { text: 1, meta: 1, fusion: 1, tabs: 1 },
  finds: { text: 1, meta: 1, fusion: 1, tabs: 1 },
  templates: { tabs: 0.3 },
  glitchyzorua: { text: 1, meta: 0, fusion: 0.3 },
  bounces: { text: 0.3, meta: 0.3, fusion: 0.3, tabs: 0.3 },
  parcel_notices: { text: 0.3, meta: 0.3, fusion: 0.3, tabs: 0.3 },
  spamassassin: { text: 0.05, meta: 1, fusion: 0.3 },
  csdmc2010: { text: 0.03, meta: 0.5, fusion: 0.3 },
}

/** The weight of a source that the table does not name. */
const OTHER_WEIGHT = 1

/** What weights are for, of a model of spam. */
type Purpose = 'text' | 'meta' | 'fusion'

/**
 * How much a short letter counts beside other written ham. It says little, and much of written spam is
 * short too: counted alike, a quarter of the letters of kinds left out come out above 50 %. By its
 * words it counts as other ham: at 3 the household's 1-AUC by words goes from 11 to 14 %.
 */
const SHORT_LETTER_WEIGHTS: Readonly<Record<Purpose, number>> = {
  text: 1,
  meta: 3,
  fusion: 6,
}

/** One weight per example, in step with `examples`; mean 1, spam and ham of equal sum. */
export function spamWeights(examples: readonly Example[], purpose: Purpose): Float64Array {
  const shared = sharedWeights(examples, purpose, (example) => String(example.spam))
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
  const raw = sharedWeights(examples, 'tabs', (example) => String(example.messageClass))
  const sum = raw.reduce((total, weight) => total + weight, 0)
  return raw.map((weight) => (weight * examples.length) / sum)
}

function sharedWeights(
  examples: readonly Example[],
  purpose: Purpose | 'tabs',
  labelOf: (example: Example) => string,
): Float64Array {
  const counts = new Map<string, number>()
  const key = (example: Example) => `${example.source} ${labelOf(example)}`
  for (const example of examples) counts.set(key(example), (counts.get(key(example)) ?? 0) + 1)
  return Float64Array.from(
    examples,
    (example) => (WEIGHTS[example.source]?.[purpose] ?? OTHER_WEIGHT) / counts.get(key(example))!,
  )
}
