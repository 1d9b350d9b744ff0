/** Tables and figures as a report writes them. */
import type { Interval } from './bootstrap.ts'

/** A Markdown table; the first column is text, the others figures. 'None.' without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return 'None.'
  const rule = head.map((_, i) => (i === 0 ? '---' : '--:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** A column of a table: its head, and what of a row stands in it. */
export type Column<Row> = readonly [head: string, cell: (row: Row) => string]

/** A table with a line for each of `rows`. */
export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  return table(
    columns.map(([head]) => head),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
  )
}

/** '3.4 %', '0.25 %' below one percent, '–' for no figure. */
export function percent(share: number): string {
  if (Number.isNaN(share)) return '–'
  const hundredths = 100 * share
  return `${hundredths.toFixed(hundredths > 0 && hundredths < 1 ? 2 : 1)} %`
}

/** '2.1 – 4.4 %'. */
export function percentInterval({ low, high }: Interval): string {
  return Number.isNaN(low) ? '–' : `${percent(low).replace(' %', '')} – ${percent(high)}`
}
