/** The figures that a release is judged by, each with its interval and its two targets. */
import { bootstrapInterval, type Interval } from './bootstrap.ts'
import {
  householdAgainstPhishing,
  isAcceptableClass,
  isSpam,
  isUnthreadedOrSpam,
  outcomesFor,
  type TabsMeasurement,
  tabsMeasurements,
} from './measurements.ts'
import { calibrationError, macroF1, meanOf, oneMinusAuc, shareOf } from './metrics.ts'
import type { Outcome } from './outcome.ts'
import type { MeasureName } from './plan.ts'
import {
  BY_GROUP,
  meanAuc,
  rankedOutcomes,
  scoredByLogit,
  scoredByProbability,
} from './rankings.ts'
import type { MeasureOutcomes } from './trainings.ts'

export interface Figure {
  readonly measure: string
  /** How many messages it rests on. */
  readonly messages: number
  /** In [0, 1]. */
  readonly value: number
  readonly interval: Interval
  readonly better: 'lower' | 'higher'
  /** What a release wants at least. */
  readonly reach: number
  /** What would be outstanding; absent where `reach` is all that can be asked. */
  readonly beyond?: number
}

/** Sources with ham; each weighs alike in a mean. */
const HAM_SOURCES: readonly MeasureName[] = [
  'household_2025',
  'lists',
  'written',
  'spamassassin',
  'csdmc2010',
  'bounces',
]

/** Those of today's mail: the old ones must not hide what it loses. */
const MODERN_SOURCES: readonly MeasureName[] = ['household_2025', 'lists', 'written']

/** Sources with spam and ham. */
const TWO_LABEL_SOURCES: readonly MeasureName[] = HAM_SOURCES.filter((name) => name !== 'bounces')

type Target = Pick<Figure, 'measure' | 'better' | 'reach' | 'beyond'>

/** All figures whose measures were taken, in the order of the report. */
export function headlineFigures(measures: MeasureOutcomes): Figure[] {
  return [
    ...rankingFigures(measures),
    ...thresholdFigures(measures),
    ...tabsFigures(measures),
    ...recallFigures(measures),
  ].filter(({ messages, value }) => messages > 0 && !Number.isNaN(value))
}

function rankingFigures(measures: MeasureOutcomes): Figure[] {
  return [
    figure(
      lower('household_2025: 1-AUC, spam against ham', 0.12, 0.05),
      outcomesFor(measures, 'household_2025'),
      auc,
    ),
    figure(
      lower('household_2025, one half by sender trained on, mean of 10 splits: 1-AUC', 0.06, 0.02),
      rankedOutcomes(measures.get('halves') ?? []),
      meanAuc,
    ),
    figure(
      lower('household_2025 ham against phishing_pot, neither trained on: 1-AUC', 0.1, 0.03),
      householdAgainstPhishing(measures),
      auc,
    ),
    figure(
      lower('lists: 1-AUC, spam against first posts and patches', 0.03, 0.01),
      outcomesFor(measures, 'lists').filter(isUnthreadedOrSpam),
      auc,
    ),
    figure(
      lower('finds, collections left out in folds: 1-AUC', 0.04, 0.02),
      outcomesFor(measures, 'finds'),
      auc,
    ),
    figure(
      lower('written, kinds left out in 5 folds: 1-AUC', 0.03, 0.01),
      outcomesFor(measures, 'written'),
      auc,
    ),
  ]
}

function thresholdFigures(measures: MeasureOutcomes): Figure[] {
  const from = (sources: readonly MeasureName[]) =>
    sources.flatMap((source) => outcomesFor(measures, source))
  const ham = from(HAM_SOURCES).filter((outcome) => !isSpam(outcome))
  const modernHam = from(MODERN_SOURCES).filter((outcome) => !isSpam(outcome))
  const twoLabels = from(TWO_LABEL_SOURCES)
  return [
    figure(
      lower('ham lost at the shipped threshold, mean over sources', 0.01, 0.003),
      ham,
      overSources(calledSpamShare, meanOf),
    ),
    figure(
      lower('ham lost at the shipped threshold, worst modern source', 0.03, 0.01),
      modernHam,
      overSources(calledSpamShare, (shares) => Math.max(...shares)),
    ),
    figure(
      lower('expected calibration error, mean over sources with both labels', 0.08, 0.03),
      twoLabels,
      overSources(calibrationErrorOf, meanOf),
    ),
    figure(
      lower('mail escalated, mean over sources', 0.05),
      twoLabels,
      overSources((outcomes) => shareOf(outcomes, ({ escalated }) => escalated), meanOf),
    ),
    figure(higher('errors among what is escalated, sources alike', 0.5), twoLabels, errorsHeld),
  ]
}

