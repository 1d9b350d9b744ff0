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

/** What tricks cost that are played with one message, by how many they are. */
export interface SeveralLoss {
  readonly tricks: number
  readonly combinations: number
  /** Means and the greatest of the shares of what is caught as received, as TrickLoss has them. */
  readonly meanLoss: number
  readonly worstLoss: number
  readonly worst: string
}

/** One trick, two and three. */
export function severalLosses(spam: readonly SpamSource[]): SeveralLoss[] {
  const several = (spam[0]?.combined ?? []).map(({ size, played }, i) => {
    const losses = played.map(({ name }, at) => {
      const ofSources = spam.map(({ combined }) => combined[i]!.played[at]!)
      const received = sum(ofSources.map(({ asReceived }) => caughtOf(asReceived)))
      const caught = sum(ofSources.map(({ judged }) => caughtOf(judged)))
      return { name, loss: received === 0 ? 0 : Math.max(0, 1 - caught / received) }
    })
    return severalLoss(size, losses)
  })
  return [severalLoss(1, trickLosses(spam)), ...several]
}

function severalLoss(
  tricks: number,
  losses: readonly { readonly name: string; readonly loss: number }[],
): SeveralLoss {
  const worst = losses.reduce((most, it) => (it.loss > most.loss ? it : most), losses[0]!)
  return {
    tricks,
    combinations: losses.length,
    meanLoss: meanOf(losses.map(({ loss }) => loss)),
    worstLoss: worst.loss,
    worst: worst.name,
  }
}

/** Share of ham of all sources that is lost by a reading and not as a whole. */
export function hamLostByReadings(ham: readonly HamSource[]): number {
  const judged = ham.flatMap((source) => source.judged)
  return judged.filter((it) => it.isSpam && !it.wholeIsSpam).length / judged.length
}

/** The figures of the page's head. */
export function evasionFigures({ spam, ham }: EvasionEvaluation): Record<string, number> {
  const losses = trickLosses(spam)
  const byCount = severalLosses(spam).flatMap(({ tricks, meanLoss, worstLoss }) => [
    [`meanLossOf${tricks}`, meanLoss] as const,
    [`worstLossOf${tricks}`, worstLoss] as const,
  ])
  return {
    ...Object.fromEntries(byCount),
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
    severalTable: severalTable(spam),
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

function severalTable(spam: readonly SpamSource[]): string {
  return tableOf(severalLosses(spam), [
    ['tricks with one message', ({ tricks }) => String(tricks)],
    ['combinations', ({ combinations }) => String(combinations)],
    ['mean loss', ({ meanLoss }) => percent(meanLoss)],
    ['worst loss', ({ worstLoss }) => percent(worstLoss)],
    ['the worst', ({ worst }) => worst],
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
