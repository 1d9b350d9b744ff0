/** The figures that a release is judged by, each with its interval and its two targets. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MODERN_SOURCES } from '../corpora/sets.ts'
import { bootstrapInterval, type Interval } from './bootstrap.ts'
import {
  auc,
  BY_GROUP,
  calledSpamShare,
  householdAgainstPhishing,
  isAcceptableClass,
  isSpam,
  isUnthreadedOrSpam,
  isWrong,
  type MeasureOutcomes,
  outcomesFor,
  scoredByLogit,
  scoredByProbability,
  tabsMeasurements,
} from './measurements.ts'
import { calibrationError, macroF1, meanOf, shareOf, spamCaughtAt } from './metrics.ts'
import type { Outcome } from './outcome.ts'
import type { MeasureName } from './plan.ts'

export interface Figure {
  /** Its name in the targets. */
  readonly name: string
  readonly measure: string
  /** How many messages it rests on. */
  readonly messages: number
  /** In [0, 1]. */
  readonly value: number
  readonly interval: Interval
  readonly target: string
  readonly stretchTarget: string
  readonly standing: 'stretch target met' | 'met' | 'missed'
}

/** Sources with ham; each weighs alike in a mean. */
const HAM_SOURCES: readonly MeasureName[] = [
  'household_2025',
  'lists',
  'finds',
  'written',
  'spamassassin',
  'csdmc2010',
  'bounces',
]

/** The share of ham that a mailbox may lose when the threshold is set on its own mail. */
const OWN_HAM_LOSS = 0.005

/** What a release is to reach: figure, how it is called, which way is better, and both targets. */
const TARGETS = readFileSync(join(import.meta.dirname, '../data/reports/targets.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((row) => row.split('\t'))

/** All figures whose measures were taken, in the order of the targets. */
export function headlineFigures(measures: MeasureOutcomes): Figure[] {
  const made = { ...spamFigures(measures), ...classFigures(measures) }
  return TARGETS.map(([name = '', measure = '', better, ...bounds]): Figure => {
    const figure = made[name]!
    const [target = '', stretchTarget = ''] = bounds.map((bound) =>
      bound
        ? `${better === 'lower' ? '≤' : '≥'} ${Number((100 * Number(bound)).toFixed(2))} %`
        : '',
    )
    const isMet = (bound = '') =>
      bound !== '' &&
      (better === 'lower' ? figure.value <= Number(bound) : figure.value >= Number(bound))
    const standing = isMet(bounds[1]) ? 'stretch target met' : isMet(bounds[0]) ? 'met' : 'missed'
    return { name, measure, ...figure, target, stretchTarget, standing }
  }).filter(({ messages, value }) => messages > 0 && !Number.isNaN(value))
}

type Made = Pick<Figure, 'messages' | 'value' | 'interval'>

/** Figures by their names in the targets. */
type Figures = Readonly<Record<string, Made>>

function spamFigures(measures: MeasureOutcomes): Figures {
  const of = (measure: MeasureName) => outcomesFor(measures, measure)
  const isHam = (outcome: Outcome) => !isSpam(outcome)
  const household = of('household_2025')
  const ham = HAM_SOURCES.flatMap(of).filter(isHam)
  const modern = MODERN_SOURCES.flatMap(of)
  const shortLetters = of('written').filter(({ shortLetter }) => shortLetter)
  const caught = (own: readonly Outcome[]) => spamCaughtAt(scoredByLogit(own), OWN_HAM_LOSS)
  const isAboveHalf = ({ spamProbability }: Outcome) => spamProbability > 0.5
  return {
    'household-auc': figureOf(household, auc),
    'household-caught': figureOf(household, caught),
    'phishing-auc': figureOf(householdAgainstPhishing(measures), auc),
    'lists-auc': figureOf(of('lists').filter(isUnthreadedOrSpam), auc),
    'finds-auc': figureOf(of('finds'), auc),
    'written-auc': figureOf(of('written'), auc),
    'ham-lost-worst': figureOf(
      modern.filter(isHam),
      overSources(calledSpamShare, (shares) => Math.max(...shares)),
    ),
    'spam-caught-mean': figureOf(modern.filter(isSpam), overSources(calledSpamShare, meanOf)),
    'ham-lost-mean': figureOf(ham, overSources(calledSpamShare, meanOf)),
    calibration: figureOf(modern, overSources(calibrationErrorOf, meanOf)),
    'short-letters': figureOf(shortLetters, (letters) => shareOf(letters, isAboveHalf)),
    escalated: figureOf(modern, escalatedShare),
    'errors-escalated': figureOf(modern, errorsHeld),
    'escalated-errors': figureOf(modern, escalatedErrors),
    languages: figureOf(of('languages').filter(isHam), calledSpamShare),
  }
}

function classFigures(measures: MeasureOutcomes): Figures {
  const tabs = new Map(tabsMeasurements(measures).map(({ title, outcomes }) => [title, outcomes]))
  const household = tabs.get('household_2025') ?? []
  const lists = outcomesFor(measures, 'lists')
  const inFolder = (folder: string) => lists.filter(({ id }) => id.startsWith(`${folder}/`))
  const taken = (name: Outcome['predictedClass']) => (outcomes: readonly Outcome[]) =>
    shareOf(outcomes, ({ predictedClass }) => predictedClass === name)
  return {
    'tabs-accuracy': figureOf(household, (outcomes) => shareOf(outcomes, isAcceptableClass)),
    'tabs-household': figureOf(household, macroF1Of),
    'tabs-written': figureOf(tabs.get('written, by kind') ?? [], macroF1Of),
    bounces: figureOf(outcomesFor(measures, 'bounces'), taken('updates')),
    bugzilla: figureOf(inFolder('updates_bugzilla'), taken('updates')),
    discussion: figureOf(inFolder('ham_discussion'), taken('promotions')),
  }
}

function figureOf<T extends Outcome>(
  outcomes: readonly T[],
  statistic: (outcomes: readonly T[]) => number,
): Made {
  const interval = bootstrapInterval(outcomes, statistic, BY_GROUP)
  return { messages: outcomes.length, value: statistic(outcomes), interval }
}

function calibrationErrorOf(outcomes: readonly Outcome[]): number {
  return calibrationError(scoredByProbability(outcomes))
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
  return escalatedAndWrong(outcomes) / overSources((own) => shareOf(own, isWrong), meanOf)(outcomes)
}

/** Share of what is escalated that the threshold gets wrong, each source having the same weight of messages. */
function escalatedErrors(outcomes: readonly Outcome[]): number {
  return escalatedAndWrong(outcomes) / escalatedShare(outcomes)
}

const escalatedShare = overSources((own) => shareOf(own, (one) => one.escalated), meanOf)

const escalatedAndWrong = overSources(
  (own) => shareOf(own, (one) => isWrong(one) && one.escalated),
  meanOf,
)
