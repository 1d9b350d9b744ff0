/**
 * The outcomes as data: tab-separated, one line a message and training, without a word or an
 * address of any message. A figure that the report does not give can be had from it. `source` is
 * given only where it is not what was left out.
 */
import type { Outcome } from './outcome.ts'
import { MEASURES } from './plan.ts'
import type { MeasureOutcomes } from './trainings.ts'

const COLUMNS = [
  'left_out',
  'training',
  'source',
  'file',
  'spam',
  'class',
  'text',
  'meta',
  'logit',
  'called_spam',
  'escalated',
  'predicted_class',
]

/** The largest table that is worth its place in the repository, in bytes. */
const BYTES_MAX = 1_000_000

/** Old sources make up most of the lines and say least: without them the table stays small. */
const OLD_SOURCES: readonly string[] = ['spamassassin', 'csdmc2010']

/** The whole table, or the table without OLD_SOURCES where the whole would be too large. */
export function outcomesTable(measures: MeasureOutcomes): string {
  const whole = tableOf(measures, () => true)
  if (whole.length <= BYTES_MAX) return whole
  return tableOf(measures, ({ source }) => !OLD_SOURCES.includes(source))
}

function tableOf(measures: MeasureOutcomes, isShown: (outcome: Outcome) => boolean): string {
  const lines = MEASURES.flatMap((measure) =>
    (measures.get(measure) ?? []).flatMap((outcomes, training) =>
      outcomes.filter(isShown).map((outcome) => lineOf(measure, training, outcome)),
    ),
  )
  return `${[COLUMNS.join('\t'), ...lines].join('\n')}\n`
}

function lineOf(measure: string, training: number, outcome: Outcome): string {
  return [
    measure,
    training,
    outcome.source === measure ? '' : outcome.source,
    outcome.id,
    outcome.spam ? 1 : 0,
    outcome.messageClass ?? '',
    outcome.textProbability.toFixed(3),
    outcome.metaProbability.toFixed(3),
    outcome.spamLogit.toFixed(2),
    outcome.calledSpam ? 1 : 0,
    outcome.escalated ? 1 : 0,
    outcome.predictedClass,
  ].join('\t')
}
