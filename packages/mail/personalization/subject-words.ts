/** The beginning of a subject, by which its reader recognizes a message in a list. */

/** Words that are kept, and characters (code points) of them together. */
const WORDS_MAX = 8
const CHARACTERS_MAX = 60

/** Characters that are looked at: a subject may be as long as a header. */
const LOOKED_AT_MAX = 1_000

/** The first words of `subject` with one blank between each two; '' for none. Control and format characters go. */
export function firstWords(subject: string): string {
  const words = subject
    .slice(0, LOOKED_AT_MAX)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\p{C}/gu, '')
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX)
  return [...words.join(' ')].slice(0, CHARACTERS_MAX).join('').trimEnd()
}
