/**
 * What all plots share: an SVG document with its own colours for light and dark, and a square
 * plotting area. A drawing is a string of SVG elements; nothing here is written by hand into
 * reports, so that two runs on the same outcomes give the same bytes.
 */
import { calibrationBins, type RocPoint, rocCurve, type Scored } from './metrics.ts'

/** Side of the plotting area, in pixels. */
const AREA = 360

/** Room for the axes' numbers and names, in pixels. */
const LEFT = 64
const TOP = 40
const RIGHT = 24
const BOTTOM = 56

/** Room for the names of the series, in pixels. */
const LEGEND_WIDTH = 310

/** Told apart also by people who see no red or green (Okabe and Ito, 2008), on white as on black. */
const SERIES_COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b58900', '#56a0d3', '#7f7f7f']

/** By its position, starting again when there are more series than colours. */
export function seriesColour(position: number): string {
  return SERIES_COLOURS[position % SERIES_COLOURS.length]!
}

const STYLE = `
text { font: 12px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 14px }
.page { fill: #ffffff }
.grid { stroke: #d0d7de; stroke-width: 1 }
.guide { stroke: #8c959f; stroke-dasharray: 4 4 }
.frame { fill: none; stroke: #8c959f }
.line { fill: none; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .page { fill: #0d1117 }
  .grid { stroke: #30363d }
  .frame, .guide { stroke: #7d8590 }
}`

/** A document of one square with its axes, what is drawn in it, and a legend to its right. */
export function chart(of: Chart): string {
  const { title, xName, yName, xTicks, yTicks, drawing, names } = of
  const [width, height] = [LEFT + AREA + LEGEND_WIDTH, TOP + AREA + BOTTOM]
  const body = [frame(xName, yName, xTicks, yTicks), ...drawing, legend(names)].join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>${STYLE}
</style>
<rect class="page" width="${width}" height="${height}"/>
${text(LEFT, 24, title, 'start', 'title')}
${body}
</svg>
`
}

type Anchor = 'start' | 'middle' | 'end'

function text(
  x: number,
  y: number,
  content: string,
  anchor: Anchor = 'start',
  className?: string,
): string {
  const named = className === undefined ? '' : ` class="${className}"`
  return `<text${named} x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}">${escaped(content)}</text>`
}

/** A mark on an axis: where, in [0, 1], and what it says. */
export interface Tick {
  readonly at: number
  readonly label: string
}

export interface Chart {
  readonly title: string
  readonly xName: string
  readonly yName: string
  readonly xTicks: readonly Tick[]
  readonly yTicks: readonly Tick[]
  /** What is drawn over the grid. */
  readonly drawing: readonly string[]
  /** Names of the series, in the order of their colours. */
  readonly names: readonly string[]
}

/** The square, its grid, and both axes with names. */
function frame(
  xName: string,
  yName: string,
  xTicks: readonly Tick[],
  yTicks: readonly Tick[],
): string {
  const [bottom, right] = [TOP + AREA, LEFT + AREA]
  const vertical = xTicks.map(({ at, label }) => {
    const x = fixed(xOf(at))
    return `<line class="grid" x1="${x}" y1="${TOP}" x2="${x}" y2="${bottom}"/>${text(xOf(at), bottom + 18, label, 'middle')}`
  })
  const horizontal = yTicks.map(({ at, label }) => {
    const y = fixed(yOf(at))
    return `<line class="grid" x1="${LEFT}" y1="${y}" x2="${right}" y2="${y}"/>${text(LEFT - 8, yOf(at) + 4, label, 'end')}`
  })
  return [
    ...vertical,
    ...horizontal,
    `<rect class="frame" x="${LEFT}" y="${TOP}" width="${AREA}" height="${AREA}"/>`,
    text(LEFT + AREA / 2, bottom + 42, xName, 'middle'),
    `<g transform="translate(16 ${TOP + AREA / 2}) rotate(-90)">${text(0, 0, yName, 'middle')}</g>`,
  ].join('\n')
}

/** One line a series, to the right of the square. */
function legend(names: readonly string[]): string {
  const x = LEFT + AREA + RIGHT
  return names
    .map((name, i) => {
      const y = TOP + 12 + 22 * i
      return `<rect x="${x}" y="${y - 10}" width="12" height="12" fill="${seriesColour(i)}"/>${text(x + 18, y, name)}`
    })
    .join('\n')
}

/** Pixels for a share in [0, 1] of the square's width. */
export function xOf(share: number): number {
  return LEFT + AREA * share
}

/** Pixels for a share in [0, 1] of the square's height, from the bottom up. */
export function yOf(share: number): number {
  return TOP + AREA * (1 - share)
}

/** A tenth of a pixel is as fine as an eye sees. */
export function fixed(pixels: number): string {
  return String(Math.round(pixels * 10) / 10)
}

function escaped(content: string): string {
  return content
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/**
 * ROC curves: spam caught against ham lost. The x axis is logarithmic, for all that matters to a
 * mail host happens where little ham is lost.
 */

export interface RocSeries {
  readonly name: string
  readonly scored: readonly Scored[]
}

/** Left end of the axis, a share of ham; no loss at all is drawn there too. */
const HAM_LOST_MIN = 0.001

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

export interface ReliabilitySeries {
  readonly name: string
  /** With probabilities as scores. */
  readonly scored: readonly Scored[]
}

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
