/** Learning curves: (1-ROCA)% over all messages so far, as the stream goes on. */
import { oneMinusAuc } from '../metrics.ts'
import { chart, fixed, seriesColour, xOf, yOf } from '../plots/svg.ts'
import type { StreamRun } from './evaluate-stream.ts'

/** Points of a curve. */
const POINTS = 60

/** Ends of the logarithmic axis, as shares. */
const LOWEST = 0.0005
const HIGHEST = 0.5

const LEGEND_WIDTH = 310

export function learningCurvePlot(title: string, runs: readonly StreamRun[]): string {
  const count = Math.max(...runs.map(({ verdicts }) => verdicts.length))
  const xTicks = [0, 0.25, 0.5, 0.75, 1].map((at) => ({
    at,
    label: String(Math.round(at * count)),
  }))
  const yTicks = [0.0005, 0.001, 0.01, 0.1, 0.5].map((share) => ({
    at: logPosition(share),
    label: `${100 * share} %`,
  }))
  const lines = runs.map(
    (run, i) => `<path class="line" stroke="${seriesColour(i)}" d="${curvePath(run)}"/>`,
  )
  return chart({
    title,
    xName: 'messages',
    yName: '(1-ROCA)%',
    xTicks,
    yTicks,
    drawing: lines,
    names: runs.map(({ name }) => name),
    legendWidth: LEGEND_WIDTH,
  })
}

/** From where both labels have come. */
function curvePath({ verdicts }: StreamRun): string {
  const points = Array.from({ length: POINTS }, (_, i) => (i + 1) / POINTS).flatMap((at) => {
    const share = oneMinusAuc(verdicts.slice(0, Math.round(at * verdicts.length)))
    return Number.isNaN(share) ? [] : [`${fixed(xOf(at))} ${fixed(yOf(logPosition(share)))}`]
  })
  return points.map((point, i) => `${i === 0 ? 'M' : 'L'}${point}`).join('')
}

/** In [0, 1]; what is beyond the axis lies on its end. */
function logPosition(share: number): number {
  const bounded = Math.min(Math.max(share, LOWEST), HIGHEST)
  return Math.log(bounded / LOWEST) / Math.log(HIGHEST / LOWEST)
}
