/**
 * The language of a text, and signals where subject, text, charset and Content-Language disagree.
 *
 * The script decides where it can (Thai is Thai); among languages of the Latin and Cyrillic
 * alphabets the function words do: the language most of whose common words turn up wins. That is
 * right for running text of a sentence or more. What a message is about, or whether the reader
 * knows its language, is nothing for signals.
 */
import { readLists } from '../data-table.ts'
import type { Message } from '../message/message.ts'
import { mainScript, SCRIPTS, type Script, scriptIndex, type Tally, tally } from './characters.ts'
import { fieldBody } from './fields.ts'
import { perMessage } from './per-message.ts'
import { type Signal, signal } from './signal.ts'
import { readerText, subjectTally, textTally } from './text.ts'

/** Characters looked at: some 150 words, with thirty or more function words in them. */
const LANGUAGE_TEXT_LENGTH_MAX = 1_000

/** Below this many function words it is a list of names or a code. */
const FUNCTION_WORDS_MIN = 3

/** Letters that a text needs for a second script in it, or another language, to mean anything. */
const LETTERS_MIN = 40

/** A subject of fewer letters may be all name. */
const SUBJECT_LETTERS_MIN = 8

/** A fifth of the letters is more than the names of a few products. */
const SECOND_SCRIPT_SHARE_MIN = 0.2

/** Languages whose script is theirs alone, or which stand for all others that share it in mail. */
const LANGUAGE_OF_SCRIPT: Partial<Record<Script, string>> = {
  greek: 'el',
  armenian: 'hy',
  hebrew: 'he',
  arabic: 'ar',
  indic: 'hi',
  thai: 'th',
  georgian: 'ka',
  kana: 'ja',
  hangul: 'ko',
  han: 'zh',
}

/** Japanese is mostly Han characters, but one in twenty kana is enough to know it by. */
const KANA_SHARE_MIN = 0.05

/** Languages that are told apart by their function words, ISO 639-1. */
export const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'sv',
  'da',
  'no',
  'fi',
  'pl',
  'cs',
  'ro',
  'hu',
  'tr',
  'vi',
  'id',
  'ru',
  'uk',
  'bg',
] as const

/**
 * Words that every sentence of a language is full of, and that tell it from its neighbours. A word may stand under
 * several languages; it then counts for each.
 */
export const FUNCTION_WORDS = readLists(new URL('function-words.tsv', import.meta.url), LANGUAGES)

/** Word -> languages it is a function word of, as bits in the order of LANGUAGES. */
const LANGUAGE_BITS: ReadonlyMap<string, number> = (() => {
  const bits = new Map<string, number>()
  LANGUAGES.forEach((language, at) => {
    for (const word of FUNCTION_WORDS[language]) {
      bits.set(word, (bits.get(word) ?? 0) | (1 << at))
    }
  })
  return bits
})()

/** ISO 639-1 code of the language of `text`, by its first 1,000 characters; 'und' when it cannot be told. */
export function detectLanguage(text: string): string {
  const start = text.slice(0, LANGUAGE_TEXT_LENGTH_MAX)
  const counted = tally(start)
  const script = mainScript(counted)
  if (script === 'latin' || script === 'cyrillic') return languageByWords(start)
  const kana = counted.scripts[SCRIPTS.indexOf('kana')]!
  if (script === 'han' && kana >= counted.letters * KANA_SHARE_MIN) return 'ja'
  return LANGUAGE_OF_SCRIPT[script] ?? 'und'
}

/** The language of the text of a message, as `detectLanguage` has it. */
export const languageOf = perMessage((message: Message): string =>
  detectLanguage(readerText(message)),
)

function languageByWords(text: string): string {
  const lower = text.toLowerCase()
  const hits = new Uint16Array(LANGUAGES.length)
  let start = -1
  for (let at = 0; at <= lower.length; at += 1) {
    const isLetter = at < lower.length && scriptIndex(lower.charCodeAt(at)) !== 0
    if (isLetter) {
      if (start < 0) start = at
      continue
    }
    if (start >= 0 && at - start <= FUNCTION_WORD_LENGTH_MAX) {
      countLanguages(hits, LANGUAGE_BITS.get(lower.slice(start, at)) ?? 0)
    }
    start = -1
  }
  let best = 0
  for (let at = 1; at < hits.length; at += 1) if (hits[at]! > hits[best]!) best = at
  return hits[best]! < FUNCTION_WORDS_MIN ? 'und' : LANGUAGES[best]!
}

