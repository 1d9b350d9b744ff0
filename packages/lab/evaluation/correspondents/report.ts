/** The report of what correspondents are worth: packages/lab/reports/correspondents/README.md. */
import { page, percent, table } from '../markdown.ts'
import {
  type CorrespondentsEvaluation,
  HOUSEHOLDS,
  type HouseholdLosses,
  type Lost,
  PRESETS,
  RELATIONS,
} from './evaluate-correspondents.ts'
import { DAYS } from './household.ts'

const NAMES = {
  stranger: 'not known yet',
  received: 'long received',
  reply: 'a reply to the user',
  written_to: 'written to',
} as const

/** `command` is what gives the report again. */
export function renderCorrespondentsReport(
  evaluation: CorrespondentsEvaluation,
  command: string,
): string {
  const { losses, thefts, ...counts } = evaluation
  const tableFor = (isChecked: boolean) =>
    lossTable(losses.filter((each) => each.isChecked === isChecked))
  return page('correspondents', {
    ...counts,
    command,
    DAYS,
    HOUSEHOLDS,
    checked: tableFor(true),
    unchecked: tableFor(false),
    thefts: table(
      ['spam in the name of', ...PRESETS.map((preset) => `caught, ${preset}`)],
      thefts.map(({ name, caught }) => [name, ...PRESETS.map((preset) => percent(caught[preset]))]),
    ),
  })
}

function lossTable(losses: readonly HouseholdLosses[]): string {
  const heads = losses.flatMap(({ preset }) => [`lost, ${preset}`, 'with correspondents'])
  const row = (name: string, cells: readonly Lost[]) => [
    name,
    // The stream is nearly the same for each preset: what is lost is not answered.
    cells[0]!.messages.toFixed(0),
    ...cells.flatMap(({ before, after }) => [before.toFixed(1), after.toFixed(1)]),
  ]
  return table(
    ['sender', 'messages', ...heads],
    [
      ...RELATIONS.map((relation) =>
        row(
          NAMES[relation],
          losses.map(({ byRelation }) => byRelation[relation]),
        ),
      ),
      row(
        'all',
        losses.map(({ byRelation }) => sumOf(Object.values(byRelation))),
      ),
    ],
  )
}

function sumOf(parts: readonly Lost[]): Lost {
  return parts.reduce((sum, { messages, before, after }) => ({
    messages: sum.messages + messages,
    before: sum.before + before,
    after: sum.after + after,
  }))
}
