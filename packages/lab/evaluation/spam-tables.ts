/** Tables of the report on spam: by source, at operating points, by language. */
import type { Thresholds } from '../../mail/models/models.ts'
import { MODERN_SOURCES } from '../corpora/sets.ts'
import { bootstrapInterval } from './bootstrap.ts'
import { percent, percentInterval, tableOf } from './markdown.ts'
import {
  auc,
  BY_GROUP,
  isSpam,
  outcomesFor,
  type SpamMeasurement,
  scoredByLogit,
  scoredByProbability,
} from './measurements.ts'
import { calibrationError, meanOf, oneMinusAuc, shareOf, spamCaughtAt } from './metrics.ts'
import type { Outcome } from './outcome.ts'
import type { MeasureOutcomes } from './trainings.ts'

/** Shares of ham that a host may be ready to lose. */
export const HAM_LOSSES = [0.001, 0.01, 0.05]

/** A figure of a measurement, in percent. */
function percentOf(figure: (outcomes: readonly Outcome[]) => number) {
  return ({ outcomes }: Pick<SpamMeasurement, 'outcomes'>) => percent(figure(outcomes))
}

/** 1-AUC of both models and of their fusion, and calibration. */
export function sourceTable(measurements: readonly SpamMeasurement[]): string {
  return tableOf(measurements, [
    ['left out', ({ title }) => title],
    ['ham', ({ outcomes }) => String(countsOf(outcomes).ham)],
    ['spam', ({ outcomes }) => String(countsOf(outcomes).spam)],
    ['text', percentOf((outcomes) => aucBy(outcomes, (one) => one.textProbability))],
    ['meta', percentOf((outcomes) => aucBy(outcomes, (one) => one.metaProbability))],
    ['**fused**', ({ outcomes }) => `**${percent(auc(outcomes))}**`],
    ['95 %', ({ outcomes }) => percentInterval(bootstrapInterval(outcomes, auc, BY_GROUP))],
    ['ECE', ({ outcomes }) => decimals(calibrationError(scoredByProbability(outcomes)))],
  ])
}

/** What is caught and what is lost, at thresholds set on the source itself and at the shipped one. */
export function operatingTable(measurements: readonly SpamMeasurement[]): string {
  const caughtAt = (loss: number) =>
    percentOf((outcomes) => {
      const { ham, spam } = countsOf(outcomes)
      return ham === 0 || spam === 0 ? NaN : spamCaughtAt(scoredByLogit(outcomes), loss)
    })
  return tableOf(measurements, [
    ['left out', ({ title }) => title],
    ...HAM_LOSSES.map((loss) => [`caught at ${100 * loss} %`, caughtAt(loss)] as const),
    ['ham lost', percentOf((outcomes) => calledShare(outcomes, false))],
    ['spam caught', percentOf((outcomes) => calledShare(outcomes, true))],
    ['escalated', percentOf((outcomes) => shareOf(outcomes, ({ escalated }) => escalated))],
    ['errors held', percentOf(errorsHeld)],
  ])
}

const PRESETS: readonly (keyof Thresholds)[] = ['cautious', 'balanced', 'strict']

/** What each preset loses and catches of the modern source that fares worst, and in the mean of modern sources. */
export function presetTable(measures: MeasureOutcomes): string {
  const sources = MODERN_SOURCES.map((name) => ({ name, own: outcomesFor(measures, name) })).filter(
    ({ own }) => own.length > 0,
  )
  const shares = (preset: keyof Thresholds, spam: boolean) =>
    sources.map(({ name, own }) => {
      const labelled = own.filter((outcome) => isSpam(outcome) === spam)
      return { name, share: shareOf(labelled, ({ calledSpamBy }) => calledSpamBy[preset]) }
    })
  const worst = (preset: keyof Thresholds, spam: boolean) => {
    const sign = spam ? 1 : -1
    const [first] = shares(preset, spam).sort((a, b) => sign * (a.share - b.share))
    return first === undefined ? '–' : `${percent(first.share)} (${first.name})`
  }
  const inTheMean = (preset: keyof Thresholds, spam: boolean) =>
    percent(meanOf(shares(preset, spam).map(({ share }) => share)))
  return tableOf(PRESETS, [
    ['preset', (preset) => preset],
    ['ham lost, worst', (preset) => worst(preset, false)],
    ['ham lost, mean', (preset) => inTheMean(preset, false)],
    ['spam caught, worst', (preset) => worst(preset, true)],
    ['spam caught, mean', (preset) => inTheMean(preset, true)],
  ])
}

/** Written mail by language: with its kinds left out in folds, and with half of its language left out. */
export function languageTable(measures: MeasureOutcomes): string {
  const folds = Map.groupBy(outcomesFor(measures, 'written'), languageOf)
  const halves = Map.groupBy(outcomesFor(measures, 'languages'), languageOf)
  const languages = [...new Set([...folds.keys(), ...halves.keys()])].sort().map((language) => {
    const [own, half] = [folds.get(language) ?? [], halves.get(language) ?? []]
    return { language, own, half, counts: countsOf(own.length > 0 ? own : half) }
  })
  return tableOf(languages, [
    ['language', ({ language }) => language],
    ['ham', ({ counts }) => String(counts.ham)],
    ['lost, folds', ({ own }) => percent(calledShare(own, false))],
    ['lost, half', ({ half }) => percent(calledShare(half, false))],
    ['spam', ({ counts }) => String(counts.spam)],
    ['caught, folds', ({ own }) => percent(calledShare(own, true))],
    ['caught, half', ({ half }) => percent(calledShare(half, true))],
  ])
}

function languageOf({ language = 'en' }: Outcome): string {
  return language
}

function countsOf(outcomes: readonly Outcome[]): { ham: number; spam: number } {
  const spam = outcomes.filter(isSpam).length
  return { ham: outcomes.length - spam, spam }
}

function aucBy(outcomes: readonly Outcome[], scoreOf: (outcome: Outcome) => number): number {
  return oneMinusAuc(
    outcomes.map((outcome) => ({ score: scoreOf(outcome), spam: isSpam(outcome) })),
  )
}

/** Share of the messages of one label that are called spam. */
function calledShare(outcomes: readonly Outcome[], spam: boolean): number {
  return shareOf(
    outcomes.filter((outcome) => isSpam(outcome) === spam),
    ({ calledSpam }) => calledSpam,
  )
}

function errorsHeld(outcomes: readonly Outcome[]): number {
  const errors = outcomes.filter((outcome) => outcome.calledSpam !== isSpam(outcome))
  return shareOf(errors, ({ escalated }) => escalated)
}

function decimals(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(3)
}
