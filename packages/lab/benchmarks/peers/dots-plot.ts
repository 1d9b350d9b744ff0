/** A dot a server and series on a logarithmic axis, with a line from the lowest to the highest. */
import { chart, fixed, seriesColour, xOf, yOf } from '../../evaluation/plots/svg.ts'
import type { Spread } from '../spread.ts'

const LEGEND_WIDTH = 170

const RADIUS = 5

/** Between the series of one row, in pixels. */
const SERIES_STEP = 16

export interface DotSeries {
  readonly name: string
  /** In step with the rows; undefined where there is none. */
  readonly spreads: readonly (Spread | undefined)[]
}

export function dotsPlot(
  title: string,
  xName: string,
  rows: readonly string[],
  series: readonly DotSeries[],
): string {
  const [low, high] = decades(series)
  const xTicks = Array.from({ length: high - low + 1 }, (_, i) => ({
    at: i / (high - low),
    label: String(Number((10 ** (low + i)).toPrecision(1))),
  }))
  const at = (figure: number) => xOf((Math.log10(figure) - low) / (high - low))
  const rowAt = (row: number) => 1 - (row + 0.5) / rows.length
  const yTicks = rows.map((label, row) => ({ at: rowAt(row), label }))
  const dots = series.flatMap(({ spreads }, i) =>
    spreads.map((spread, row) => {
      if (spread === undefined || Number.isNaN(spread.median)) return ''
      const y = fixed(yOf(rowAt(row)) + (i - (series.length - 1) / 2) * SERIES_STEP)
      const colour = seriesColour(i)
      const [min, median, max] = [spread.min, spread.median, spread.max].map((x) => fixed(at(x)))
      return [
        `<line class="line" stroke="${colour}" x1="${min}" y1="${y}" x2="${max}" y2="${y}"/>`,
        `<circle cx="${median}" cy="${y}" r="${RADIUS}" fill="${colour}"/>`,
      ].join('')
    }),
  )
  return chart({
    title,
    xName,
    yName: '',
    xTicks,
    yTicks,
    drawing: dots,
    names: series.map(({ name }) => name),
    legendWidth: LEGEND_WIDTH,
  })
}

/** Powers of ten between which all figures lie. */
function decades(series: readonly DotSeries[]): [low: number, high: number] {
  const figures = series
    .flatMap(({ spreads }) => spreads.flatMap((spread) => [spread?.min ?? NaN, spread?.max ?? NaN]))
    .filter((figure) => figure > 0)
  const low = Math.floor(Math.log10(Math.min(...figures)))
  return [low, Math.max(low + 1, Math.ceil(Math.log10(Math.max(...figures))))]
}
