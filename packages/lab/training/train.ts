/**
 * Trains models from examples: fits on folds to get predictions for unknown mail, chooses calibration,
 * fusion and thresholds by these, then fits on everything.
 */
import { META_FEATURE_NAMES } from '../../mail/features/meta-features.ts'
import type { SparseVector } from '../../mail/features/sparse-vector.ts'
import {
  PAIRS_START,
  stretchFeatures,
  TEXT_FEATURES_SIZE,
} from '../../mail/features/text-features.ts'
import {
  type Calibration,
  calibrate,
  type LogisticModel,
  predict,
  quantise,
} from '../../mail/models/logistic.ts'
import type { FusionModel } from '../../mail/models/models.ts'
import { CLASSES, sigmoid } from '../../mail/models/prediction.ts'
import { classLogits, type SoftmaxModel } from '../../mail/models/softmax-regression.ts'
import { MARGINS } from '../../mail/models/worst-reading.ts'
import { PURPOSE_SIGNALS } from '../../mail/signals/content/phrases.ts'
import type { Example } from './features.ts'
import {
  type FitOptions,
  fitDense,
  fitLogistic,
  type LogisticOptions,
  type LogisticSample,
} from './fit-logistic.ts'
import { fitSoftmax, fitTemperature } from './fit-softmax.ts'
import { FOLDS, leaveFoldsOut } from './folds.ts'
import { chooseEscalation, chooseThresholds, type LeftOut } from './thresholds.ts'
import { bounded, metaPriors, textPriors } from './weight-priors.ts'
import { classWeights, spamWeights } from './weights.ts'

export const SEED = 20_261_121

/**
 * Chosen by leaving whole sources out (reports/). The text model has no bias: spam has more different words
 * than ham, so that a bias learns to take unknown words for spam's, and short letters are full of them.
 */
export const HYPERPARAMETERS: Readonly<
  Record<'text' | 'meta', LogisticOptions> & Record<'tabs', FitOptions>
> = {
  text: { epochs: 6, learningRate: 0.1, l2: 1e-6, seed: SEED, hasBias: false },
  meta: { epochs: 12, learningRate: 0.05, l2: 3e-2, seed: SEED, hasBias: true },
  tabs: { epochs: 8, learningRate: 0.2, l2: 1e-4, seed: SEED },
}

/** What training gives, as it will be served. */
export interface TrainedModels {
  readonly text: LogisticModel
  readonly meta: LogisticModel
  readonly tabs: SoftmaxModel
  readonly fusion: FusionModel
}

/** The number of fits in all, for a progress bar: each model on all and without each fold, and one that chooses stretches. */
export const FITS = 3 * (FOLDS + 1) + 1

type SpamExample = Example & { readonly spam: boolean }

/** Whether an example has a label that the spam models learn from. */
export function isSpamExample(example: Example): example is SpamExample {
  return example.spam !== undefined
}

/**
 * How much the worst stretch of a message counts in the text model, beside the whole as 1. The worst
 * stretches of ham are what a model has to learn most from: a verdict is that of the worst reading
 * (mail/models/worst-reading.ts), and a stretch says less than a whole of how its source writes.
 */
const STRETCH_WEIGHT = 1.5

const UNCALIBRATED: Calibration = { slope: 1, intercept: 0 }

/** All models, from the examples that have a label for them. `onFit` is called after each of FITS fits. */
export function trainModels(
  examples: readonly Example[],
  onFit: () => void = () => {},
): TrainedModels {
  const spam = examples.filter(isSpamExample)
  const text = fitSpamModel(spam, 'text', onFit)
  const meta = fitSpamModel(spam, 'meta', onFit)
  const fusion = fitFusion(spam, text.leftOut, meta.leftOut)
  const tabs = fitTabs(examples, onFit)
  return { text: text.model, meta: bounded(meta.model, fusion), fusion, tabs }
}

/** Calibrated logits for an example by a fit without its fold: of the whole, and of its worst stretch where the model has one. */
interface LeftOutLogits {
  readonly whole: number
  readonly stretch: number | undefined
}

