/** What is kept of a message that a user corrects or makes a rule from; never its text. */
import type { PersonalAnalysis } from '../../mail/personalization/personal-analysis.ts'

export interface LearnableMessage extends PersonalAnalysis {
  /** What the global model learns from; see learning/event-features.ts. */
  readonly eventFeatures: Uint8Array
  /** The version of these features; see mail/features/version.ts. */
  readonly featureVersion: string
  /** For which domain the message was authenticated; absent when it was not. */
  readonly authenticatedDomain?: string
}
