/** The weights of the meta model with what is expected of them and without, to tell what the expectations change. */
import { META_FEATURE_NAMES } from '../../mail/features/meta-features.ts'
import type { Example } from './features.ts'
import { fitLogistic } from './fit-logistic.ts'
import { HYPERPARAMETERS, isSpamExample, metaSamples } from './train.ts'
import { ASSUMED_FACTOR, metaPriors } from './weight-priors.ts'

/** In log-odds of the verdict, in step with META_FEATURE_NAMES. */
export interface MetaWeights {
  /** Of the data alone. */
  readonly free: Float32Array
  readonly given: Float32Array
}

export function metaWeights(examples: readonly Example[]): MetaWeights {
  const samples = metaSamples(examples.filter(isSpamExample))
  const size = META_FEATURE_NAMES.length
  const inVerdict = (weights: Float32Array) => weights.map((weight) => weight * ASSUMED_FACTOR)
  return {
    free: inVerdict(fitLogistic(samples, size, HYPERPARAMETERS.meta).weights),
    given: inVerdict(fitLogistic(samples, size, HYPERPARAMETERS.meta, metaPriors()).weights),
  }
}
