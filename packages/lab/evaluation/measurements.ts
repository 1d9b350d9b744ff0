/** Outcomes of trainings -> measurements: which of them are compared with each other, and how they are called. */

import { oneMinusAuc, type Scored, shareOf } from './metrics.ts'
import type { Outcome } from './outcome.ts'
import type { MeasureName } from './plan.ts'

/** For each measure the outcomes of its trainings, in the order of the plan. */
export type MeasureOutcomes = ReadonlyMap<MeasureName, readonly (readonly Outcome[])[]>

/** Spam against ham. */
export interface SpamMeasurement {
  readonly title: string
  /** Messages whose scores are compared. */
  readonly outcomes: readonly Outcome[]
}

/** A ham message whose class is known. */
export interface ClassOutcome extends Outcome {
  readonly messageClass: NonNullable<Outcome['messageClass']>
}

export interface TabsMeasurement {
  readonly title: string
  readonly outcomes: readonly ClassOutcome[]
}

/** Folders of `lists` whose ham cannot be told from its spam by being part of a thread (docs/evaluation.md). */
const UNTHREADED_HAM = /^(?:ham_firstpost|ham_patch)\//

/** The outcomes of `measure` for its own source, those of all trainings one after the other. */
export function outcomesFor(measures: MeasureOutcomes, measure: MeasureName): readonly Outcome[] {
  const all = (measures.get(measure) ?? []).flat()
  return measure === 'languages' ? all : all.filter(({ source }) => source === measure)
}

/** In the order of the report; those without messages left away. */
export function spamMeasurements(measures: MeasureOutcomes): SpamMeasurement[] {
  const part = (title: string, outcomes: readonly Outcome[]) => ({ title, outcomes })
  const whole = (title: string, measure: MeasureName) => part(title, outcomesFor(measures, measure))
  const lists = outcomesFor(measures, 'lists')
  return [
    whole('household_2025', 'household_2025'),
    part('household_2025 ham, phishing_pot spam', householdAgainstPhishing(measures)),
    part('lists, first posts and patches', lists.filter(isUnthreadedOrSpam)),
    whole('lists, all', 'lists'),
    whole('finds, by collection', 'finds'),
    whole('written, by kind', 'written'),
    whole('spamassassin', 'spamassassin'),
    whole('csdmc2010', 'csdmc2010'),
    whole('glitchyzorua', 'glitchyzorua'),
    whole('bounces', 'bounces'),
  ].filter(({ outcomes }) => outcomes.length > 0)
}

export function tabsMeasurements(measures: MeasureOutcomes): TabsMeasurement[] {
  return [
    { title: 'household_2025', outcomes: outcomesFor(measures, 'household_2025') },
    { title: 'finds, by collection', outcomes: outcomesFor(measures, 'finds') },
    { title: 'written, by kind', outcomes: outcomesFor(measures, 'written') },
  ]
    .map(({ title, outcomes }) => ({ title, outcomes: outcomes.filter(hasClass) }))
    .filter(({ outcomes }) => outcomes.length > 0)
}

/** Ham and spam of unlike origin, neither trained on: filters that know the receiving system gain nothing. */
export function householdAgainstPhishing(measures: MeasureOutcomes): readonly Outcome[] {
  const all = measures.get('household_2025')?.flat() ?? []
  const phishing = all.filter(({ source }) => source !== 'household_2025')
  return phishing.length === 0 ? [] : [...all.filter(({ spam }) => spam === false), ...phishing]
}

/** Spam, or ham that starts a thread as spam does. */
export function isUnthreadedOrSpam({ id, spam }: Pick<Outcome, 'id' | 'spam'>): boolean {
  return spam === true || UNTHREADED_HAM.test(id)
}

export function isSpam({ spam }: Pick<Outcome, 'spam'>): boolean {
  return spam === true
}

export function isWrong(outcome: Outcome): boolean {
  return outcome.calledSpam !== isSpam(outcome)
}

export function calledSpamShare(outcomes: readonly Pick<Outcome, 'calledSpam'>[]): number {
  return shareOf(outcomes, ({ calledSpam }) => calledSpam)
}

/** Spam is not asked for its class: it belongs in no tab. */
function hasClass(outcome: Outcome): outcome is ClassOutcome {
  return outcome.messageClass !== undefined && outcome.spam === false
}

export function isRightClass({ messageClass, predictedClass }: Outcome): boolean {
  return messageClass === predictedClass
}

/** Also where a reader could accept another class (CLASSES.tsv). */
export function isAcceptableClass(outcome: Outcome): boolean {
  return isRightClass(outcome) || outcome.alsoAcceptable === outcome.predictedClass
}

/** 1-AUC of the verdicts. */
export function auc(outcomes: readonly Outcome[]): number {
  return oneMinusAuc(scoredByLogit(outcomes))
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
