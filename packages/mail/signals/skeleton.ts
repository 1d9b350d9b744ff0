/**
 * Skeletons of text: equal for strings that a person cannot tell apart (UTS #39 §4), as 'рaypal' with a Cyrillic first letter,
 * 'PayPaI' with a capital i and 'paypal'. They are never shown: 'm' becomes 'rn'.
 *
 * Ours make more strings equal: NFKD first, marks on letters dropped, and lower case. The table has what looks like ASCII.
 */
import { readTable, requiredText, words } from '../data-table.ts'

/** Letters and digits that look like ASCII ones, by what they look like (confusables.tsv). */
export const CONFUSABLES: Readonly<Record<string, string>> = Object.fromEntries(
  readTable(
    new URL('confusables.tsv', import.meta.url),
    { prototype: requiredText, codePoints: words },
    { unique: 'prototype' },
  ).map(({ prototype, codePoints }) => [
    prototype,
    String.fromCodePoint(...codePoints.map((digits) => Number.parseInt(digits, 16))),
  ]),
)

const PROTOTYPES: ReadonlyMap<string, string> = new Map(
  Object.entries(CONFUSABLES).flatMap(([prototype, alike]) =>
    Array.from(alike, (character) => [character, prototype] as const),
  ),
)

/** Characters that are compared. Display names and domains are shorter; attackers' need not be. */
const SKELETON_LENGTH_MAX = 256

/** Marks (p̣), and characters that are not seen at all (zero-width joiners, variation selectors). */
const UNSEEN = /[\p{M}\p{Default_Ignorable_Code_Point}]/u

const ASCII = /^[\0-\x7f]*$/

/** The skeleton of the first SKELETON_LENGTH_MAX characters of `text`, in lower case. */
export function skeleton(text: string): string {
  const start = text.slice(0, SKELETON_LENGTH_MAX)
  if (!ASCII.test(start)) return foldedSkeleton(start.normalize('NFKD')).toLowerCase()
  return ASCII_CONFUSABLE.test(start) ? foldedSkeleton(start).toLowerCase() : start.toLowerCase()
}

/** The ASCII characters that have a prototype other than themselves. */
const ASCII_CONFUSABLE = new RegExp(
  `[${[...PROTOTYPES.keys()].filter((character) => character <= '\x7f').join('')}]`,
)

function foldedSkeleton(text: string): string {
  let result = ''
  for (const character of text) {
    if (character > '\x7f' && UNSEEN.test(character)) continue
    result += PROTOTYPES.get(character) ?? character
  }
  return result
}

/**
 * True when `text` is not ASCII and yet could be read as ASCII letters, digits and hyphens: letters
 * of other alphabets, or in other forms, stand for Latin ones. Latin letters with marks ('zürich')
 * are seen to be others, and are how many languages are written.
 */
export function looksAscii(text: string): boolean {
  return !ASCII.test(text) && !MARKED_LATIN.test(text) && /^[a-z0-9-]+$/.test(skeleton(text))
}

/** Latin letters beyond ASCII: with marks, or of their own (ø, ł, ı). */
const MARKED_LATIN = /[\u00aa-\u024f\u1e00-\u1eff]/
