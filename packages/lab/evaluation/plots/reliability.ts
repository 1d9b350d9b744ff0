/** A reliability diagram: how much is spam of what was given a probability. On the diagonal, as much as was said. */
import { calibrationBins, type Scored } from '../metrics.ts'
import { chart, fixed, seriesColour, xOf, yOf } from './svg.ts'

export interface ReliabilitySeries {
  readonly name: string
  /** With probabilities as scores. */
  readonly scored: readonly Scored[]
}

const LEGEND_WIDTH = 220

/** Radius of the point of a bin that holds everything, in pixels; areas are in proportion. */
const RADIUS_MAX = 18

/** A bin with hardly a message is still seen. */
const RADIUS_MIN = 2

const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1].map((at) => ({ at, label: at.toFixed(1) }))

export function reliabilityPlot(title: string, series: readonly ReliabilitySeries[]): string {
  const diagonal = `<line class="guide" x1="${xOf(0)}" y1="${yOf(0)}" x2="${xOf(1)}" y2="${yOf(1)}"/>`
  return chart({
    title,
    xName: 'probability of spam',
    yName: 'share that is spam (50:50)',
    xTicks: TICKS,
    yTicks: TICKS,
    drawing: [diagonal, ...series.map(({ scored }, i) => points(scored, seriesColour(i)))],
    names: series.map(({ name }) => name),
    legendWidth: LEGEND_WIDTH,
  })
}

function points(scored: readonly Scored[], colour: string): string {
  const bins = calibrationBins(scored).filter(({ weight }) => weight > 0)
  const path = bins.map(
    ({ probability, spam }, i) =>
      `${i === 0 ? 'M' : 'L'}${fixed(xOf(probability))} ${fixed(yOf(spam))}`,
  )
  const circles = bins.map(({ probability, spam, weight }) => {
    const radius = Math.max(RADIUS_MIN, RADIUS_MAX * Math.sqrt(weight))
    return `<circle cx="${fixed(xOf(probability))}" cy="${fixed(yOf(spam))}" r="${fixed(radius)}" fill="${colour}" fill-opacity="0.5"/>`
  })
  return [
    `<path class="line" stroke="${colour}" stroke-opacity="0.5" d="${path.join('')}"/>`,
    ...circles,
  ].join('\n')
}
