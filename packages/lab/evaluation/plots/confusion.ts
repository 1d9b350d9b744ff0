/** A confusion matrix: rows are labels, columns what was predicted, shade the share of its row. */
import { AREA, BOTTOM, fixed, svgDocument, TOP, text } from './svg.ts'

export interface LabelPair {
  readonly label: string
  readonly predicted: string
}

/** Names of classes stand left of the rows. */
const ROW_NAMES = 132

/** The shade of a full row still lets the number be read. */
const OPACITY_MAX = 0.75

export function confusionPlot(
  title: string,
  classes: readonly string[],
  pairs: readonly LabelPair[],
): string {
  const side = AREA / classes.length
  const rows = classes.flatMap((label, row) => {
    const own = pairs.filter((pair) => pair.label === label)
    const middle = TOP + 24 + side * (row + 0.5)
    const cells = classes.map((name, column) => {
      const count = own.filter((pair) => pair.predicted === name).length
      return cell(ROW_NAMES + side * column, middle - side / 2, side, count, own.length)
    })
    return [text(ROW_NAMES - 8, middle + 4, `${label} (${own.length})`, 'end'), ...cells]
  })
  const columns = classes.map((name, column) =>
    text(ROW_NAMES + side * (column + 0.5), TOP + 16, name, 'middle'),
  )
  return svgDocument(
    title,
    ROW_NAMES + AREA + 24,
    TOP + AREA + BOTTOM,
    [...columns, ...rows].join('\n'),
  )
}

function cell(x: number, y: number, side: number, count: number, total: number): string {
  const opacity = total === 0 ? 0 : (OPACITY_MAX * count) / total
  return `<rect class="cell" x="${fixed(x)}" y="${fixed(y)}" width="${fixed(side)}" height="${fixed(side)}" fill-opacity="${opacity.toFixed(2)}"/><rect class="frame" x="${fixed(x)}" y="${fixed(y)}" width="${fixed(side)}" height="${fixed(side)}"/>${text(x + side / 2, y + side / 2 + 4, String(count), 'middle')}`
}
