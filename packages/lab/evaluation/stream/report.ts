/** The report of a stream evaluation: README.md and the learning curves. */
import { page, tableOf } from '../markdown.ts'
import type { StreamEvaluation, StreamRun } from './evaluate-stream.ts'
import { learningCurvePlot } from './learning-curve.ts'
import { streamMeasures } from './stream-measures.ts'

/** Contents by file name. `command` is what gives the report again. */
export function renderStreamReport(
  evaluation: StreamEvaluation,
  command: string,
): Map<string, string> {
  const { runs } = evaluation
  const readme = page('stream', {
    ...evaluation,
    command,
    runs: streamTable(runs),
  })
  return new Map([
    ['README.md', readme],
    ['learning-curve.svg', learningCurvePlot('spamassassin, in order of arrival', runs)],
  ])
}

function streamTable(runs: readonly StreamRun[]): string {
  const count = runs[0]?.verdicts.length ?? 0
  const spam = runs[0]?.verdicts.filter((verdict) => verdict.spam).length ?? 0
  const rows = runs.map(({ name, verdicts }) => ({ name, ...streamMeasures(verdicts) }))
  return tableOf(rows, [
    [`${count - spam} ham, ${spam} spam`, ({ name }) => name],
    ['(1-ROCA)%', ({ oneMinusRoca }) => oneMinusRoca.toFixed(3)],
    ['sm% at hm 0.1 %', ({ spamMissedAtHamLoss }) => spamMissedAtHamLoss.toFixed(2)],
    ['hm%', ({ hamLost }) => hamLost.toFixed(2)],
    ['sm%', ({ spamMissed }) => spamMissed.toFixed(2)],
    ['lam%', ({ logisticAverage }) => logisticAverage.toFixed(2)],
  ])
}
