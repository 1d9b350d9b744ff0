/**
 * Outcomes -> a report that a person reads, and its figures as JSON. The same outcomes give the same bytes.
 */
import { CLASSES, type MessageClass } from '../../mail/models/prediction.ts'
import { MODERN_SOURCES } from '../corpora/sets.ts'
import { bootstrapInterval } from './bootstrap.ts'
import { type Figure, headlineFigures, macroF1Of } from './headline.ts'
import { type Column, page, percent, percentInterval, tableOf } from './markdown.ts'
import {
  BY_GROUP,
  isAcceptableClass,
  isRightClass,
  spamMeasurements,
  type TabsMeasurement,
  tabsMeasurements,
} from './measurements.ts'
import { shareOf } from './metrics.ts'
import type { Outcome } from './outcome.ts'
import { comparisons, comparisonTable } from './peer-tables.ts'
import { MESSAGES_MAX, type PeerResult } from './peers.ts'
import { languageTable, operatingTable, presetTable, sourceTable } from './spam-tables.ts'
import type { MeasureOutcomes } from './trainings.ts'

export interface ReportInput {
  readonly measures: MeasureOutcomes
  /** Empty when they were not asked for. */
  readonly peers: readonly PeerResult[]
  readonly featureVersion: string
  /** The command that makes the report again. */
  readonly command: string
}

/** The page, and the figures in it. */
export function renderReport(input: ReportInput): {
  readonly page: string
  readonly figures: { readonly featureVersion: string; readonly figures: readonly Figure[] }
} {
  const figures = headlineFigures(input.measures)
  const { featureVersion } = input
  return { page: readme(input, figures), figures: { featureVersion, figures } }
}

function readme(
  { measures, peers, featureVersion, command }: ReportInput,
  figures: readonly Figure[],
): string {
  const spam = spamMeasurements(measures)
  const tabs = tabsMeasurements(measures)
  const hasModern = MODERN_SOURCES.some((name) => measures.has(name))
  const hasLanguages = measures.has('written') || measures.has('languages')
  return page('models', {
    command,
    featureVersion,
    headline: headlineTable(figures),
    sources: spam.length === 0 ? undefined : sourceTable(spam),
    operating: operatingTable(spam),
    modernSources: MODERN_SOURCES.join(', '),
    presets: hasModern ? presetTable(measures) : undefined,
    languages: hasLanguages ? languageTable(measures) : undefined,
    tabs: tabs.length === 0 ? undefined : tabsTable(tabs),
    confusions: tabs.map(confusionTable).join('\n\n'),
    installed: installed(peers),
    MESSAGES_MAX,
    comparisons: peers.length === 0 ? undefined : sideBySide(measures, peers),
  })
}

function headlineTable(figures: readonly Figure[]): string {
  return tableOf(figures, [
    ['measure', ({ measure }) => measure],
    ['messages', ({ messages }) => String(messages)],
    ['result', ({ value }) => `**${percent(value)}**`],
    ['95 %', ({ interval }) => percentInterval(interval)],
    ['target', (figure) => targetText(figure, figure.target)],
    ['stretch target', (figure) => targetText(figure, figure.stretchTarget)],
    ['', standing],
  ])
}

function targetText({ better }: Figure, target: number | undefined): string {
  if (target === undefined) return ''
  return `${better === 'lower' ? '≤' : '≥'} ${Number((100 * target).toFixed(2))} %`
}

function standing({ better, value, target, stretchTarget }: Figure): string {
  const meets = (bound: number) => (better === 'lower' ? value <= bound : value >= bound)
  if (stretchTarget !== undefined && meets(stretchTarget)) return 'stretch target met'
  return meets(target) ? 'met' : 'missed'
}

function tabsTable(tabs: readonly TabsMeasurement[]): string {
  const acceptable = (drawn: readonly Outcome[]) => shareOf(drawn, isAcceptableClass)
  return tableOf(tabs, [
    ['left out', ({ title }) => title],
    ['messages', ({ outcomes }) => String(outcomes.length)],
    ['accuracy', ({ outcomes }) => percent(shareOf(outcomes, isRightClass))],
    ['counting also acceptable', ({ outcomes }) => percent(acceptable(outcomes))],
    ['95 %', ({ outcomes }) => percentInterval(bootstrapInterval(outcomes, acceptable, BY_GROUP))],
    ['macro-F1', ({ outcomes }) => percent(macroF1Of(outcomes))],
  ])
}

/** A row for each class, a column for each that was predicted. */
function confusionTable({ title, outcomes }: TabsMeasurement): string {
  const count = (label: MessageClass, predicted: MessageClass) =>
    outcomes.filter((one) => one.messageClass === label && one.predictedClass === predicted).length
  return tableOf(CLASSES, [
    [title, (label) => label],
    ...CLASSES.map(
      (predicted): Column<MessageClass> => [predicted, (label) => String(count(label, predicted))],
    ),
  ])
}

function installed(peers: readonly PeerResult[]): string {
  const versions = Map.groupBy(peers, ({ name }) => name)
  return [...versions]
    .map(([name, [peer]]) => `${name} ${peer!.version ?? 'not installed'}`)
    .join(', ')
}

function sideBySide(measures: MeasureOutcomes, peers: readonly PeerResult[]): string {
  return comparisons(measures, peers)
    .map((one) => comparisonTable(one, peers))
    .join('\n\n')
}
