/** From whom something is learned: what the configuration says, and before that what is set by API. */
import type { LearningMode } from '../../mail/learning/learning-policy.ts'
import { isNamed } from '../policies.ts'
import { type LearningChoices, NO_CHOICES, type Tenants } from '../tenants/tenants.ts'

export interface LearnedFrom {
  readonly mode: LearningMode
  /** Whether nothing is learned from a user, whatever the mode: neither the shared model nor personal deltas. */
  readonly isOff?: (userId: string) => boolean
  /** What is set by API of that, which goes before `isOff`. */
  readonly choicesOf?: () => Promise<LearningChoices>
}

/** What the configuration and the settings by API say. */
export function learnedFrom(
  { learning: mode, learningOffFor }: LearningConfig,
  tenants: Pick<Tenants, 'read'>,
): LearnedFrom {
  return {
    mode,
    isOff: (userId) => isNamed(learningOffFor, userId),
    choicesOf: async () => (await tenants.read()).learning,
  }
}

interface LearningConfig {
  readonly learning: LearningMode
  readonly learningOffFor: readonly string[]
}

/** Whether something is learned from a user: for all, or for that user alone. */
export async function isLearnedFrom(
  { mode, choicesOf, isOff }: LearnedFrom,
  userId: string,
): Promise<boolean> {
  if (mode === 'off') return false
  const choices = (await choicesOf?.()) ?? NO_CHOICES
  return !isOffBy(choices, isOff, userId)
}

export function isOffBy(
  choices: LearningChoices,
  isOff: LearnedFrom['isOff'],
  userId: string,
): boolean {
  const chosen = choices.of(userId)
  return chosen === undefined ? isOff?.(userId) === true : chosen === 'off'
}
