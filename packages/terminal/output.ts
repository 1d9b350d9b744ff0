/**
 * What commands write on standard output: columns separated by tabs, or with `--json` one object per line. Lists
 * are for people too: on a terminal they have headings and aligned columns.
 */

type Cell = string | number

/** How items are shown as a list. */
export interface List<Item> {
  readonly headings: readonly string[]
  /** The columns of an item, in step with `headings`. */
  readonly row: (item: Item) => readonly Cell[]
  /** What `--json` prints of an item; the item itself when absent. */
  readonly json?: (item: Item) => object
  /** What is said where there is no item: 'No rules.'. */
  readonly none: string
}

/** Where a list goes; tests have one of their own. */
interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

interface ListOptions {
  readonly json?: boolean | undefined
  readonly output?: Output
}

/** Between columns on a terminal: as much as sets columns apart from words. */
const COLUMN_GAP = '  '

export function printRow(...columns: readonly Cell[]): void {
  process.stdout.write(rowText(columns))
}

export function printJson(value: object): void {
  process.stdout.write(jsonText(value))
}

/** Prints `items`; where there is none, standard error says so. */
export async function printList<Item extends object>(
  items: Iterable<Item> | AsyncIterable<Item>,
  { headings, row, json = (item) => item, none }: List<Item>,
  { json: asJson = false, output = process.stdout }: ListOptions = {},
): Promise<void> {
  const isTable = !asJson && output.isTTY === true
  const rows: (readonly Cell[])[] = []
  let count = 0
  for await (const item of items) {
    count++
    if (asJson) output.write(jsonText(json(item)))
    else if (isTable) rows.push(row(item))
    else output.write(rowText(row(item)))
  }
  if (rows.length > 0) output.write(tableText([headings, ...rows]))
  if (count === 0) process.stderr.write(`${none}\n`)
}

/** Characters that would move the cursor of a terminal, or turn its direction, become question marks. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
}

function rowText(columns: readonly Cell[]): string {
  return `${columns.join('\t')}\n`
}

function jsonText(value: object): string {
  return `${JSON.stringify(value)}\n`
}

/** All columns but the last as wide as their longest cell. */
function tableText(rows: readonly (readonly Cell[])[]): string {
  const texts = rows.map((row) => row.map((cell) => printable(String(cell))))
  const widths = texts[0]!.map((_, at) =>
    texts.reduce((widest, row) => Math.max(widest, row[at]?.length ?? 0), 0),
  )
  return texts
    .map(
      (row) =>
        `${row
          .map((text, at) => text.padEnd(widths[at]!))
          .join(COLUMN_GAP)
          .trimEnd()}\n`,
    )
    .join('')
}
