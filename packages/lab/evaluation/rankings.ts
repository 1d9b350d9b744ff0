/**
 * 1-AUC over one or several rankings. Scores of differently trained models are compared only
 * within a ranking; one message may stand in several, which are then resampled together.
 */
import { isSpam } from './measurements.ts'
import { meanOf, oneMinusAuc, type Scored } from './metrics.ts'
import type { Outcome } from './outcome.ts'

/** An outcome and the number of its ranking. */
export interface RankedOutcome extends Outcome {
  readonly ranking: number
}

/** All rankings end to end. */
export function rankedOutcomes(rankings: readonly (readonly Outcome[])[]): RankedOutcome[] {
  return rankings.flatMap((outcomes, ranking) =>
    outcomes.map((outcome) => ({ ...outcome, ranking })),
  )
}

/** The mean 1-AUC over the rankings that hold both labels; NaN when none does. */
export function meanAuc(outcomes: readonly RankedOutcome[]): number {
  const rankings = [...Map.groupBy(outcomes, ({ ranking }) => ranking).values()]
  return meanOf(
    rankings.map((own) => oneMinusAuc(scoredByLogit(own))).filter((value) => !Number.isNaN(value)),
  )
}

/** Fused, in log-odds: probabilities of 1 would tie. */
export function scoredByLogit(outcomes: readonly Outcome[]): Scored[] {
  return outcomes.map((outcome) => ({ score: outcome.spamLogit, spam: isSpam(outcome) }))
}

/** Fused, as probabilities. */
export function scoredByProbability(outcomes: readonly Outcome[]): Scored[] {
  return outcomes.map((outcome) => ({ score: outcome.spamProbability, spam: isSpam(outcome) }))
}

/** How outcomes are drawn anew: by group, each source keeping its number of groups. */
export const BY_GROUP = {
  groupOf: ({ group }: Outcome): string => group,
  stratumOf: ({ source }: Outcome): string => source,
}