/** The model, calibrated, and what it gives for every example left out. */
function fitSpamModel(
  examples: readonly SpamExample[],
  kind: 'text' | 'meta',
  onFit: () => void,
): { model: LogisticModel; leftOut: readonly LeftOutLogits[] } {
  const weights = spamWeights(examples, kind)
  const all = [...examples.keys()]
  const samples = examples.map((example, i) => [sampleOf(example, kind, weights[i]!)])
  const priors = kind === 'meta' ? metaPriors() : textPriors(examples.map(({ texts }) => texts))
  const size = kind === 'text' ? TEXT_FEATURES_SIZE : META_FEATURE_NAMES.length
  const fit = (positions: readonly number[]): LogisticModel => {
    const own = positions.flatMap((i) => samples[i]!)
    const fitted = fitLogistic(own, size, HYPERPARAMETERS[kind], priors)
    onFit()
    return { weights: quantise(fitted.weights), bias: fitted.bias, calibration: UNCALIBRATED }
  }
  if (kind === 'text') addStretches(examples, samples, fit(all))
  const raw = leaveFoldsOut(examples, (training, rest) => {
    const model = fit(training)
    return rest.map((i) => leftOutLogits(model, examples[i]!, kind))
  })
  const calibration = fitCalibration(
    examples,
    raw.map(({ whole }) => whole),
  )
  const model = fit(all)
  return {
    model: { ...model, calibration },
    leftOut: raw.map(({ whole, stretch }) => ({
      whole: calibrate(calibration, whole),
      stretch: stretch === undefined ? undefined : calibrate(calibration, stretch),
    })),
  }
}

function leftOutLogits(
  model: LogisticModel,
  example: SpamExample,
  kind: 'text' | 'meta',
): LeftOutLogits {
  const whole = predict(model, example[kind]).logit
  if (kind === 'meta') return { whole, stretch: undefined }
  const features = stretchFeatures(example.texts, model.weights.integers)
  return { whole, stretch: features && predict(model, features).logit }
}

function sampleOf(example: SpamExample, kind: 'text' | 'meta', weight: number): LogisticSample {
  const features = kind === 'text' ? wordsOf(example.text) : withoutPurposes(example.meta)
  return { features, positive: example.spam, weight }
}

/**
 * The text features that the spam model learns from. Mail of another mailbox repeats the words of the
 * mail that training saw, and few of its pairs; the model that learns pairs explains by them what words
 * would tell of other mail. Of the ham of finds against phishing_pot 3.7 % rank wrong with pairs, 2.7 %
 * without. Tabs and corrections keep them: what one mailbox learns, its next message repeats.
 */
function wordsOf(text: SparseVector): SparseVector {
  return restrictedTo(text, (index) => index < PAIRS_START)
}

/**
 * The meta features that the spam model learns from. What a message is for, spam pretends like ham; from
 * these signals the model learns the occasions of its sources, and is surer of itself than it should be.
 */
function withoutPurposes(meta: SparseVector): SparseVector {
  return restrictedTo(meta, (index) => !PURPOSES.has(index))
}

function restrictedTo(
  { size, indices, values }: SparseVector,
  isKept: (index: number) => boolean,
): SparseVector {
  const kept = [...indices.keys()].filter((at) => isKept(indices[at]!))
  return {
    size,
    indices: Uint32Array.from(kept, (at) => indices[at]!),
    values: Float32Array.from(kept, (at) => values[at]!),
  }
}

const PURPOSES: ReadonlySet<number> = new Set(
  PURPOSE_SIGNALS.map((name) => META_FEATURE_NAMES.indexOf(name)),
)

/** Adds to the samples of each example its worst stretch by `model`, with which it shares its weight. */
function addStretches(
  examples: readonly SpamExample[],
  samples: LogisticSample[][],
  model: LogisticModel,
): void {
  examples.forEach(({ texts }, i) => {
    const stretch = stretchFeatures(texts, model.weights.integers)
    if (stretch === undefined) return
    const features = wordsOf(stretch)
    const [whole] = samples[i]! as [LogisticSample]
    const weight = whole.weight / (1 + STRETCH_WEIGHT)
    samples[i] = [
      { ...whole, weight },
      { ...whole, features, weight: weight * STRETCH_WEIGHT },
    ]
  })
}

