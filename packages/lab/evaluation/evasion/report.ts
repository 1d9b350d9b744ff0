/** The evaluation of tricks as a page: packages/lab/reports/evasion/README.md. */

import { type Column, page, percent, tableOf } from '../markdown.ts'
import { meanOf } from '../metrics.ts'
import type { EvasionEvaluation, HamSource, Judged, SpamSource } from './evaluate-evasion.ts'
import { FAMILIES, type Family, TRICKS } from './tricks.ts'

/** What a trick costs, over all sources of spam together. */
export interface TrickLoss {
  readonly family: Family
  readonly name: string
  /** By source: caught with the trick. */
  readonly caught: readonly number[]
  /** Missed, but shown to a person. */
  readonly escalated: number
  /** The same loss where the message is judged as a whole only. */
  readonly lossAsWhole: number
  /** Share of what is caught as received that the trick lets through; 0 where as much or more is caught. */
  readonly loss: number
}

/** The loss of every trick, in the order of TRICKS. */
export function trickLosses(spam: readonly SpamSource[]): TrickLoss[] {
  const received = sum(spam.map(({ asReceived }) => caughtOf(asReceived)))
  const receivedAsWhole = sum(spam.map(({ asReceived }) => caughtAsWholeOf(asReceived)))
  return TRICKS.map(({ family, name }, i) => {
    const played = spam.map(({ tricks }) => tricks[i]!)
    const caught = played.map(({ judged }) => caughtOf(judged))
    return {
      family,
      name,
      caught,
      escalated: sum(
        played.map(({ judged }) => judged.filter((it) => !it.isSpam && it.escalated).length),
      ),
      lossAsWhole: Math.max(
        0,
        1 - sum(played.map(({ judged }) => caughtAsWholeOf(judged))) / receivedAsWhole,
      ),
      loss: Math.max(0, 1 - sum(caught) / received),
    }
  })
}

/** Share of ham of all sources that is lost by a reading and not as a whole. */
export function hamLostByReadings(ham: readonly HamSource[]): number {
  const judged = ham.flatMap((source) => source.judged)
  return judged.filter((it) => it.isSpam && !it.wholeIsSpam).length / judged.length
}

/** The figures of the page's head. */
export function evasionFigures({ spam, ham }: EvasionEvaluation): Record<string, number> {
  const losses = trickLosses(spam)
  return {
    hamLostByReadings: hamLostByReadings(ham),
    tricks: losses.length,
    meanLoss: meanOf(losses.map(({ loss }) => loss)),
    meanLossOfFamilies: meanOf(familyLosses(losses).map(([, loss]) => loss)),
    ...Object.fromEntries(
      ham.map(({ source, judged }) => [`hamLost ${source}`, caughtOf(judged) / judged.length]),
    ),
  }
}

/** `command` is what gives it again. */
export function renderEvasionReport(evaluation: EvasionEvaluation, command: string): string {
  const { spam } = evaluation
  const losses = trickLosses(spam)
  const counts = spam.map(
    ({ source, models, asReceived }) =>
      `- \`${source}\`: ${asReceived.length} messages, ${caughtOf(asReceived)} of them caught as received (${caughtAsWholeOf(asReceived)} as a whole); models: ${models}`,
  )
  return page('evasion', {
    ...evaluation,
    ...evasionFigures(evaluation),
    command,
    sources: counts.join('\n'),
    familyTable: familyTable(losses, spam),
    hamTable: hamTable(evaluation),
    tricksTable: tricksTable(losses, spam),
  })
}

function familyLosses(losses: readonly TrickLoss[]): [Family, number][] {
  return FAMILIES.map((family) => [
    family,
    meanOf(losses.filter((it) => it.family === family).map(({ loss }) => loss)),
  ])
}

function familyTable(losses: readonly TrickLoss[], spam: readonly SpamSource[]): string {
  const letters = sum(spam.map(({ asReceived }) => asReceived.length))
  const families = familyLosses(losses).map(([family, loss]) => {
    const own = losses.filter((it) => it.family === family)
    return { family, loss, own }
  })
  const mean = (of: (loss: TrickLoss) => number) => (row: { own: readonly TrickLoss[] }) =>
    percent(meanOf(row.own.map(of)))
  return tableOf(families, [
    ['family', ({ family }) => family],
    ['tricks', ({ own }) => String(own.length)],
    ['mean loss as a whole', mean(({ lossAsWhole }) => lossAsWhole)],
    ['mean loss', ({ loss }) => percent(loss)],
    ['missed, but shown to a person', mean(({ escalated }) => escalated / letters)],
  ])
}

function hamTable({ ham }: EvasionEvaluation): string {
  const counted = (of: (judged: readonly Judged[]) => number) => (row: HamSource) =>
    `${of(row.judged)} (${percent(of(row.judged) / row.judged.length)})`
  return tableOf(ham, [
    ['source', ({ source }) => source],
    ['models', ({ models }) => models],
    ['ham', ({ judged }) => String(judged.length)],
    ['lost as a whole', counted(caughtAsWholeOf)],
    ['lost', counted(caughtOf)],
    ['escalated', counted((judged) => judged.filter((it) => it.escalated).length)],
  ])
}

function tricksTable(losses: readonly TrickLoss[], spam: readonly SpamSource[]): string {
  return tableOf(losses, [
    ['trick', ({ name }) => name],
    ['family', ({ family }) => family],
    ...spam.map(({ source }, i): Column<TrickLoss> => [source, (row) => String(row.caught[i])]),
    ['missed, but shown', ({ escalated }) => String(escalated)],
    ['loss', ({ loss }) => percent(loss)],
  ])
}

function caughtOf(judged: readonly Judged[]): number {
  return judged.filter(({ isSpam }) => isSpam).length
}

function caughtAsWholeOf(judged: readonly Judged[]): number {
  return judged.filter(({ wholeIsSpam }) => wholeIsSpam).length
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
