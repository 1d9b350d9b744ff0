/**
 * Tables of data that people edit: tab-separated files beside the modules that use them, read once, at import.
 *
 * The first line names the columns, each other line is a row; blank lines and those that begin with `#` are comments.
 * This is the one place where `mail` reads files: they are a part of the package, as its code is.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Reads a cell. @throws RangeError that says what is allowed. */
type ReadCell = (text: string) => unknown

type Columns = Readonly<Record<string, ReadCell>>

export type RowOf<Read extends Columns> = {
  readonly [Name in keyof Read]: ReturnType<Read[Name]>
}

interface Checks<Read extends Columns> {
  /** The column in which no cell occurs twice. */
  readonly unique?: keyof Read & string
  /** The column that does not go with the others of its row, and why. */
  readonly check?: (row: RowOf<Read>) => [column: keyof Read & string, fault: string] | undefined
}

/** The rows of the file at `url`, in their order. @throws RangeError for a bad row, which names file, line and column. */
export function readTable<const Read extends Columns>(
  url: URL,
  columns: Read,
  checks: Checks<Read> = {},
): RowOf<Read>[] {
  return parseTable(readFileSync(url, 'utf8'), fileURLToPath(url), columns, checks)
}

/**
 * The lists of a table with the columns `list` and `words`, in which a list may have several rows.
 *
 * @param lists the names of all of them.
 * @throws RangeError also for a word that is in a list twice.
 */
export function readLists<const Name extends string>(
  url: URL,
  lists: readonly Name[],
  separator = ' ',
): Readonly<Record<Name, ReadonlySet<string>>> {
  const found = new Map(lists.map((name) => [name, new Set<string>()]))
  readTable(
    url,
    { list: oneOf(...lists), words: (text) => requiredText(text).split(separator) },
    {
      check: ({ list, words }) => {
        const known = found.get(list)!
        const again = words.find((word) => known.has(word) || !known.add(word))
        return again === undefined ? undefined : ['words', `${list} has "${again}" already`]
      },
    },
  )
  const empty = lists.find((name) => found.get(name)!.size === 0)
  if (empty !== undefined) throw new RangeError(`${fileURLToPath(url)}: ${empty} has no words`)
  return Object.fromEntries(found) as Record<Name, Set<string>>
}

/** The rows of a table whose text is `text`; `file` is named in errors. */
export function parseTable<const Read extends Columns>(
  text: string,
  file: string,
  columns: Read,
  { unique, check }: Checks<Read> = {},
): RowOf<Read>[] {
  const names = Object.keys(columns)
  const lines = text
    .split(/\r?\n/)
    .map((line, at) => ({ cells: line.split('\t'), at, isRow: !/^(?:#|\s*$)/.test(line) }))
    .filter(({ isRow }) => isRow)
  const [heading, ...rest] = lines
  const fail = (at: number, cells: readonly string[], column: number, fault: string): never => {
    const before = cells.slice(0, column).join('\t')
    const character = before.length + (column === 0 ? 1 : 2)
    throw new RangeError(`${file}:${at + 1}:${character}: ${names[column] ?? 'row'}: ${fault}`)
  }
  if (heading?.cells.join('\t') !== names.join('\t')) {
    fail(heading?.at ?? 0, [], 0, `the first line must name the columns ${names.join(', ')}`)
  }
  const seen = new Map<string, number>()
  return rest.map(({ cells, at }) => {
    if (cells.length !== names.length) {
      const last = Math.min(cells.length, names.length) - 1
      fail(at, cells, last, `has ${cells.length} columns of ${names.length}`)
    }
    const row = Object.fromEntries(
      names.map((name, column) => {
        try {
          return [name, columns[name]!(cells[column]!)]
        } catch (error) {
          return fail(at, cells, column, (error as Error).message)
        }
      }),
    ) as RowOf<Read>
    const key = unique === undefined ? undefined : cells[names.indexOf(unique)]!
    if (key !== undefined) {
      const before = seen.get(key)
      if (before !== undefined) {
        fail(at, cells, names.indexOf(unique!), `"${key}" is in line ${before + 1} too`)
      }
      seen.set(key, at)
    }
    const wrong = check?.(row)
    if (wrong !== undefined) fail(at, cells, names.indexOf(wrong[0]), wrong[1])
    return row
  })
}

/** Any text, which may be empty. */
export function optionalText(text: string): string {
  if (text !== text.trim()) throw new RangeError('has white space at an end')
  return text
}

/** Text, not empty. */
export function requiredText(text: string): string {
  if (text === '') throw new RangeError('is empty')
  return optionalText(text)
}

/** A number, or undefined for an empty cell. */
export function optionalNumber(text: string): number | undefined {
  if (text === '') return undefined
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new RangeError(`"${text}" is not a number`)
  return Number(text)
}

/** One of `allowed`. */
export function oneOf<const Allowed extends string>(
  ...allowed: readonly Allowed[]
): (text: string) => Allowed {
  return (text) => {
    const found = allowed.find((each) => each === text)
    if (found === undefined) throw new RangeError(`"${text}" is none of ${allowed.join(', ')}`)
    return found
  }
}

/** Words parted by spaces; none for an empty cell. */
export function words(text: string): string[] {
  return optionalText(text) === '' ? [] : text.split(' ')
}

/** The words of `rows`. */
export function wordSet(rows: string): ReadonlySet<string> {
  return new Set(rows.trim().split(/\s+/))
}