function fitCalibration(examples: readonly SpamExample[], logits: readonly number[]): Calibration {
  const weights = spamWeights(examples, 'fusion')
  const { coefficients, bias } = fitDense(
    examples.map(({ spam }, i) => ({ inputs: [logits[i]!], positive: spam, weight: weights[i]! })),
  )
  return { slope: coefficients[0]!, intercept: bias }
}

function fitFusion(
  examples: readonly SpamExample[],
  text: readonly LeftOutLogits[],
  meta: readonly LeftOutLogits[],
): FusionModel {
  const weights = spamWeights(examples, 'fusion')
  const { coefficients, bias } = fitDense(
    examples.map(({ spam }, i) => ({
      inputs: [text[i]!.whole, meta[i]!.whole],
      positive: spam,
      weight: weights[i]!,
    })),
  )
  const [textWeight, metaWeight] = [coefficients[0]!, coefficients[1]!]
  const leftOut: LeftOut[] = examples.map(({ source, spam }, i) => {
    const { whole, stretch } = text[i]!
    const fused = (logit: number) => textWeight * logit + metaWeight * meta[i]!.whole + bias
    return {
      source,
      spam,
      textProbability: sigmoid(whole),
      metaProbability: sigmoid(meta[i]!.whole),
      spamLogit: Math.max(
        fused(whole),
        stretch === undefined ? Number.NEGATIVE_INFINITY : fused(stretch) - MARGINS.stretch,
      ),
    }
  })
  const thresholds = chooseThresholds(leftOut)
  const escalation = chooseEscalation(leftOut, thresholds.balanced)
  return { textWeight, metaWeight, bias, thresholds, escalation }
}

/**
 * Fits the tabs model. Spam is left out, although the written spam has the class of what it pretends to
 * be: it belongs in no tab, and what it pretends is no pattern for mail that is true.
 */
function fitTabs(all: readonly Example[], onFit: () => void): SoftmaxModel {
  const examples = all.filter(({ messageClass, spam }) => messageClass !== undefined && !spam)
  const weights = classWeights(examples)
  const labels = examples.map(({ messageClass }) => CLASSES.indexOf(messageClass!))
  const samples = examples.map(({ text, meta }, i) => {
    const values = meta.values.map((value) => value * TABS_META_SCALE)
    return { blocks: [text, { ...meta, values }], label: labels[i]!, weight: weights[i]! }
  })
  const size = TEXT_FEATURES_SIZE + META_FEATURE_NAMES.length
  const metaStart = TEXT_FEATURES_SIZE * CLASSES.length
  const fit = (positions: readonly number[]): SoftmaxModel => {
    const own = positions.map((i) => samples[i]!)
    const { weights: fitted, bias } = fitSoftmax(own, size, HYPERPARAMETERS.tabs)
    onFit()
    const unscaled = fitted.map((weight, at) => weight * (at < metaStart ? 1 : TABS_META_SCALE))
    return { weights: quantise(unscaled), bias, temperature: 1 }
  }
  const leftOut = leaveFoldsOut(examples, (training, rest) => {
    const model = fit(training)
    return rest.map((i) => classLogits(model, [examples[i]!.text, examples[i]!.meta]))
  })
  const temperature = fitTemperature(leftOut, labels, weights)
  return { ...fit([...examples.keys()]), temperature }
}

/**
 * Scale of the meta features beside the text's, in the tabs model. Some 75 of value 1 stand beside
 * a text vector of length 1; left alone they learn ten times as fast, and mail of a new source is
 * judged by its markup. Of 0.1, 0.15, 0.3 and 0.6 the one that is best on the most sources left out.
 */
const TABS_META_SCALE = 0.15
