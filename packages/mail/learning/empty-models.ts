/** The global model before any correction: it is undecided about every message. */
import { NOTHING_COMMON } from '../features/common-text.ts'
import { META_NUMBERING } from '../features/meta-features.ts'
import { TEXT_FEATURES_SIZE } from '../features/text-features.ts'
import { FEATURE_VERSION } from '../features/version.ts'
import type { LogisticModel } from '../models/logistic.ts'
import type { Models } from '../models/models.ts'
import { CLASSES } from '../models/prediction.ts'

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
