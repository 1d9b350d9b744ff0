/** Words by which signals know things (word-lists.tsv): extensions of files, elements of HTML, fields, words in names. */
import { readTable, requiredText, words } from '../data-table.ts'

const ROWS = Map.groupBy(
  readTable(new URL('word-lists.tsv', import.meta.url), { list: requiredText, words }),
  ({ list }) => list,
)

/** @throws RangeError for a list that is not in the table. */
export function wordList(name: string): ReadonlySet<string> {
  const rows = ROWS.get(name)
  if (rows === undefined) throw new RangeError(`There is no list of words "${name}"`)
  return new Set(rows.flatMap((row) => row.words))
}
