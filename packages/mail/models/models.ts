/** The models in use, as plain data over shared memory, so that every worker reads one copy. */
import { type CommonText, NOTHING_COMMON } from '../features/common-text.ts'
import { META_NUMBERING, type MetaNumbering } from '../features/meta-features.ts'
import { TEXT_FEATURES_SIZE } from '../features/text-features.ts'
import { FEATURE_VERSION } from '../features/version.ts'
import type { LogisticModel } from './logistic.ts'
import { CLASSES, type Prediction, sigmoid } from './prediction.ts'
import type { SoftmaxModel } from './softmax-regression.ts'

export interface Models {
  /** The version of the artifacts, for logs and answers: '2026.11.1'. */
  readonly version: string
  /** The version of the features that they were trained on; the same as FEATURE_VERSION. */
  readonly featureVersion: string
  /** Which index each meta feature has in the vectors of these models. */
  readonly metaNumbering: MetaNumbering
  /** What the mail of many senders has in common: what a user's corrections are not about. */
  readonly commonText: CommonText
  readonly text: LogisticModel
  readonly meta: LogisticModel
  readonly tabs: SoftmaxModel
  readonly fusion: FusionModel
}

// Fusion of the text and the meta model: logistic regression on their two logits.
//
// Two unlike models fused beat either alone in every TREC spam track (Lynam, Cormack and
// Cheriton, On-line Spam Filter Fusion, SIGIR 2006).

export interface FusionModel {
  readonly textWeight: number
  readonly metaWeight: number
  readonly bias: number
  /** Probabilities, at a prior of 50 %, above which a message is spam. */
  readonly thresholds: Thresholds
  readonly escalation: Escalation
}

/** Thresholds by the share of left-out ham that each may lose in the mean over modern sources: 0.1 %, 0.5 %, 1 %. */
export interface Thresholds {
  readonly cautious: number
  readonly balanced: number
  readonly strict: number
}

/**
 * When a person should look: a little below the threshold, or when the two models disagree. What is
 * above the threshold is hardly ever ham, while most of what is a little below is spam.
 */
export interface Escalation {
  /** How far the logit may be below the threshold for the message to be escalated. */
  readonly logitMargin: number
  /** The difference of the two models' probabilities above which a message is escalated. */
  readonly disagreement: number
}

/** The fused prediction, for a spam prior of 50 %. */
export function fuse(fusion: FusionModel, text: Prediction, meta: Prediction): Prediction {
  const logit = fusion.textWeight * text.logit + fusion.metaWeight * meta.logit + fusion.bias
  return { logit, probability: sigmoid(logit) }
}

/**
 * True when a person should look.
 *
 * @param beyond the logit less that of the threshold: above 0 is spam.
 * @param disagreement of the two models' probabilities, in [0, 1].
 */
export function escalates(escalation: Escalation, beyond: number, disagreement: number): boolean {
  const near = beyond <= 0 && beyond > -escalation.logitMargin
  return near || disagreement > escalation.disagreement
}

// The global model before any correction: it is undecided about every message.

/** All weights are zero, calibration changes nothing, the two logits are added, the threshold is 0.5. */
export function emptyModels(): Models {
  return {
    version: 'empty',
    featureVersion: FEATURE_VERSION,
    metaNumbering: META_NUMBERING,
    commonText: NOTHING_COMMON,
    text: emptyLogistic(TEXT_FEATURES_SIZE),
    meta: emptyLogistic(META_NUMBERING.names.length),
    tabs: {
      weights: zeros((TEXT_FEATURES_SIZE + META_NUMBERING.names.length) * CLASSES.length),
      bias: CLASSES.map(() => 0),
      temperature: 1,
    },
    fusion: {
      textWeight: 1,
      metaWeight: 1,
      bias: 0,
      thresholds: { cautious: 0.5, balanced: 0.5, strict: 0.5 },
      escalation: { logitMargin: 0, disagreement: 1 },
    },
  }
}

function emptyLogistic(size: number): LogisticModel {
  return { weights: zeros(size), bias: 0, calibration: { slope: 1, intercept: 0 } }
}

function zeros(count: number) {
  return { integers: new Int16Array(count), scale: 1 }
}
