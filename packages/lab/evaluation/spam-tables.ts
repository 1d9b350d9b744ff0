/** Tables of the report on spam: by source, at operating points, by language. */
import type { Thresholds } from '../../mail/models/fusion.ts'
import { MODERN_SOURCES } from '../corpora/sets.ts'
import { bootstrapInterval } from './bootstrap.ts'
import { percent, percentInterval, table } from './markdown.ts'
import { isSpam, outcomesFor, type SpamMeasurement } from './measurements.ts'
import { calibrationError, meanOf, oneMinusAuc, shareOf, spamCaughtAt } from './metrics.ts'
import type { Outcome } from './outcome.ts'
import {
  BY_GROUP,
  meanAuc,
  rankedOutcomes,
  scoredByLogit,
  scoredByProbability,
} from './rankings.ts'
import type { MeasureOutcomes } from './trainings.ts'

/** Shares of ham that a host may be ready to lose. */
export const HAM_LOSSES = [0.001, 0.01, 0.05]

/** 1-AUC of both models and of their fusion, and calibration. */
export function sourceTable(measurements: readonly SpamMeasurement[]): string {
  const rows = measurements.map(({ title, rankings }) => {
    const mean = (figure: (outcomes: readonly Outcome[]) => number) => meanOf(rankings.map(figure))
    const counts = countsOf(rankings[0]!)
    const ranked = rankedOutcomes(rankings)
    return [
      title,
      String(counts.ham),
      String(counts.spam),
      percent(mean((outcomes) => aucBy(outcomes, ({ textProbability }) => textProbability))),
      percent(mean((outcomes) => aucBy(outcomes, ({ metaProbability }) => metaProbability))),
      `**${percent(meanAuc(ranked))}**`,
      percentInterval(bootstrapInterval(ranked, meanAuc, BY_GROUP)),
      decimals(mean((outcomes) => calibrationError(scoredByProbability(outcomes)))),
    ]
  })
  const head = ['left out', 'ham', 'spam', 'text', 'meta', '**fused**', '95 %', 'ECE']
  return table(head, rows)
}

/** What is caught and what is lost, at thresholds set on the source itself and at the shipped one. */
export function operatingTable(measurements: readonly SpamMeasurement[]): string {
  const rows = measurements.map(({ title, rankings }) => {
    const mean = (figure: (outcomes: readonly Outcome[]) => number) => meanOf(rankings.map(figure))
    const { ham, spam } = countsOf(rankings[0]!)
    return [
      title,
      ...HAM_LOSSES.map((loss) =>
        ham === 0 || spam === 0
          ? '–'
          : percent(mean((outcomes) => spamCaughtAt(scoredByLogit(outcomes), loss))),
      ),
      percent(mean((outcomes) => calledShare(outcomes, false))),
      percent(mean((outcomes) => calledShare(outcomes, true))),
      percent(mean((outcomes) => shareOf(outcomes, ({ escalated }) => escalated))),
      percent(mean(errorsHeld)),
    ]
  })
  const head = [
    'left out',
    ...HAM_LOSSES.map((loss) => `caught at ${100 * loss} %`),
    'ham lost',
    'spam caught',
    'escalated',
    'errors held',
  ]
  return table(head, rows)
}

const PRESETS: readonly (keyof Thresholds)[] = ['cautious', 'balanced', 'strict']

/** What each preset loses and catches of the modern source that fares worst, and in the mean of modern sources. */
export function presetTable(measures: MeasureOutcomes): string {
  const sources = MODERN_SOURCES.map((name) => ({ name, own: outcomesFor(measures, name) })).filter(
    ({ own }) => own.length > 0,
  )
  const rows = PRESETS.map((preset) => {
    const called = (own: readonly Outcome[], spam: boolean) =>
      shareOf(
        own.filter((outcome) => isSpam(outcome) === spam),
        ({ calledSpamBy }) => calledSpamBy[preset],
      )
    const lost = sources.map(({ name, own }) => ({ name, share: called(own, false) }))
    const caught = sources.map(({ name, own }) => ({ name, share: called(own, true) }))
    const worstLost = lost.toSorted((a, b) => b.share - a.share)[0]
    const worstCaught = caught.toSorted((a, b) => a.share - b.share)[0]
    const named = (one: { name: string; share: number } | undefined) =>
      one === undefined ? '–' : `${percent(one.share)} (${one.name})`
    return [
      preset,
      named(worstLost),
      percent(meanOf(lost.map(({ share }) => share))),
      named(worstCaught),
      percent(meanOf(caught.map(({ share }) => share))),
    ]
  })
  const head = [
    'preset',
    'ham lost, worst',
    'ham lost, mean',
    'spam caught, worst',
    'spam caught, mean',
  ]
  return table(head, rows)
}

/** Written mail by language: with its kinds left out in folds, and with half of its language left out. */
export function languageTable(measures: MeasureOutcomes): string {
  const folds = Map.groupBy(outcomesFor(measures, 'written'), languageOf)
  const halves = Map.groupBy(outcomesFor(measures, 'languages'), languageOf)
  const languages = [...new Set([...folds.keys(), ...halves.keys()])].sort()
  const rows = languages.map((language) => {
    const own = folds.get(language) ?? []
    const half = halves.get(language) ?? []
    const counts = countsOf(own.length > 0 ? own : half)
    return [
      language,
      String(counts.ham),
      percent(calledShare(own, false)),
      percent(calledShare(half, false)),
      String(counts.spam),
      percent(calledShare(own, true)),
      percent(calledShare(half, true)),
    ]
  })
  const head = [
    'language',
    'ham',
    'lost, folds',
    'lost, half',
    'spam',
    'caught, folds',
    'caught, half',
  ]
  return table(head, rows)
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
