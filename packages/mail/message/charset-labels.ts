/**
 * The names of charsets as mail spells them.
 *
 * A label is looked up as it stands, then by what is left of it without quotes, dashes, prefixes and
 * years: 'x-windows-949', 'CP_949', 'ms949' and 'ks_c_5601-1987' are one charset.
 */
import { CODE_PAGES } from './code-pages.ts'
import { wordSet } from './word-set.ts'

/**
 * The names that TextDecoder takes (WHATWG Encoding Standard §4.2), except the encodings that it only
 * knows in order to refuse them ('replacement').
 *
 * Trying a name on TextDecoder costs an error with its stack, five microseconds: a message of 58,000
 * made-up names took half a second.
 */
export const CHARSET_LABELS = wordSet(`
  866 ansi_x3.4-1968 arabic ascii asmo-708 big5 big5-hkscs chinese cn-big5 cp1250 cp1251 cp1252
  cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp819 cp866 csbig5 cseuckr cseucpkdfmtjapanese
  csgb2312 csibm866 csiso2022jp csiso58gb231280 csiso88596e csiso88596i csiso88598e csiso88598i
  csisolatin1 csisolatin2 csisolatin3 csisolatin4 csisolatin5 csisolatin6 csisolatin9
  csisolatinarabic csisolatincyrillic csisolatingreek csisolatinhebrew cskoi8r csksc56011987
  csmacintosh csshiftjis csunicode cyrillic dos-874 ecma-114 ecma-118 elot_928 euc-jp euc-kr
  gb18030 gb2312 gb_2312 gb_2312-80 gbk greek greek8 hebrew ibm819 ibm866 iso-10646-ucs-2
  iso-2022-jp iso-8859-1 iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16
  iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-8859-7
  iso-8859-8 iso-8859-8-e iso-8859-8-i iso-8859-9 iso-ir-100 iso-ir-101 iso-ir-109 iso-ir-110
  iso-ir-126 iso-ir-127 iso-ir-138 iso-ir-144 iso-ir-148 iso-ir-149 iso-ir-157 iso-ir-58 iso8859-1
  iso8859-10 iso8859-11 iso8859-13 iso8859-14 iso8859-15 iso8859-2 iso8859-3 iso8859-4 iso8859-5
  iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso88591 iso885910 iso885911 iso885913 iso885914
  iso885915 iso88592 iso88593 iso88594 iso88595 iso88596 iso88597 iso88598 iso88599 iso_8859-1
  iso_8859-15 iso_8859-1:1987 iso_8859-2 iso_8859-2:1987 iso_8859-3 iso_8859-3:1988 iso_8859-4
  iso_8859-4:1988 iso_8859-5 iso_8859-5:1988 iso_8859-6 iso_8859-6:1987 iso_8859-7 iso_8859-7:1987
  iso_8859-8 iso_8859-8:1988 iso_8859-9 iso_8859-9:1989 koi koi8 koi8-r koi8-ru koi8-u koi8_r
  korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 l1 l2 l3 l4 l5 l6 l9 latin1 latin2 latin3
  latin4 latin5 latin6 logical mac macintosh ms932 ms_kanji shift-jis shift_jis sjis sun_eu_greek
  tis-620 ucs-2 unicode unicode-1-1-utf-8 unicode11utf8 unicode20utf8 unicodefeff unicodefffe
  us-ascii utf-16 utf-16be utf-16le utf-8 utf8 visual windows-1250 windows-1251 windows-1252
  windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 windows-31j
  windows-874 windows-949 x-cp1250 x-cp1251 x-cp1252 x-cp1253 x-cp1254 x-cp1255 x-cp1256 x-cp1257
  x-cp1258 x-euc-jp x-gbk x-mac-cyrillic x-mac-roman x-mac-ukrainian x-sjis x-unicode20utf8
  x-user-defined x-x-big5
`)

/** Charsets that charset.ts decodes without TextDecoder. */
const OWN_CHARSETS = wordSet(`
  hz-gb-2312 iso-2022-cn iso-2022-kr utf-7 utf-32 utf-32be utf-32le
`)

/** Names of no charset: a sender or a relay says that it does not know (RFC 1428 §3). */
const UNDECLARED = wordSet(`
  7bit 8bit ansi autodetect binary default iso8859 none unknown unknown7bit unknown8bit userdefined
  xunknown
`)

