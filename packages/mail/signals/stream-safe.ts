/**
 * Text whose runs of combining marks are short, as the Stream-Safe Text Format has it (UAX #15 §13).
 *
 * `String.prototype.normalize` sorts each run of marks, at the cost of the square of its length: 40,000 out
 * of order take 0.4 s. No language needs more than a few in a row.
 */

/**
 * A run of more than 30 marks, the number of the format. The two half-width marks of Katakana count: they are
 * letters that become marks (NFKC). Matching is linear: one class, of which 30 are counted.
 */
const LONG_RUN = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/** Code units that are looked at together: a run of 31 holds one such stretch whole, wherever it begins. */
const STRETCH_UNITS = 16

/** The same, and half of a character that may be one. */
const MARK_OR_HALF = /[\p{M}\uff9e\uff9f\p{Cs}]/u

/** 1 for each code unit that MARK_OR_HALF matches: a look takes a ninth of the time. */
const MAY_BE_MARK = new Uint8Array(0x10000).map((_, unit) =>
  MARK_OR_HALF.test(String.fromCharCode(unit)) ? 1 : 0,
)

/** `text` with the first 30 of each run of combining marks: what `normalize` may be called with. */
export function streamSafe(text: string): string {
  return mayHaveLongRun(text) ? text.replace(LONG_RUN, '$1') : text
}

/** Looks at one code unit in sixteen where there are no marks: the expression alone costs as much as a whole normalisation. */
function mayHaveLongRun(text: string): boolean {
  const { length } = text
  for (let start = 0; start + STRETCH_UNITS <= length; start += STRETCH_UNITS) {
    let marks = 0
    while (marks < STRETCH_UNITS && MAY_BE_MARK[text.charCodeAt(start + marks)] === 1) marks++
    if (marks === STRETCH_UNITS) return true
  }
  return false
}