/** The longest of the function words, in letters. */
const FUNCTION_WORD_LENGTH_MAX = Math.max(...[...LANGUAGE_BITS.keys()].map((word) => word.length))

function countLanguages(hits: Uint16Array, bits: number): void {
  for (let rest = bits; rest !== 0; rest &= rest - 1) hits[31 - Math.clz32(rest & -rest)]! += 1
}

/** Charsets that hold one script beside ASCII, and so say which the text is in. */
const SCRIPT_OF_CHARSET: Readonly<Record<string, readonly Script[]>> = {
  'koi8-r': ['cyrillic'],
  'koi8-u': ['cyrillic'],
  'windows-1251': ['cyrillic'],
  'iso-8859-5': ['cyrillic'],
  gb2312: ['han'],
  gbk: ['han'],
  gb18030: ['han'],
  big5: ['han'],
  'iso-2022-jp': ['kana', 'han'],
  shift_jis: ['kana', 'han'],
  'euc-jp': ['kana', 'han'],
  'euc-kr': ['hangul', 'han'],
  'iso-8859-8': ['hebrew'],
  'windows-1255': ['hebrew'],
  'windows-1256': ['arabic'],
  'iso-8859-6': ['arabic'],
  'iso-8859-7': ['greek'],
  'windows-1253': ['greek'],
}

/** Signals from the languages and scripts of the subject, the text and what the header says of them. */
export function languageSignals(message: Message): Signal[] {
  const found: Signal[] = []
  const counted = textTally(message)
  if (counted.letters < LETTERS_MIN) return found

  const textScript = mainScript(counted)
  const subject = subjectTally(message)
  const subjectScript = mainScript(subject)
  if (subject.letters >= SUBJECT_LETTERS_MIN && !readTogether(subjectScript, textScript)) {
    found.push(signal('LANGUAGE_SUBJECT_SCRIPT_OTHER', `${subjectScript}, ${textScript}`))
  }

  const second = secondScript(counted, textScript)
  if (second !== undefined) found.push(signal('LANGUAGE_SCRIPTS_MIXED', `${textScript}, ${second}`))

  const charset = message.texts.find(
    (body) => SCRIPT_OF_CHARSET[body.charset] !== undefined,
  )?.charset
  if (charset !== undefined && !hasScript(counted, SCRIPT_OF_CHARSET[charset]!)) {
    found.push(signal('LANGUAGE_CHARSET_OTHER', charset))
  }

  const declared = declaredLanguage(message)
  if (declared !== undefined) {
    const language = languageOf(message)
    if (language !== 'und' && !sameLanguage(declared, language)) {
      found.push(signal('LANGUAGE_DECLARED_OTHER', `${declared}, ${language}`))
    }
  }
  return found
}

const EAST_ASIAN: readonly Script[] = ['han', 'kana', 'hangul']

/** Scripts that one language is written in together, or that are one for our purpose. */
function readTogether(a: Script, b: Script): boolean {
  return (
    a === b || a === 'none' || b === 'none' || (EAST_ASIAN.includes(a) && EAST_ASIAN.includes(b))
  )
}

function secondScript(counted: Tally, main: Script): Script | undefined {
  return SCRIPTS.find(
    (script, at) =>
      !readTogether(script, main) &&
      counted.scripts[at]! >= counted.letters * SECOND_SCRIPT_SHARE_MIN,
  )
}

function hasScript(counted: Tally, scripts: readonly Script[]): boolean {
  return scripts.some((script) => counted.scripts[SCRIPTS.indexOf(script)]! > 0)
}

/** First language that Content-Language (RFC 3282) names, without its region. */
function declaredLanguage(message: Message): string | undefined {
  const body = fieldBody(message, 'content-language')
  return body === undefined ? undefined : /^\s*([a-z]{2})\b/i.exec(body)?.[1]?.toLowerCase()
}

/** Danish and Norwegian share nearly all their function words. */
function sameLanguage(a: string, b: string): boolean {
  const north = ['da', 'no', 'nb', 'nn', 'sv']
  return a === b || (north.includes(a) && north.includes(b))
}
