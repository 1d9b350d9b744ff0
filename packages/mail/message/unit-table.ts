/**
 * Tables of what regular expressions find of single UTF-16 code units, for loops over text: V8 compares a
 * character beyond Latin-1 with all ranges of a large class, by a call.
 */

/** Every code unit once, each at its own place. */
const ALL_UNITS = Buffer.from(new Uint16Array(0x10000).map((_, unit) => unit).buffer).toString(
  'utf16le',
)

/** A bit for what `pattern` matches: a class of characters, with the flag `g`. */
export type UnitKind = readonly [bit: number, pattern: RegExp]

/** For each code unit the bits of those `kinds` that it is of. */
export function unitTable(...kinds: readonly UnitKind[]): Uint8Array {
  const table = new Uint8Array(ALL_UNITS.length)
  for (const [bit, pattern] of kinds) {
    for (const { index } of ALL_UNITS.matchAll(pattern)) table[index]! |= bit
  }
  return table
}
