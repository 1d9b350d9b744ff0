/**
 * The household's messages that the models get wrong, by file and kind: what to look at next.
 * Neither text nor address of any message is shown.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { percent, tableOf } from './markdown.ts'
import { isAcceptableClass, isSpam } from './measurements.ts'
import { shareOf } from './metrics.ts'
import type { Outcome } from './outcome.ts'

/** A neutral word for the kind of each message, by its file, from KINDS.tsv; empty when there is no KINDS.tsv. */
export function readHouseholdKinds(corpora: string): ReadonlyMap<string, string> {
  const path = join(corpora, 'household_2025/KINDS.tsv')
  if (!existsSync(path)) return new Map()
  const [, ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n')
  return new Map(rows.map((row) => row.split('\t', 2) as [string, string]))
}

/**
 * Spam and ham on the wrong side of the shipped threshold, and ham in the wrong tab: how many, and tables of
 * them, which are undefined where there is no such mail.
 */
export function householdErrors(
  outcomes: readonly Outcome[],
  kinds: ReadonlyMap<string, string>,
): object {
  const lost = outcomes.filter((outcome) => outcome.calledSpam && !isSpam(outcome))
  const missed = outcomes.filter((outcome) => !outcome.calledSpam && isSpam(outcome))
  const misplaced = outcomes.filter(
    (outcome) =>
      !isSpam(outcome) && outcome.messageClass !== undefined && !isAcceptableClass(outcome),
  )
  const spamErrors = (errors: readonly Outcome[]) =>
    outcomes.length === 0 ? undefined : spamErrorTable(errors, outcomes, kinds)
  return {
    lost: lost.length,
    lostTable: spamErrors(lost),
    missed: missed.length,
    missedTable: spamErrors(missed),
    misplaced: misplaced.length,
    misplacedTable: tableOf(misplaced, [
      ['file', ({ id }) => id],
      ['class', ({ messageClass }) => messageClass ?? ''],
      ['also acceptable', ({ alsoAcceptable }) => alsoAcceptable ?? ''],
      ['predicted', ({ predictedClass }) => predictedClass],
    ]),
  }
}

function spamErrorTable(
  errors: readonly Outcome[],
  all: readonly Outcome[],
  kinds: ReadonlyMap<string, string>,
): string {
  const rows = errors
    .map((outcome) => ({ ...outcome, outranked: outrankedBy(outcome, all) }))
    .sort((a, b) => b.outranked - a.outranked || (a.id < b.id ? -1 : 1))
  return tableOf(rows, [
    ['file', ({ id }) => id],
    ['kind', ({ id, messageClass }) => kinds.get(id) ?? messageClass ?? ''],
    ['text', ({ textProbability }) => textProbability.toFixed(2)],
    ['meta', ({ metaProbability }) => metaProbability.toFixed(2)],
    ['fused', ({ spamProbability }) => spamProbability.toFixed(2)],
    ['outranked by', ({ outranked }) => percent(outranked)],
    ['escalated', ({ escalated }) => (escalated ? 'yes' : '')],
  ])
}

function outrankedBy(outcome: Outcome, all: readonly Outcome[]): number {
  const others = all.filter((other) => isSpam(other) !== isSpam(outcome))
  return shareOf(others, (other) =>
    isSpam(outcome) ? other.spamLogit > outcome.spamLogit : other.spamLogit < outcome.spamLogit,
  )
}
