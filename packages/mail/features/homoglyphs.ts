/**
 * Replaces letters of other scripts in Latin words by the letters they look like: people read `раypal`
 * with two Cyrillic letters as `paypal`, a table of words does not know it. The pairs are from the
 * confusables data of UTS #39.
 *
 * Only words that also have an ASCII letter are changed: a word wholly in Cyrillic or Greek is nearly
 * always a word of that language.
 */
import { CONFUSABLES } from '../signals/skeleton.ts'

/** The range of Greek, Coptic, Cyrillic and Armenian: scripts with upper and lower case and letters that look Latin. */
const FIRST = 0x0370
const LAST = 0x058f

/** A character of these scripts. */
export const GREEK_TO_ARMENIAN = /[\u0370-\u058f]/g

/** The code unit of the ASCII letter that each unit from FIRST to LAST looks like; 0 for none. */
const LOOKS_LIKE = looksLike()

/** An ASCII letter beside one of these: most text has none, and a search takes less than a look at every word. */
const MIXED = /[a-z][\u0370-\u058f]|[\u0370-\u058f][a-z]/

/** `text`, which is in lower case, with such letters replaced; a word ends at anything but a letter of these scripts. */
export function withoutHomoglyphs(text: string): string {
  if (!MIXED.test(text)) return text
  let plain = ''
  let copied = 0
  for (let start = 0; start < text.length; ) {
    const end = letterRunEnd(text, start)
    if (end === start) {
      start++
      continue
    }
    const word = text.slice(start, end)
    if (isMixed(word)) {
      plain += text.slice(copied, start) + latinised(word)
      copied = end
    }
    start = end
  }
  return plain + text.slice(copied)
}

/** What a small letter itself looks like goes before what its capital looks like. */
function looksLike(): Uint8Array {
  const table = new Uint8Array(LAST - FIRST + 1)
  const letters = Object.entries(CONFUSABLES).flatMap(([ascii, alike]) =>
    ascii.length === 1 ? Array.from(alike, (letter) => ({ ascii, letter })) : [],
  )
  const isSmall = ({ letter }: { letter: string }) => letter === letter.toLowerCase()
  for (const { ascii, letter } of [...letters].sort((a, b) => +isSmall(b) - +isSmall(a))) {
    const unit = letter.toLowerCase().charCodeAt(0)
    if (isForeign(unit)) table[unit - FIRST] ||= ascii.toLowerCase().charCodeAt(0)
  }
  return table
}

function letterRunEnd(text: string, start: number): number {
  let end = start
  while (
    end < text.length &&
    (isAsciiLetter(text.charCodeAt(end)) || isForeign(text.charCodeAt(end)))
  )
    end++
  return end
}

function isMixed(word: string): boolean {
  let ascii = false
  let foreign = false
  for (let i = 0; i < word.length; i++) {
    if (isForeign(word.charCodeAt(i))) foreign = true
    else ascii = true
  }
  return ascii && foreign
}

function latinised(word: string): string {
  return Array.from(word, (letter) => {
    const unit = letter.charCodeAt(0)
    const ascii = isForeign(unit) ? LOOKS_LIKE[unit - FIRST]! : 0
    return ascii === 0 ? letter : String.fromCharCode(ascii)
  }).join('')
}

function isAsciiLetter(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a
}

/** Whether a code unit is in these scripts. */
function isForeign(unit: number): boolean {
  return unit >= FIRST && unit <= LAST
}
