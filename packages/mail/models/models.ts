/** The models in use, as plain data over shared memory, so that every worker reads one copy. */
import type { CommonText } from '../features/common-text.ts'
import type { MetaNumbering } from '../features/meta-features.ts'
import type { FusionModel } from './fusion.ts'
import type { LogisticModel } from './logistic.ts'
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
