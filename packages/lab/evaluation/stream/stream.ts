/** What a stream evaluation is about: messages in order, and what a filter said of each when it came. */
import type { Example } from '../../training/features.ts'
import type { Scored } from '../metrics.ts'
import type { Delivery } from './delivery.ts'

export interface StreamMessage extends Pick<Example, 'id' | 'text' | 'meta'>, Delivery {
  readonly spam: boolean
}

export interface StreamVerdict extends Scored {
  /** By the filter's own threshold. */
  readonly calledSpam: boolean
}

/** One filter, or one way of correcting it, over the whole stream. */
export interface StreamRun {
  readonly name: string
  readonly verdicts: readonly StreamVerdict[]
}
