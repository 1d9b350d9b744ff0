/** The report of what corrections are worth in a new mailbox. */
import { table } from '../markdown.ts'
import {
  type MailboxEvaluation,
  type MailboxRun,
  ORDERS,
  PEER_MAILBOX,
  PEER_ORDERS,
} from './evaluate-mailbox.ts'
import type { MailboxVerdict } from './mailbox.ts'

/** Corrections from which a column of the table begins. */
const FROM = [0, 25, 50, 100, 200] as const

/** Fewer verdicts than these give no rate. */
const VERDICTS_MIN = 100

/** `command` is what gives the report again. */
export function renderMailboxReport(
  evaluations: readonly MailboxEvaluation[],
  command: string,
): string {
  return `# Corrections in a new mailbox

\`${command}\`

Mail of a source that was left out of training, in ${ORDERS} random orders; each message is judged, and every error, of spam and
of class, is corrected at once. The first row has rules and memory alone, the second personal deltas too
(packages/mail/learning/personal-training.ts). Nobody checks who sent a message. A user who meets no more errors corrects no
more: then a column is empty.

Other filters are given ${PEER_MAILBOX} in the first ${PEER_ORDERS} orders. They begin with nothing and are told the label of every message, errors or not, which is more
than Tamis is told: of their errors alone they would hear of spam only, and learn no ham. Rspamd's and SpamAssassin's Bayes judge
alone and from the first message they have learned from, where by default each waits for 200 of each label.

${evaluations.map(section).join('\n\n')}
`
}

function section({ mailbox, runs }: MailboxEvaluation): string {
  const heads = FROM.map((from, i) =>
    FROM[i + 1] === undefined ? `${from} and more` : `${from} to ${FROM[i + 1]! - 1}`,
  )
  const errors = runs.map((run) => [
    run.name,
    ...FROM.map((_, i) => perHundred(isError, inColumn(run, i))),
    perHundred(isError, all(run)),
  ])
  const others = runs.map((run) => [
    run.name,
    perHundred(isHamLost, all(run)),
    perHundred(
      isClassError,
      all(run).filter(({ classRight }) => classRight !== undefined),
    ),
    perHundred(
      isClassError,
      secondHalf(run).filter(({ classRight }) => classRight !== undefined),
    ),
  ])
  return `## ${mailbox}

Messages judged wrong (spam or not), of a hundred, by how many corrections the user had made:

${table(['corrections', ...heads, 'all'], errors)}

${table(['of a hundred', 'ham lost', 'class wrong, of ham', 'the same, second half'], others)}`
}

function isError({ spam, calledSpam }: MailboxVerdict): boolean {
  return spam !== calledSpam
}

function isHamLost({ spam, calledSpam }: MailboxVerdict): boolean {
  return !spam && calledSpam
}

function isClassError({ classRight }: MailboxVerdict): boolean {
  return classRight === false
}

function all({ orders }: MailboxRun): MailboxVerdict[] {
  return orders.flat()
}

function secondHalf({ orders }: MailboxRun): MailboxVerdict[] {
  return orders.flatMap((order) => order.slice(Math.floor(order.length / 2)))
}

function inColumn(run: MailboxRun, column: number): MailboxVerdict[] {
  const [from, to = Infinity] = [FROM[column]!, FROM[column + 1]]
  const found = all(run).filter(({ corrections }) => corrections >= from && corrections < to)
  return found.length < VERDICTS_MIN ? [] : found
}

function perHundred(
  isOne: (verdict: MailboxVerdict) => boolean,
  verdicts: readonly MailboxVerdict[],
): string {
  if (verdicts.length === 0) return '–'
  return ((100 * verdicts.filter(isOne).length) / verdicts.length).toFixed(1)
}
