/** The measures of the TREC spam track (Cormack and Lynam, TREC 2005 Spam Track Overview), in percent. */

import type { LetterVerdict } from '../letters.ts'
import { oneMinusAuc, shareOf, spamCaughtAt } from '../metrics.ts'

export interface StreamMeasures {
  /** (1-ROCA)%: how often a random ham scores above a random spam. */
  readonly oneMinusRoca: number
  /** sm%: spam missed where the threshold, set afterwards, loses 0.1 % of ham. */
  readonly spamMissedAtHamLoss: number
  /** hm% and sm%: ham lost and spam missed at the filter's own threshold. */
  readonly hamLost: number
  readonly spamMissed: number
  /** lam%: where hm% and sm% meet half-way as natural log-odds. */
  readonly logisticAverage: number
}

const HAM_LOSS = 0.001

export function streamMeasures(verdicts: readonly LetterVerdict[]): StreamMeasures {
  const ham = verdicts.filter(({ spam }) => !spam)
  const spam = verdicts.filter((verdict) => verdict.spam)
  const lost = shareOf(ham, ({ calledSpam }) => calledSpam)
  const missed = shareOf(spam, ({ calledSpam }) => !calledSpam)
  return {
    oneMinusRoca: 100 * oneMinusAuc(verdicts),
    spamMissedAtHamLoss: 100 * (1 - spamCaughtAt(verdicts, HAM_LOSS)),
    hamLost: 100 * lost,
    spamMissed: 100 * missed,
    logisticAverage: 100 * logisticAverage(lost, ham.length, missed, spam.length),
  }
}

/** No error at all among n counts as half an error, or the log-odds were infinite. */
function logisticAverage(lost: number, ham: number, missed: number, spam: number): number {
  const logOdds = (share: number, count: number) => {
    const bounded = Math.min(Math.max(share, 0.5 / count), 1 - 0.5 / count)
    return Math.log(bounded / (1 - bounded))
  }
  const mean = (logOdds(lost, ham) + logOdds(missed, spam)) / 2
  return 1 / (1 + Math.exp(-mean))
}
