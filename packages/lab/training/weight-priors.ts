/**
 * What is expected of weights, as training takes it: of those of signals (mail/signals/signals.tsv), and of those of
 * the words of display names.
 */
import { META_FEATURE_NAMES } from '../../mail/features/meta-features.ts'
import {
  type ReadTexts,
  senderWordIndices,
  TEXT_FEATURES_SIZE,
} from '../../mail/features/text-features.ts'
import { type LogisticModel, type Quantised, quantise } from '../../mail/models/logistic.ts'
import type { FusionModel } from '../../mail/models/models.ts'
import { type SignalRow, signalNamed } from '../../mail/signals/table.ts'
import type { WeightPriors } from './fit-logistic.ts'

/**
 * What a log-odd of the meta model comes to in the verdict, after calibration and fusion. Both are fitted after the
 * model, so that this is taken from the training before; `bounded` then holds the bounds exactly.
 */
export const ASSUMED_FACTOR = 1.2

/**
 * What a signal is expected to weigh of which the table says no more than for what it speaks, and its bounds: a weight of the other
 * sign is what one corpus happens to show. Chosen by leaving whole sources out: without any bounds the sources have
 * a 1-AUC of 2.3 (household), 2.7 (finds), 6.8 (written) and 7.3 % (2002), with the table 2.3, 3.0, 7.0 and 7.1, with these
 * signs 2.2, 2.9, 7.0 and 5.2, and with these expectations 2.0, 2.5, 6.9 and 4.9.
 */
const BY_DIRECTION: Readonly<
  Record<
    SignalRow['direction'],
    { readonly prior: number; readonly min: number; readonly max: number }
  >
> = {
  spam: { prior: 0.3, min: 0, max: Number.POSITIVE_INFINITY },
  ham: { prior: -0.2, min: Number.NEGATIVE_INFINITY, max: 0 },
  either: { prior: 0, min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY },
}

/** In step with META_FEATURE_NAMES; for counts in bins nothing is expected. */
const BY_FEATURE = META_FEATURE_NAMES.map((name) => {
  const row = signalNamed(name)
  const byDirection = BY_DIRECTION[row?.direction ?? 'either']
  return {
    prior: row?.prior ?? byDirection.prior,
    min: row?.min ?? byDirection.min,
    max: row?.max ?? byDirection.max,
  }
})

/** @param factor what a log-odd of the model comes to in the verdict. */
export function metaPriors(factor: number = ASSUMED_FACTOR): WeightPriors {
  return {
    expected: Float32Array.from(
      BY_FEATURE,
      ({ prior, min, max }) => Math.min(max, Math.max(min, prior)) / factor,
    ),
    least: Float32Array.from(BY_FEATURE, ({ min }) => min / factor),
    most: Float32Array.from(BY_FEATURE, ({ max }) => max / factor),
  }
}

/**
 * A display name never speaks for ham: anybody can write it, and who writes that of a bank gained 1.7 in log-odds over a
 * stranger. With whole sources left out nothing is lost by it (docs/decisions/0026-expectations.md). An index that
 * such a word shares with one of the text, one in sixteen, is bounded too.
 *
 * @param texts those of the mail that is trained on.
 */
export function textPriors(texts: readonly Pick<ReadTexts, 'from'>[]): WeightPriors {
  const least = new Float32Array(TEXT_FEATURES_SIZE).fill(Number.NEGATIVE_INFINITY)
  for (const text of texts) for (const index of senderWordIndices(text)) least[index] = 0
  return {
    expected: new Float32Array(TEXT_FEATURES_SIZE),
    least,
    most: new Float32Array(TEXT_FEATURES_SIZE).fill(Number.POSITIVE_INFINITY),
  }
}

/** The meta model with the bounds held in the verdict, whatever calibration and fusion have come to. */
export function bounded(meta: LogisticModel, fusion: FusionModel): LogisticModel {
  const factor = factorOf(meta, fusion)
  // A model that counts for nothing, or the wrong way round, has learned from next to no mail.
  if (!(factor > 0)) return meta
  const { least, most } = metaPriors(factor)
  const weights = Float32Array.from(floatsOf(meta.weights), (weight, i) =>
    Math.min(most[i]!, Math.max(least[i]!, weight)),
  )
  return { ...meta, weights: quantise(weights) }
}

/** What a log-odd of the meta model comes to in the verdict. */
export function factorOf(
  { calibration }: Pick<LogisticModel, 'calibration'>,
  { metaWeight }: Pick<FusionModel, 'metaWeight'>,
): number {
  return calibration.slope * metaWeight
}

function floatsOf({ integers, scale }: Quantised): Float32Array {
  return Float32Array.from(integers, (integer) => integer * scale)
}