function tabsFigures(measures: MeasureOutcomes): Figure[] {
  const tabs = tabsMeasurements(measures)
  const outcomesOf = (title: TabsMeasurement['title']) =>
    tabs.find((one) => one.title === title)?.outcomes ?? []
  return [
    figure(
      higher('tabs on household_2025: accuracy, counting also_acceptable', 0.8, 0.92),
      outcomesOf('household_2025'),
      (outcomes) => shareOf(outcomes, isAcceptableClass),
    ),
    figure(
      higher('tabs on written mail, kinds left out in 5 folds: macro-F1', 0.8, 0.9),
      outcomesOf('written, by kind'),
      macroF1Of,
    ),
  ]
}

function recallFigures(measures: MeasureOutcomes): Figure[] {
  const lists = outcomesFor(measures, 'lists')
  const inFolder = (folder: string) => lists.filter(({ id }) => id.startsWith(`${folder}/`))
  const taken =
    (name: Outcome['predictedClass']) =>
    (outcomes: readonly Outcome[]): number =>
      shareOf(outcomes, ({ predictedClass }) => predictedClass === name)
  return [
    figure(
      higher('bounces left out: taken for updates', 0.95),
      outcomesFor(measures, 'bounces'),
      taken('updates'),
    ),
    figure(
      higher('updates_bugzilla, all of lists left out: taken for updates', 0.95),
      inFolder('updates_bugzilla'),
      taken('updates'),
    ),
    figure(
      lower('ham_discussion, all of lists left out: taken for promotions', 0.01),
      inFolder('ham_discussion'),
      taken('promotions'),
    ),
    figure(
      lower('written ham of other languages, half of it left out: taken for spam', 0.02, 0.005),
      outcomesFor(measures, 'languages').filter((outcome) => !isSpam(outcome)),
      calledSpamShare,
    ),
  ]
}

function figure<T extends Outcome>(
  target: Target,
  outcomes: readonly T[],
  statistic: (outcomes: readonly T[]) => number,
): Figure {
  const interval = bootstrapInterval(outcomes, statistic, BY_GROUP)
  return { ...target, messages: outcomes.length, value: statistic(outcomes), interval }
}

function lower(measure: string, reach: number, beyond?: number): Target {
  return { measure, better: 'lower', reach, ...(beyond === undefined ? {} : { beyond }) }
}

function higher(measure: string, reach: number, beyond?: number): Target {
  return { measure, better: 'higher', reach, ...(beyond === undefined ? {} : { beyond }) }
}

function auc(outcomes: readonly Outcome[]): number {
  return oneMinusAuc(scoredByLogit(outcomes))
}

function calibrationErrorOf(outcomes: readonly Outcome[]): number {
  return calibrationError(scoredByProbability(outcomes))
}

function calledSpamShare(outcomes: readonly Outcome[]): number {
  return shareOf(outcomes, ({ calledSpam }) => calledSpam)
}

export function macroF1Of(outcomes: readonly Outcome[]): number {
  return macroF1(
    outcomes.map(({ messageClass, predictedClass }) => ({
      label: messageClass ?? '',
      predicted: predictedClass,
    })),
  )
}

/** Combines a statistic of each source, without NaN, to one figure. */
function overSources(
  statistic: (outcomes: readonly Outcome[]) => number,
  combine: (figures: readonly number[]) => number,
): (outcomes: readonly Outcome[]) => number {
  return (outcomes) => {
    const sources = [...Map.groupBy(outcomes, ({ source }) => source).values()]
    return combine(sources.map(statistic).filter((value) => !Number.isNaN(value)))
  }
}

/** Share of the errors that are escalated, each source having the same weight of messages. */
function errorsHeld(outcomes: readonly Outcome[]): number {
  const isError = (outcome: Outcome) => outcome.calledSpam !== isSpam(outcome)
  const errors = overSources((own) => shareOf(own, isError), meanOf)
  const held = overSources((own) => shareOf(own, (one) => isError(one) && one.escalated), meanOf)
  return held(outcomes) / errors(outcomes)
}