/** Other names, squeezed, by the charset. */
const ALIASES: Readonly<Record<string, string>> = {
  'us-ascii':
    '646 7bitascii ansix34 ansix341986 cp20127 cp367 csascii ibm367 irv iso646 iso646irv iso646us isoir6 us',
  'utf-8': 'al32utf8 cesu8 unicode20utf8 utf utf8mac utf8mb3 utf8mb4 utf8n utf8sig wtf8',
  'utf-7': 'unicode11utf7 unicode20utf7 utf7imap',
  'utf-16le': 'ucs2le unicodelittle',
  'utf-16be': 'ucs2be unicodebig',
  'utf-32': 'iso10646ucs4 ucs4 ucs4be',
  'utf-32le': 'ucs4le',
  'windows-1252': 'ansi1252 isolatin1 latin1windows westeuropean',
  'iso-8859-2': 'isolatin2',
  'iso-8859-3': 'isolatin3',
  'iso-8859-4': 'isolatin4',
  'iso-8859-5': 'isocyrillic',
  'windows-1254': 'isolatin5 latinturkish',
  'iso-8859-10': 'isolatin6',
  'iso-8859-13': 'isolatin7 l7 latin7',
  'iso-8859-14': 'isoceltic isolatin8 l8 latin8',
  'iso-8859-15': 'isolatin9 latin0 latin9',
  'iso-8859-16': 'isolatin10 l10 latin10',
  'windows-874': 'iso885911 tis62025330 tis62025331 tis620 thai',
  gbk: 'cngb eucgb euccn gb gb231280 gbk2312 isoir165 macchinesesimp zhcn',
  gb18030: 'gb180302000 gb180302005 gb180302022',
  'hz-gb-2312': 'hz hzgb',
  'iso-2022-cn': 'iso2022cnext',
  big5: 'big5eten big5hkscs1999 big5hkscs2001 big5hkscs2004 big5hkscs2008 macchinesetrad zhtw',
  shift_jis:
    'macjapanese shiftjis2004 shiftjisx0213 shjis sjiswin sjismac sjismobile sjisms sjis0213 mskanji',
  'euc-jp': 'euc eucjis2004 eucjisx0213 eucjp2004 eucjpms eucjpopen eucjpwin ujis',
  'iso-2022-jp':
    'iso2022jp1 iso2022jp2 iso2022jp2004 iso2022jp3 iso2022jpext iso2022jpms jis jis7 jis8 jisencoding',
  'euc-kr': 'isoir149 ksc56011992 ksc5601 ksx1001 mackorean uhc',
  'iso-2022-kr': 'iso2022kr',
  macintosh: 'macos macroman macwestern roman',
  'x-mac-cyrillic': 'macbulgarian maccyrillic macukraine macukrainian',
  'x-mac-ce':
    'maccentraleurope macce maccentraleuroperoman maccentraleurroman maccentraleuropean maceastern maclatin2',
  'x-mac-icelandic': 'maciceland',
  'x-mac-greek': 'macgreek',
  'hp-roman8': 'hproman8 r8 roman8',
  'koi8-u': 'koi8ua',
}

/** Code pages of Windows, DOS and IBM by their number, where the number says more than the name. */
const CODE_PAGE_CHARSETS: Readonly<Record<string, string>> = {
  '819': 'windows-1252',
  '866': 'ibm866',
  '874': 'windows-874',
  '878': 'koi8-r',
  '912': 'iso-8859-2',
  '913': 'iso-8859-3',
  '914': 'iso-8859-4',
  '915': 'iso-8859-5',
  '916': 'iso-8859-8',
  '920': 'windows-1254',
  '923': 'iso-8859-15',
  '932': 'shift_jis',
  '936': 'gbk',
  '942': 'shift_jis',
  '943': 'shift_jis',
  '949': 'euc-kr',
  '950': 'big5',
  '951': 'big5',
  '954': 'euc-jp',
  '970': 'euc-kr',
  '1168': 'koi8-u',
  '1200': 'utf-16le',
  '1201': 'utf-16be',
  '1208': 'utf-8',
  '1381': 'gbk',
  '1383': 'gbk',
  '1386': 'gbk',
  '1392': 'gb18030',
  '1363': 'euc-kr',
  '5601': 'euc-kr',
  '10000': 'macintosh',
  '10001': 'shift_jis',
  '10002': 'big5',
  '10003': 'euc-kr',
  '10006': 'x-mac-greek',
  '10007': 'x-mac-cyrillic',
  '10008': 'gbk',
  '10010': 'x-mac-romanian',
  '10017': 'x-mac-cyrillic',
  '10029': 'x-mac-ce',
  '10079': 'x-mac-icelandic',
  '10081': 'x-mac-turkish',
  '10082': 'x-mac-croatian',
  '12000': 'utf-32le',
  '12001': 'utf-32be',
  '20127': 'us-ascii',
  '20866': 'koi8-r',
  '20932': 'euc-jp',
  '20936': 'gbk',
  '20949': 'euc-kr',
  '21866': 'koi8-u',
  '33722': 'euc-jp',
  '38598': 'iso-8859-8-i',
  '50220': 'iso-2022-jp',
  '50221': 'iso-2022-jp',
  '50222': 'iso-2022-jp',
  '50225': 'iso-2022-kr',
  '50227': 'iso-2022-cn',
  '51932': 'euc-jp',
  '51936': 'gbk',
  '51949': 'euc-kr',
  '52936': 'hz-gb-2312',
  '54936': 'gb18030',
  '65000': 'utf-7',
  '65001': 'utf-8',
}

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
  ...[...OWN_CHARSETS, ...Object.keys(CODE_PAGES)].map((name): [string, string] => [name, name]),
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
  if (word === '' || UNDECLARED.has(word)) return ''
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
  return CODE_PAGE_CHARSETS[number] ?? (Object.hasOwn(CODE_PAGES, table) ? table : undefined)
}

/** Charsets by their squeezed names. */
const SQUEEZED: ReadonlyMap<string, string> = new Map([
  ...[...CHARSETS].map(([label, charset]): [string, string] => [squeezed(label), charset]),
  ...Object.entries(ALIASES).flatMap(([charset, names]) =>
    names.split(' ').map((name): [string, string] => [name, charset]),
  ),
])
