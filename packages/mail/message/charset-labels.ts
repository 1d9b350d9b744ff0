/**
 * The names of charsets as mail spells them.
 *
 * A label is looked up as it stands, then by what is left of it without quotes, dashes, prefixes and
 * years: 'x-windows-949', 'CP_949', 'ms949' and 'ks_c_5601-1987' are one charset.
 */
import { readLists, readTable, requiredText, words } from '../data-table.ts'

const LISTS = readLists(new URL('charset-labels.tsv', import.meta.url), [
  'whatwg',
  'own',
  'undeclared',
])

/**
 * The names that TextDecoder takes. Trying a name on it costs an error with its stack, five microseconds: a message of
 * 58,000 made-up names took half a second.
 */
export const CHARSET_LABELS = LISTS.whatwg

/** Code pages that the Encoding Standard lacks: the characters of the bytes 80 to FF. */
export const CODE_PAGES: Readonly<Record<string, string>> = Object.fromEntries(
  readTable(
    new URL('code-pages.tsv', import.meta.url),
    { name: requiredText, characters: (text) => String(JSON.parse(`"${text}"`)) },
    { unique: 'name' },
  ).map(({ name, characters }) => [name, characters]),
)

const ALIASES = readTable(
  new URL('charset-aliases.tsv', import.meta.url),
  { charset: requiredText, names: words, codePages: words },
  { unique: 'charset' },
)

/** Code pages of Windows, DOS and IBM by their number, where the number says more than the name. */
const CODE_PAGE_CHARSETS: ReadonlyMap<string, string> = new Map(
  ALIASES.flatMap(({ charset, codePages }) =>
    codePages.map((number): [string, string] => [number, charset]),
  ),
)

/**
 * The charset of that label, as TextDecoder names it, one of charset.ts or a code page; 'us-ascii' is told
 * from Windows-1252. '' where the label says nothing, undefined where it is unknown.
 */
export function charsetOfLabel(label: string): string | undefined {
  if (label === '') return ''
  const name = label.trim().toLowerCase()
  return CHARSETS.get(name) ?? charsetOfSqueezed(squeezed(name))
}

const ASCII_LABEL = /^(?:us-)?ascii$|^ansi_x3/

/** Charsets by the names that the Encoding Standard and this folder give them. */
const CHARSETS: ReadonlyMap<string, string> = new Map([
  ...[...CHARSET_LABELS].map((label): [string, string] => [
    label,
    ASCII_LABEL.test(label) ? 'us-ascii' : new TextDecoder(label).encoding,
  ]),
  ['x-user-defined', ''],
  ...[...LISTS.own, ...Object.keys(CODE_PAGES)].map((name): [string, string] => [name, name]),
])

/** Characters of a label that are looked at; the longest name in use has some 30. */
const LABEL_LENGTH_MAX = 64

/** `name` without quotes and dashes, without 'charset=' or a locale before it and what follows in parentheses or after a space. */
function squeezed(name: string): string {
  const start = name.slice(0, LABEL_LENGTH_MAX)
  const word = /[\s"'<(=;,]/.test(start) ? firstWord(start) : start
  return word.replace(/^[a-z]{2}_[a-z]{2}\.|[^a-z0-9]/g, '')
}

function firstWord(text: string): string {
  const value = text.replace(/^[\s"'<(]+/, '').replace(/^charset\s?[=:]/, '')
  return /^["']?([^\s;,("']+)/.exec(value)?.[1] ?? ''
}

function charsetOfSqueezed(word: string): string | undefined {
  if (word === '' || LISTS.undeclared.has(word)) return ''
  const bare = withoutPrefix(word)
  return charsetOfWord(word) ?? (bare === word ? undefined : charsetOfWord(bare))
}

function charsetOfWord(word: string): string | undefined {
  const charset = SQUEEZED.get(word)
  if (charset !== undefined || !/\d{3}$/.test(word)) return charset
  return SQUEEZED.get(withoutYear(word)) ?? codePage(word)
}

/** Without 'x', 'cs' and the names of vendors before the name of the charset. */
function withoutPrefix(word: string): string {
  return word.replace(/^(?:x|cs)?(?:x|microsoft|apple|sun|pc)?(?=[a-z0-9]{2})/, '')
}

/** Without the year of a standard: 'iso88591:1987'. */
function withoutYear(word: string): string {
  return word.replace(/(?:19|20)\d\d$/, '')
}

/** 'cp949', 'windows949', 'ms949', 'ibm949', 'win949', 'dos949', '949': the number says it all. */
function codePage(word: string): string | undefined {
  const number = /^[a-z]{0,12}0{0,2}(\d{3,5})$/.exec(word)?.[1]
  if (number === undefined) return undefined
  if (/^125[0-8]$/.test(number)) return `windows-${number}`
  if (/^28[56]\d\d$/.test(number)) return CHARSETS.get(`iso-8859-${Number(number) - 28590}`)
  const table = `cp${number}`
  return CODE_PAGE_CHARSETS.get(number) ?? (Object.hasOwn(CODE_PAGES, table) ? table : undefined)
}

/** Charsets by their squeezed names. */
const SQUEEZED: ReadonlyMap<string, string> = new Map([
  ...[...CHARSETS].map(([label, charset]): [string, string] => [squeezed(label), charset]),
  ...ALIASES.flatMap(({ charset, names }) =>
    names.map((name): [string, string] => [name, charset]),
  ),
])
