/** Pages, tables and figures as a report writes them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Interval } from './bootstrap.ts'

/** The text of each report, with places for what was measured. */
const PAGES = join(import.meta.dirname, '../data/reports')

/** How a place wants its number: `{{share:%}}`, `{{count:,}}`; `{{ms:2}}` with so many digits behind the point. */
const FORMS: Readonly<Record<string, (value: number) => string>> = {
  '%': percent,
  ',': (value) => value.toLocaleString('en-US'),
}

/**
 * The page `name`, its places filled with the `values` of their names. A section (##) is left out where one of
 * its values is undefined.
 */
export function page(name: string, values: object): string {
  const given = new Map<string, unknown>(Object.entries(values))
  const sections = readFileSync(join(PAGES, `${name}.md`), 'utf8').split(/^(?=## )/m)
  return sections
    .map((section) => {
      let isWhole = true
      const text = section.replace(/\{\{(\w+)(?::(.))?\}\}/g, (_, place: string, form?: string) => {
        if (!given.has(place)) throw new RangeError(`The page ${name} wants a value ${place}`)
        const value = given.get(place)
        isWhole &&= value !== undefined
        if (form === undefined) return String(value)
        return FORMS[form]?.(Number(value)) ?? Number(value).toFixed(Number(form))
      })
      return isWhole ? text : ''
    })
    .join('')
}

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
