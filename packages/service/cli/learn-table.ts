/** What `tamis learn` shows a person: a heading, what became of the messages, and a sentence that sums it up. */
import type { Verdict } from '../../mail/verdict/verdict.ts'
import { COLUMN_GAP, NAME_WIDTH, shortened } from './classify-table.ts'
import type { HeldOut } from './held-out.ts'

/** Characters of 'SPAM 0.999 -> ham  0.001'. */
const CHANGE_WIDTH = 24

export const OUTCOMES_HEADING = ['messages', 'what became of them'].join(COLUMN_GAP)

const OUTCOMES: Readonly<Record<string, string>> = {
  success: 'learned, also for the model that all users share',
  personalization_only: 'learned for this user',
  already_recorded: 'known already',
}

/** How often a status, or the code of an error, was the end of a message. */
export function outcomeRow(status: string, count: number): string {
  const words = OUTCOMES[status] ?? `not learned: ${status}`
  return [`${count}`.padStart('messages'.length), words].join(COLUMN_GAP)
}

/** '3 messages: 2 learned, 1 known already'. */
export function learnedSummary(counts: ReadonlyMap<string, number>): string {
  const known = counts.get('already_recorded') ?? 0
  const learned = (counts.get('success') ?? 0) + (counts.get('personalization_only') ?? 0)
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const refused = all - learned - known
  return `${messages(all)}: ${learned} learned, ${known} known already${refused > 0 ? `, ${refused} not learned` : ''}`
}

export const CHANGES_HEADING = [
  'message'.padEnd(NAME_WIDTH),
  'without -> with learning'.padEnd(CHANGE_WIDTH),
  'decided by',
].join(COLUMN_GAP)

/** A message whose verdict is another one after learning from the half that it is not in. */
export function changeRow(name: string, untaught: Verdict, taught: Verdict): string {
  return [
    shortened(name).padEnd(NAME_WIDTH),
    `${verdictWord(untaught)} -> ${verdictWord(taught)}`.padEnd(CHANGE_WIDTH),
    taught.bypassReason ?? 'model',
  ].join(COLUMN_GAP)
}

/** What a rehearsal found. */
export interface Rehearsal {
  readonly wrong: HeldOut
  /** What learning would do, in messages; `rules` in rules. */
  readonly planned: {
    readonly remembered: number
    readonly rules: number
    readonly ownModels: number
    readonly sharedModel: number
  }
}

/** How many verdicts were wrong, ham and spam apart, with the interval of their share; a heading first. */
export function rehearsedRows({ wrong }: Rehearsal): string[][] {
  const cell = (count: number, of: number) => `${count} (${interval(count, of)})`
  const rows = (['ham', 'spam'] as const).map((label) => {
    const { of, untaught, taught } = wrong[label]
    return [label, String(of), cell(untaught, of), cell(taught, of)]
  })
  return [['', 'messages', 'wrong without learning', 'wrong with learning'], ...rows]
}

/** What learning would do; a heading first. */
export function plannedRows({ planned }: Rehearsal): string[][] {
  const { remembered, rules, ownModels, sharedModel } = planned
  return [
    ['learning would', ''],
    ['remember messages for the user', String(remembered)],
    ["learn from messages for the user's own models", String(ownModels)],
    ['make Sender rules, of senders that are vouched for', String(rules)],
    ['count messages for the model that all users share', String(sharedModel)],
  ]
}

/** `rows` with columns of one width each. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widthOf = (row: readonly string[], column: number) =>
    Math.max(
      ...rows.filter(({ length }) => length === row.length).map((each) => each[column]!.length),
    )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widthOf(row, column)))
        .join(COLUMN_GAP)
        .trimEnd(),
    )
    .join('\n')
}

/** The 0.975 quantile of the normal distribution. */
const Z_95 = 1.96

/**
 * Wilson's interval for the share of `count` in `of`, at 95 %: '0.4 to 12.9 %'. Wilson, Probable Inference, the
 * Law of Succession, and Statistical Inference (1927).
 */
function interval(count: number, of: number): string {
  if (of === 0) return 'no messages'
  const share = count / of
  const middle = share + Z_95 ** 2 / (2 * of)
  const reach = Z_95 * Math.sqrt((share * (1 - share)) / of + Z_95 ** 2 / (4 * of ** 2))
  const percentAt = (end: number) => ((100 * end) / (1 + Z_95 ** 2 / of)).toFixed(1)
  return `${percentAt(Math.max(0, middle - reach))} to ${percentAt(middle + reach)} %`
}

function verdictWord({ isSpam, spamProbability }: Verdict): string {
  return `${isSpam ? 'SPAM' : 'ham '} ${spamProbability.toFixed(3)}`
}

function messages(count: number): string {
  return count === 1 ? '1 message' : `${count} messages`
}
