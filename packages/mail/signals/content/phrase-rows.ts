/**
 * Phrases as they are kept: in rows, parted by a middle dot.
 *
 * Written as phrase-scanner.ts reads them: lower case, `|` for the end of a word; and `_` for a space
 * at either end of a phrase, which nobody would see.
 */

/** The phrases of `rows`, in their order. */
export function phrases(rows: string): readonly string[] {
  return rows
    .trim()
    .split(/\s*[·\n]\s*/)
    .map((phrase) => phrase.replaceAll('_', ' '))
}
