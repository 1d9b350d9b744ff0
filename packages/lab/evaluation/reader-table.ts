/** What the reader adds to both models, by source left out; and whether contrast pairs are told apart. */
import { percent, tableOf } from './markdown.ts'
import { isSpam, type SpamMeasurement } from './measurements.ts'
import { oneMinusAuc, shareOf } from './metrics.ts'
import type { Outcome } from './outcome.ts'

/** For each source the figures of both models alone, then those with the reader. */
export function readerTable(measurements: readonly SpamMeasurement[]): string {
  const whole = measurements.filter(({ rankings }) => rankings.length === 1)
  return tableOf(whole, [
    ['left out', ({ title }) => title],
    ['1-AUC', pair((outcomes, logitOf) => auc(outcomes, logitOf))],
    ['ham lost', pairOf('ham')],
    ['spam caught', pairOf('spam')],
    ['read, of ham', ({ rankings }) => readShare(rankings[0]!, false)],
    ['read, of spam', ({ rankings }) => readShare(rankings[0]!, true)],
  ])
}

/** Of all pairs of a fraud and an honest letter of one contrast pair, the share in which the fraud has the higher log-odds. */
export function pairsToldApart(outcomes: readonly Outcome[], logitOf = withReader): number {
  const pairs = Map.groupBy(
    outcomes.filter(({ pair: name }) => name !== undefined),
    ({ pair: name }) => name!,
  )
  const orders = [...pairs.values()].flatMap((members) =>
    members
      .filter(isSpam)
      .flatMap((fraud) =>
        members.filter((other) => !isSpam(other)).map((honest) => logitOf(fraud) > logitOf(honest)),
      ),
  )
  return shareOf(orders, (isRight) => isRight)
}

type LogitOf = (outcome: Outcome) => number

export const withReader: LogitOf = ({ spamLogit }) => spamLogit
export const withoutReader: LogitOf = ({ unread }) => unread.spamLogit

function pair(figure: (outcomes: readonly Outcome[], logitOf: LogitOf) => string) {
  return ({ rankings }: SpamMeasurement) =>
    `${figure(rankings[0]!, withoutReader)} → ${figure(rankings[0]!, withReader)}`
}

function auc(outcomes: readonly Outcome[], logitOf: LogitOf): string {
  return percent(oneMinusAuc(outcomes.map((one) => ({ spam: isSpam(one), score: logitOf(one) }))))
}

/** The share called spam of spam or of ham. */
function pairOf(kind: 'spam' | 'ham') {
  return ({ rankings }: SpamMeasurement) => {
    const own = rankings[0]!.filter((one) => isSpam(one) === (kind === 'spam'))
    const before = shareOf(own, ({ unread }) => unread.calledSpam)
    return `${percent(before)} → ${percent(shareOf(own, ({ calledSpam }) => calledSpam))}`
  }
}

function readShare(outcomes: readonly Outcome[], spam: boolean): string {
  const own = outcomes.filter((one) => isSpam(one) === spam)
  return percent(shareOf(own, ({ wasRead }) => wasRead))
}
