/**
 * ROC curves: spam caught against ham lost. The x axis is logarithmic, for all that matters to a
 * mail host happens where little ham is lost.
 */
import { type RocPoint, rocCurve, type Scored } from '../metrics.ts'
import { chart, fixed, seriesColour, xOf, yOf } from './svg.ts'

export interface RocSeries {
  readonly name: string
  readonly scored: readonly Scored[]
}

/** Left end of the axis, a share of ham; no loss at all is drawn there too. */
const HAM_LOST_MIN = 0.001

const LEGEND_WIDTH = 310

export function rocPlot(title: string, series: readonly RocSeries[]): string {
  const xTicks = [0.001, 0.01, 0.1, 1].map((share) => ({
    at: logPosition(share),
    label: `${100 * share} %`,
  }))
  const yTicks = [0, 0.2, 0.4, 0.6, 0.8, 1].map((at) => ({
    at,
    label: `${Math.round(100 * at)} %`,
  }))
  const lines = series.map(
    ({ scored }, i) =>
      `<path class="line" stroke="${seriesColour(i)}" d="${stepPath(rocCurve(scored))}"/>`,
  )
  return chart({
    title,
    xName: 'ham lost',
    yName: 'spam caught',
    xTicks,
    yTicks,
    drawing: lines,
    names: series.map(({ name }) => name),
    legendWidth: LEGEND_WIDTH,
  })
}

/** In [0, 1]: HAM_LOST_MIN and below at 0, everything lost at 1. */
function logPosition(share: number): number {
  return 1 - Math.log10(Math.max(share, HAM_LOST_MIN)) / Math.log10(HAM_LOST_MIN)
}

/** Steps shorter than this, in pixels, are drawn with the next one. */
const STEP_MIN = 1

/** Up at once, then to the right: between two thresholds there is none that catches more. */
function stepPath(points: readonly RocPoint[]): string {
  const pixels = points.map(({ hamLost, spamCaught }) => ({
    x: xOf(logPosition(hamLost)),
    y: yOf(spamCaught),
  }))
  let drawn = pixels[0]!
  let path = `M${fixed(drawn.x)} ${fixed(drawn.y)}`
  pixels.forEach((point, i) => {
    const moved = Math.max(Math.abs(point.x - drawn.x), Math.abs(point.y - drawn.y))
    if (moved < STEP_MIN && i < pixels.length - 1) return
    path += `H${fixed(point.x)}V${fixed(point.y)}`
    drawn = point
  })
  return path
}
