/** The models in use, as plain data over shared memory, so that every worker reads one copy. */
import type { FusionModel } from './fusion.ts'
import type { LogisticModel } from './logistic.ts'
import type { SoftmaxModel } from './softmax-regression.ts'

export interface Models {
  /** Of the artifacts, for logs and answers: '2026.11.1'. */
  readonly version: string
  /** Of the features they were trained on; the same as FEATURE_VERSION. */
  readonly featureVersion: string
  readonly text: LogisticModel
  readonly meta: LogisticModel
  readonly tabs: SoftmaxModel
  readonly fusion: FusionModel
}
