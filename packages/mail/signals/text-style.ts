/**
 * Signals from the letters and signs of the visible text: what is done to words so that a filter
 * does not know them, and how loud they are.
 */
import type { Message } from '../message/message.ts'
import { type Signal, signal } from './signal.ts'
import { looksAscii } from './skeleton.ts'
import { GAPPY_RUN_MIN, TEXT_LENGTH_MAX, textTally } from './text.ts'

/** Two words may be a slip of the keyboard layout; three were made. */
const MIXED_WORDS_MIN = 2

/** Invisible characters inside words; one may come from copying. */
const INVISIBLE_MIN = 3

/** Letters that a text needs for its shares to mean anything. */
const LETTERS_MIN = 100

const CAPITALS_SHARE_MIN = 0.35
const EXCLAMATIONS_MIN = 4
const EXCLAMATIONS_MANY = 10
const CURRENCY_SIGNS_MIN = 5
const EMOJI_MIN = 3
const STYLED_MIN = 10

export function textStyleSignals(message: Message): Signal[] {
  const counted = textTally(message)
  const found: Signal[] = []
  const mixed = counted.mixedWords.filter(looksAscii)
  if (mixed.length >= MIXED_WORDS_MIN) found.push(signal('WORDS_SCRIPTS_MIXED', mixed[0]))
  if (counted.invisibleInWords >= INVISIBLE_MIN) {
    found.push(signal('WORDS_INVISIBLE', String(counted.invisibleInWords)))
  }
  if (counted.styled >= STYLED_MIN) found.push(signal('WORDS_STYLED', String(counted.styled)))
  if (counted.gappyRun >= GAPPY_RUN_MIN) found.push(signal('WORDS_GAPPY'))
  if (counted.letters >= LETTERS_MIN) {
    const share = counted.upper / counted.letters
    if (share >= CAPITALS_SHARE_MIN) found.push(signal('WORDS_CAPITALS', share.toFixed(2)))
  }
  if (counted.exclamations >= EXCLAMATIONS_MIN) {
    const name =
      counted.exclamations >= EXCLAMATIONS_MANY ? 'WORDS_MANY_EXCLAMATIONS' : 'WORDS_EXCLAMATIONS'
    found.push(signal(name, String(counted.exclamations)))
  }
  if (counted.currencySigns >= CURRENCY_SIGNS_MIN) {
    found.push(signal('WORDS_MANY_CURRENCY_SIGNS', String(counted.currencySigns)))
  }
  if (counted.pictographs >= EMOJI_MIN)
    found.push(signal('WORDS_EMOJI', String(counted.pictographs)))
  if (counted.length >= TEXT_LENGTH_MAX) found.push(signal('WORDS_LONG_TEXT'))
  return found
}
