/**
 * The outcomes as data: tab-separated, one line a message and training, without a word or an
 * address of any message. A figure that the report does not give can be had from it. `source` is
 * given only where it is not what was left out.
 */
import type { Outcome } from './outcome.ts'
import { MEASURES } from './plan.ts'
import type { MeasureOutcomes } from './trainings.ts'

type Column = readonly [name: string, cell: (outcome: Outcome) => string | number]

const COLUMNS: readonly Column[] = [
  ['file', ({ id }) => id],
  ['spam', ({ spam }) => (spam ? 1 : 0)],
  ['class', ({ messageClass }) => messageClass ?? ''],
  ['text', ({ textProbability }) => textProbability.toFixed(3)],
  ['meta', ({ metaProbability }) => metaProbability.toFixed(3)],
  ['logit', ({ spamLogit }) => spamLogit.toFixed(2)],
  ['called_spam', ({ calledSpam }) => (calledSpam ? 1 : 0)],
  ['escalated', ({ escalated }) => (escalated ? 1 : 0)],
  ['predicted_class', ({ predictedClass }) => predictedClass],
]

export function outcomesTable(measures: MeasureOutcomes): string {
  const head = ['left_out', 'training', 'source', ...COLUMNS.map(([name]) => name)]
  const rows = MEASURES.flatMap((measure) =>
    (measures.get(measure) ?? []).flatMap((outcomes, training) =>
      outcomes.map((outcome) => {
        const source = outcome.source === measure ? '' : outcome.source
        return [measure, training, source, ...COLUMNS.map(([, cell]) => cell(outcome))]
      }),
    ),
  )
  return `${[head, ...rows].map((cells) => cells.join('\t')).join('\n')}\n`
}
