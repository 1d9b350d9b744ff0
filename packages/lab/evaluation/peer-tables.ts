/** Our models and the peers side by side, on the messages that all were asked about. */
import { bootstrapInterval } from './bootstrap.ts'
import { percent, percentInterval, table } from './markdown.ts'
import {
  householdAgainstPhishing,
  isSpam,
  isUnthreadedOrSpam,
  outcomesFor,
} from './measurements.ts'
import { oneMinusAuc, type Scored, shareOf, spamCaughtAt } from './metrics.ts'
import type { Outcome } from './outcome.ts'
import { type PeerResult, peerKey } from './peers.ts'
import { HAM_LOSSES } from './spam-tables.ts'
import type { MeasureOutcomes } from './trainings.ts'

/** A message as one filter judged it. */
interface Judged extends Scored {
  readonly calledSpam: boolean
  readonly group: string
}

/** Messages that filters are compared on. */
export interface Comparison {
  readonly title: string
  readonly outcomes: readonly Outcome[]
}

/** Those of which peers were asked, in the order of the report. */
export function comparisons(measures: MeasureOutcomes, peers: readonly PeerResult[]): Comparison[] {
  const asked = new Set(peers.flatMap(({ verdicts }) => [...verdicts.keys()]))
  return [
    { title: 'household_2025', outcomes: outcomesFor(measures, 'household_2025') },
    {
      title: 'household_2025 ham, phishing_pot spam',
      outcomes: householdAgainstPhishing(measures),
    },
    {
      title: 'lists, first posts and patches',
      outcomes: outcomesFor(measures, 'lists').filter(isUnthreadedOrSpam),
    },
  ]
    .map(({ title, outcomes }) => ({
      title,
      outcomes: outcomes.filter((outcome) => asked.has(peerKey(outcome))),
    }))
    .filter(({ outcomes }) => outcomes.length > 0)
}

export function comparisonTable(
  { title, outcomes }: Comparison,
  peers: readonly PeerResult[],
): string {
  const spamCount = outcomes.filter(isSpam).length
  const rows = [
    judgedRow('**Tamis**', ourJudgements(outcomes)),
    ...peers.map((peer) => {
      const name = `${peer.name}, ${peer.mode}`
      const judged = peerJudgements(peer, outcomes)
      if (judged !== undefined) return judgedRow(name, judged)
      return [name, absence(peer), '', '', '', '', '', '']
    }),
  ]
  const head = [
    `${title}: ${outcomes.length - spamCount} ham, ${spamCount} spam`,
    '1-AUC',
    '95 %',
    ...HAM_LOSSES.map((loss) => `caught at ${100 * loss} %`),
    'ham lost',
    'spam caught',
  ]
  return table(head, rows)
}

function absence({ version, failure }: PeerResult): string {
  if (version === undefined) return 'not installed'
  return failure === undefined ? 'not run' : 'failed'
}

function judgedRow(name: string, judged: readonly Judged[]): string[] {
  const interval = bootstrapInterval(judged, oneMinusAuc, { groupOf: ({ group }) => group })
  const called = (spam: boolean) =>
    shareOf(
      judged.filter((each) => each.spam === spam),
      ({ calledSpam }) => calledSpam,
    )
  return [
    name,
    percent(oneMinusAuc(judged)),
    percentInterval(interval),
    ...HAM_LOSSES.map((loss) => percent(spamCaughtAt(judged, loss))),
    percent(called(false)),
    percent(called(true)),
  ]
}

function ourJudgements(outcomes: readonly Outcome[]): Judged[] {
  return outcomes.map((outcome) => ({
    score: outcome.spamLogit,
    spam: isSpam(outcome),
    calledSpam: outcome.calledSpam,
    group: outcome.group,
  }))
}

/** Undefined when it did not judge all of them. */
function peerJudgements(
  { verdicts }: PeerResult,
  outcomes: readonly Outcome[],
): Judged[] | undefined {
  const judged = outcomes.flatMap((outcome) => {
    const verdict = verdicts.get(peerKey(outcome))
    return verdict === undefined
      ? []
      : [{ ...verdict, spam: isSpam(outcome), group: outcome.group }]
  })
  return judged.length === outcomes.length ? judged : undefined
}
