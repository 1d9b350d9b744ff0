/** Sets of words, as they are written: in rows, parted by white space. */

/** The words of `rows`. */
export function wordSet(rows: string): ReadonlySet<string> {
  return new Set(rows.trim().split(/\s+/))
}
