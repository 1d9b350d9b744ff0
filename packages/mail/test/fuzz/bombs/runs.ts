/**
 * Bombs of runs: a word, and then a row of one character at which some scanner stops, looks back or
 * looks ahead. What it does at each of them must not be what it did at the one before.
 */
import { many } from './sizes.ts'
import type { Bomb } from './structure.ts'

/** Each character at which something begins or ends: addresses, links, markup, parameters, quotations, sentences, numbers. */
const STOPPERS: Readonly<Record<string, string>> = {
  'at signs': '@',
  'full stops': '.',
  colons: ':',
  slashes: '/',
  ampersands: '&',
  'opening brackets': '<',
  'closing brackets': '>',
  'equals signs': '=',
  'question marks': '?',
  'per cent signs': '%',
  'number signs': '#',
  commas: ',',
  semicolons: ';',
  'quotation marks': '"',
  apostrophes: "'",
  dashes: '-',
  underscores: '_',
  'plus signs': '+',
  asterisks: '*',
  'vertical lines': '|',
  backslashes: '\\',
  'opening parentheses': '(',
  'closing parentheses': ')',
  'square brackets': '[]',
  braces: '{}',
  'currency signs': '$',
  digits: '7',
  spaces: ' ',
  tabs: '\t',
  'carriage returns': '\r',
  'NUL bytes': '\0',
  escapes: '\x1b',
  'Latin letters': 'é',
  'Cyrillic letters': 'а',
  'Chinese letters': '中',
  'Korean letters': '한',
  'Arabic letters': 'ا',
  'combining marks': '\u0301',
  'zero-width spaces': '\u200b',
  'marks of direction': '\u202e',
  ligatures: 'ﬁ',
  emoji: '👍',
  'curly quotation marks': '“',
}

/** The fields that are read for more than their text. */
const FIELDS = ['Subject', 'From', 'To', 'Reply-To', 'Received', 'References', 'List-Unsubscribe']

/** Words and characters of one run. */
const RUN_LENGTH = 40

/** In header fields, a plain text and an HTML text, a third of the bytes each. */
function runsOf(character: string): Bomb {
  const run = Buffer.from(`${'a'.repeat(RUN_LENGTH)}${character.repeat(RUN_LENGTH)}`).toString(
    'latin1',
  )
  return (bytes) => {
    const share = bytes / 3
    const fields = FIELDS.map((name) => `${name}: ${many(`${run}\n `, share / FIELDS.length)}\n`)
    const text = (type: string) =>
      `--b\nContent-Type: text/${type}; charset=utf-8\n\n${many(`${run}\n`, share)}\n`
    return `${fields.join('')}Content-Type: multipart/mixed; boundary=b\n\n${text('plain')}${text('html')}--b--\n`
  }
}

export const RUN_BOMBS: Readonly<Record<string, Bomb>> = Object.fromEntries(
  Object.entries(STOPPERS).map(([name, character]) => [name, runsOf(character)]),
)
