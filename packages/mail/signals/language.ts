/**
 * The language of a text, and signals where subject, text, charset and Content-Language disagree. The script decides where it can;
 * among languages of the Latin and Cyrillic alphabets the one most of whose function words turn up.
 */
import { readLists } from '../data-table.ts'
import type { Message } from '../message/message.ts'
import { mainScript, SCRIPTS, type Script, scriptIndex, type Tally, tally } from './characters.ts'
import { fieldBody } from './fields.ts'
import { perMessage } from './per-message.ts'
import { raised, type Signal } from './signal.ts'
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

/** Languages that are told apart by their function words, ISO 639-1. Of two with as many, the first. */
export const LANGUAGES = 'en de fr es it pt nl sv da no fi pl cs ro hu tr vi id ru uk bg'.split(' ')

/** Words that every sentence of a language is full of, and that tell it from its neighbours. One may be of several. */
export const FUNCTION_WORDS = readLists(new URL('function-words.tsv', import.meta.url), LANGUAGES)

/** Positions in LANGUAGES of those of which a word is a function word. */
const LANGUAGES_OF = new Map<string, number[]>()
Object.values(FUNCTION_WORDS).forEach((words, at) => {
  for (const word of words) LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), at])
})

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
  let start = 0
  for (let at = 0; at <= lower.length; at += 1) {
    if (at < lower.length && scriptIndex(lower.charCodeAt(at)) !== 0) continue
    if (at > start && at - start <= FUNCTION_WORD_LENGTH_MAX) {
      const languages = LANGUAGES_OF.get(lower.slice(start, at))
      if (languages !== undefined) for (const language of languages) hits[language]! += 1
    }
    start = at + 1
  }
  const most = Math.max(...hits)
  return most < FUNCTION_WORDS_MIN ? 'und' : LANGUAGES[hits.indexOf(most)]!
}

/** The longest of the function words, in letters. */
const FUNCTION_WORD_LENGTH_MAX = Math.max(...Array.from(LANGUAGES_OF.keys(), (it) => it.length))

/** Charsets that hold one script beside ASCII, and so say which the text is in. */
const SCRIPTS_OF_CHARSETS: readonly (readonly [charsets: RegExp, ...scripts: Script[]])[] = [
  [/^(?:koi8-[ru]|windows-1251|iso-8859-5)$/, 'cyrillic'],
  [/^(?:gb2312|gbk|gb18030|big5)$/, 'han'],
  [/^(?:iso-2022-jp|shift_jis|euc-jp)$/, 'kana', 'han'],
  [/^euc-kr$/, 'hangul', 'han'],
  [/^(?:iso-8859-8|windows-1255)$/, 'hebrew'],
  [/^(?:windows-1256|iso-8859-6)$/, 'arabic'],
  [/^(?:iso-8859-7|windows-1253)$/, 'greek'],
]

/** Signals from the languages and scripts of the subject, the text and what the header says of them. */
export function languageSignals(message: Message): Signal[] {
  const counted = textTally(message)
  if (counted.letters < LETTERS_MIN) return []
  const script = mainScript(counted)
  const subject = subjectTally(message)
  const other = subject.letters < SUBJECT_LETTERS_MIN ? script : mainScript(subject)
  const second = SCRIPTS.find(
    (each, at) =>
      !readTogether(each, script) &&
      counted.scripts[at]! >= counted.letters * SECOND_SCRIPT_SHARE_MIN,
  )
  // First language that Content-Language (RFC 3282) names, without its region.
  const declared = /^\s*([a-z]{2})\b/i
    .exec(fieldBody(message, 'content-language') ?? '')?.[1]
    ?.toLowerCase()
  const language = declared === undefined ? 'und' : languageOf(message)
  return raised({
    LANGUAGE_SUBJECT_SCRIPT_OTHER: !readTogether(other, script) && `${other}, ${script}`,
    LANGUAGE_SCRIPTS_MIXED: second && `${script}, ${second}`,
    LANGUAGE_CHARSET_OTHER: charsetOfOther(message, counted),
    LANGUAGE_DECLARED_OTHER:
      language !== 'und' && !sameLanguage(declared!, language) && `${declared}, ${language}`,
  })
}

/** The first charset of one script, if the text has no letter of that. */
function charsetOfOther({ texts }: Message, counted: Tally): string | undefined {
  for (const { charset } of texts) {
    const [, ...scripts] = SCRIPTS_OF_CHARSETS.find(([charsets]) => charsets.test(charset)) ?? []
    if (scripts.length === 0) continue
    return scripts.some((each) => counted.scripts[SCRIPTS.indexOf(each)]! > 0) ? undefined : charset
  }
  return undefined
}

const EAST_ASIAN: readonly Script[] = ['han', 'kana', 'hangul']

/** Scripts that one language is written in together, or that are one for our purpose. */
function readTogether(a: Script, b: Script): boolean {
  return a === b || a === 'none' || b === 'none' || [a, b].every((it) => EAST_ASIAN.includes(it))
}

/** Danish and Norwegian share nearly all their function words. */
const NORTH = ['da', 'no', 'nb', 'nn', 'sv']

function sameLanguage(a: string, b: string): boolean {
  return a === b || [a, b].every((it) => NORTH.includes(it))
}
