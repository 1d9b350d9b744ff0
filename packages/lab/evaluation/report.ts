/** A report: its figures as report.json, and the page that data/reports/NAME.md makes of them. The same figures give the same bytes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Interval } from './bootstrap.ts'

/** The text of each page, with places for what was measured. */
const PAGES = join(import.meta.dirname, '../data/reports')

/** Figures as JSON has them, by name; a list has a row for each of what was measured. */
export type Values = Readonly<Record<string, unknown>>

/** The page of `values`; both are written where `files` says. */
export function report(
  name: string,
  values: Values,
  files?: { readonly json: string; readonly page: string },
): string {
  const json = `${JSON.stringify(values, null, 2)}\n`
  const text = page(name, JSON.parse(json))
  if (files === undefined) return text
  mkdirSync(dirname(files.json), { recursive: true })
  writeFileSync(files.json, json)
  writeFileSync(files.page, text)
  return text
}

/**
 * The page `name`, its places filled with the `values` of their names. A line that begins with `{{#rows}}` stands there for each
 * of the rows, and so do the lines between `{{#rows}}` and `{{/rows}}`. A section (##) is left out where it has no rows.
 */
export function page(name: string, values: Values): string {
  const sections = readFileSync(join(PAGES, `${name}.md`), 'utf8').split(/^(?=## )/m)
  const hasRows = (section: string) =>
    [...section.matchAll(/\{\{#(\w+)\}\}/g)].every(([, list = '']) => {
      const rows = values[list]
      return rows === undefined || (rows as readonly Values[]).length > 0
    })
  return sections.map((section) => (hasRows(section) ? filled(section, values) : '')).join('')
}

/** `text` with each of its places filled. */
export function filled(text: string, values: Values): string {
  const each = (list: string, part: string) =>
    (valueAt(list, values) as readonly Values[]).map((row) => filled(part, { ...values, ...row }))
  return text
    .replace(/^\{\{#(\w+)\}\}\n(.*?)^\{\{\/\1\}\}\n/gms, (_, list, part) =>
      each(list, part).join('\n'),
    )
    .replace(/^\{\{#(\w+)\}\}(.*\n)/gm, (_, list, line) => each(list, line).join(''))
    .replace(/\{\{(\w+)(?::(.))?\}\}/g, (_, place, form) => formatted(valueAt(place, values), form))
}

function valueAt(place: string, values: Values): unknown {
  if (!(place in values)) throw new RangeError(`The page wants a value ${place}`)
  return values[place]
}

/** How a place wants its value: `{{share:%}}`, `{{count:,}}`; `{{ms:2}}` with so many digits behind the point. */
const FORMS: Readonly<Record<string, (value: never) => string>> = {
  '%': percent,
  ',': (value: number) => value.toLocaleString('en-US'),
  /** Two digits: small differences show. */
  p: (share: number) => `${(100 * share).toFixed(2)} %`,
  /** An interval of shares. */
  i: ({ low, high }: Interval) =>
    low === null ? '–' : `${percent(low).replace(' %', '')} – ${percent(high)}`,
  /** A median, lowest and highest in brackets. */
  m: ([median = 0, low = 0, high = 0]: readonly number[]) => {
    const [middle, least, most] = [median, low, high].map((value) =>
      value < 100 ? value.toPrecision(3) : value.toFixed(0),
    )
    return `${middle} (${least}–${most})`
  },
}

/** '–' for no figure: NaN, which JSON writes as null. */
export function formatted(value: unknown, form: string | undefined): string {
  if (value === null) return '–'
  if (form === undefined) return String(value)
  return FORMS[form]?.(value as never) ?? Number(value).toFixed(Number(form))
}

/** '3.4 %', '0.25 %' below one percent. */
function percent(share: number): string {
  const hundredths = 100 * share
  return `${hundredths.toFixed(hundredths > 0 && hundredths < 1 ? 2 : 1)} %`
}
