/** An answer as people read it. */

/** A row of numbers, one a line as `JSON.stringify` writes them. Text in JSON has no line breaks. */
const NUMBERS = /\[\n\s+((?:-?\d[\d.e+-]*,\n\s+)*-?\d[\d.e+-]*)\n\s+\]/g

/** JSON on many lines, rows of numbers on one; other text as it is. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replace(
      NUMBERS,
      (_, numbers: string) => `[${numbers.replaceAll(/\n\s+/g, ' ')}]`,
    )
  } catch {
    return text
  }
}
