/** What `tamis learn` shows a person: a heading, what became of the messages, and a sentence that sums it up. */
import type { Verdict } from '../../mail/verdict/verdict.ts'
import { COLUMN_GAP, NAME_WIDTH, shortened } from './classify-table.ts'

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

/** A message whose verdict is another one after learning from those before it. */
export function changeRow(name: string, untaught: Verdict, taught: Verdict): string {
  return [
    shortened(name).padEnd(NAME_WIDTH),
    `${verdictWord(untaught)} -> ${verdictWord(taught)}`.padEnd(CHANGE_WIDTH),
    taught.bypassReason ?? 'model',
  ].join(COLUMN_GAP)
}

/** How many verdicts of `all` were wrong. */
export function rehearsedSummary(
  all: number,
  { untaught, taught }: { readonly untaught: number; readonly taught: number },
): string {
  return `${messages(all)}: ${untaught} judged wrong without learning, ${taught} with it; nothing was recorded`
}

function verdictWord({ isSpam, spamProbability }: Verdict): string {
  return `${isSpam ? 'SPAM' : 'ham '} ${spamProbability.toFixed(3)}`
}

function messages(count: number): string {
  return count === 1 ? '1 message' : `${count} messages`
}
