/** The report of what corrections are worth in a new mailbox. */
import { page, table } from '../markdown.ts'
import {
  CONFIRM_EVERY,
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
  return page('mailbox', {
    ORDERS,
    CONFIRM_EVERY,
    PEER_MAILBOX,
    PEER_ORDERS,
    command,
    mailboxes: evaluations.map(section).join('\n\n'),
  })
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
