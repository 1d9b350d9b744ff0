/**
 * Letters of other scripts that stand in Latin words, brought back to what they look like:
 * `раypal` with two Cyrillic letters is read as `paypal` by people and as an unknown word by a
 * table of words. By the confusables data of UTS #39.
 *
 * Only within words that also have an ASCII letter. A word wholly in Cyrillic or Greek is left
 * as it is: nearly always it is a word of that language.
 */
import { CONFUSABLES } from '../signals/confusables.ts'

/** Greek, Coptic, Cyrillic and Armenian: the scripts of case and of Latin-like letters. */
const FIRST = 0x0370
const LAST = 0x058f

/** Code unit of the ASCII letter that each unit from FIRST to LAST looks like; 0 where it looks like none. */
const LOOKS_LIKE = looksLike()

const ASCII_LETTER = /[a-z]/

/** `text`, lower-cased, its words parted by whatever is no letter of these scripts, with such letters replaced. */
export function withoutHomoglyphs(text: string): string {
  if (!ASCII_LETTER.test(text)) return text
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

/** A small letter's own look goes before that of its capital. */
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

function isForeign(unit: number): boolean {
  return unit >= FIRST && unit <= LAST
}
