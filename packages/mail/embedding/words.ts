/**
 * Text -> words: runs of letters and digits in lower case, without accents, compatibility forms
 * levelled (NFKD, UAX #15: bold letters of mathematics are letters). Punctuation and symbols
 * separate words and are dropped; each Chinese character is a word; of a link only the scheme is kept.
 *
 * Words are read code unit by code unit into one buffer: a message has thousands, and making a string
 * for each would cost more than everything else that is done with it.
 */

import { streamSafe } from '../signals/stream-safe.ts'

/** Code units of a word that count; longer words are keys and checksums, which differ at their beginning. */
export const WORD_LENGTH_MAX = 24

/** What a code unit does to the word around it; 0 means not yet looked up. */
const PART = 1
const BREAK = 2
const ALONE = 3
const IGNORED = 4

const CODE_UNITS = 0x10000
const COLON = 0x3a
const SLASH = 0x2f
const FULL_STOP = 0x2e
const SPACE = 0x20
const LETTER_W = 0x77

const NOT_ASCII = /[^\x00-\x7f]/
const IGNORED_CHARACTER = /[\p{Mn}\p{Default_Ignorable_Code_Point}]/u
const ALONE_CHARACTER = /\p{Script=Han}/u
const PART_CHARACTER = /[\p{L}\p{M}\p{N}]/u

/** The word just read: its first `length` units. Overwritten by the next. */
export const word: { readonly units: Uint16Array; length: number } = {
  units: new Uint16Array(WORD_LENGTH_MAX),
  length: 0,
}

/** What each code unit does; filled in when a unit first occurs. */
const actions = new Uint8Array(CODE_UNITS)

/**
 * Calls `onWord` for each word in the first `lengthMax` code units of `text`, with the word in the
 * buffer `word`. `onWord` ends the reading by returning false.
 */
export function readWords(text: string, lengthMax: number, onWord: () => boolean): void {
  const levelled = level(text.slice(0, lengthMax), lengthMax)
  const { units } = word
  let length = 0
  for (let at = 0; at < levelled.length; at++) {
    const unit = lowerCaseUnit(levelled.charCodeAt(at))
    const action = actions[unit] || actionOf(unit)
    if (action === PART) {
      if (length < WORD_LENGTH_MAX) units[length++] = unit
    } else if (action !== IGNORED) {
      if (length > 0) {
        word.length = length
        length = 0
        if (!onWord()) return
        if (startsAddress(levelled, at)) at = endOfAddress(levelled, at)
      }
      if (action === ALONE) {
        units[0] = unit
        word.length = 1
        if (!onWord()) return
      }
    }
  }
  word.length = length
  if (length > 0) onWord()
}

/** The words of `text` as strings, which is slower: for training and tests. */
export function wordsOf(text: string, lengthMax: number): string[] {
  const words: string[] = []
  readWords(text, lengthMax, () => {
    words.push(String.fromCharCode(...word.units.subarray(0, word.length)))
    return true
  })
  return words
}

/** Cuts the text again after NFKD, which makes up to eighteen units of one. */
function level(text: string, lengthMax: number): string {
  if (!NOT_ASCII.test(text)) return text
  return streamSafe(text).normalize('NFKD').toLowerCase().slice(0, lengthMax)
}

function lowerCaseUnit(unit: number): number {
  return unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit
}

/** True at '://', and at the full stop after 'www'. */
function startsAddress(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit === COLON) return text.charCodeAt(at + 1) === SLASH && text.charCodeAt(at + 2) === SLASH
  return unit === FULL_STOP && word.length === 3 && word.units.subarray(0, 3).every(isLetterW)
}

function isLetterW(unit: number): boolean {
  return unit === LETTER_W
}

/** The end of the run of non-space characters around `at`. */
function endOfAddress(text: string, at: number): number {
  let end = at
  while (end < text.length && text.charCodeAt(end) > SPACE) end++
  return end
}

/** A unit of a surrogate pair is of no kind, and separates words as symbols do. */
function actionOf(unit: number): number {
  const character = String.fromCharCode(unit)
  let action = BREAK
  if (IGNORED_CHARACTER.test(character)) action = IGNORED
  else if (ALONE_CHARACTER.test(character)) action = ALONE
  else if (PART_CHARACTER.test(character)) action = PART
  actions[unit] = action
  return action
}
