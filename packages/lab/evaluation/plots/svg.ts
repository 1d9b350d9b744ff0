/**
 * What all plots share: an SVG document with its own colours for light and dark, and a square
 * plotting area. A drawing is a string of SVG elements; nothing here is written by hand into
 * reports, so that two runs on the same outcomes give the same bytes.
 */

/** Side of the plotting area, in pixels. */
const AREA = 360

/** Room for the axes' numbers and names, in pixels. */
const LEFT = 64
const TOP = 40
const RIGHT = 24
const BOTTOM = 56

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
  const { title, xName, yName, xTicks, yTicks, drawing, names, legendWidth } = of
  const [width, height] = [LEFT + AREA + legendWidth, TOP + AREA + BOTTOM]
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
  /** Room for the names, in pixels. */
  readonly legendWidth: number
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
