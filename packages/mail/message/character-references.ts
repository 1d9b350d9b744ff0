/**
 * Character references of HTML: `&amp;`, `&#8364;`, `&#x20AC;` (WHATWG HTML §13.2.5.72 and on).
 *
 * HTML names 2,231 characters; mail uses those of HTML 4, which editors write, and the names of
 * ASCII punctuation, which senders use to keep a link from being found (`https&colon;&sol;&sol;`).
 * Only these are resolved; other names stay as they are written.
 */

/** U+00A0 to U+00FF in order (HTML 4 §24.2.1). WHATWG has these without a semicolon too. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn ' +
  'sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave ' +
  'Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ' +
  'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN ' +
  'szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave ' +
  'iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc ' +
  'uuml yacute thorn yuml'

/** Other names that WHATWG has without a semicolon too: name, then code point in hexadecimal. */
const MARKUP = 'amp 26 lt 3c gt 3e quot 22 AMP 26 LT 3c GT 3e QUOT 22 COPY a9 REG ae'

/** Names that count only with a semicolon: HTML 4 §24.3 and §24.4. */
const SYMBOLS =
  'OElig 152 oelig 153 Scaron 160 scaron 161 Yuml 178 fnof 192 circ 2c6 tilde 2dc ensp 2002 ' +
  'emsp 2003 thinsp 2009 zwnj 200c zwj 200d lrm 200e rlm 200f ndash 2013 mdash 2014 lsquo 2018 ' +
  'rsquo 2019 sbquo 201a ldquo 201c rdquo 201d bdquo 201e dagger 2020 Dagger 2021 bull 2022 ' +
  'hellip 2026 permil 2030 prime 2032 Prime 2033 lsaquo 2039 rsaquo 203a oline 203e frasl 2044 ' +
  'euro 20ac image 2111 weierp 2118 real 211c trade 2122 alefsym 2135 larr 2190 uarr 2191 ' +
  'rarr 2192 darr 2193 harr 2194 crarr 21b5 lArr 21d0 uArr 21d1 rArr 21d2 dArr 21d3 hArr 21d4 ' +
  'forall 2200 part 2202 exist 2203 empty 2205 nabla 2207 isin 2208 notin 2209 ni 220b prod 220f ' +
  'sum 2211 minus 2212 lowast 2217 radic 221a prop 221d infin 221e ang 2220 and 2227 or 2228 ' +
  'cap 2229 cup 222a int 222b there4 2234 sim 223c cong 2245 asymp 2248 ne 2260 equiv 2261 ' +
  'le 2264 ge 2265 sub 2282 sup 2283 nsub 2284 sube 2286 supe 2287 oplus 2295 otimes 2297 ' +
  'perp 22a5 sdot 22c5 lceil 2308 rceil 2309 lfloor 230a rfloor 230b lang 27e8 rang 27e9 loz 25ca ' +
  'spades 2660 clubs 2663 hearts 2665 diams 2666 thetasym 3d1 upsih 3d2 piv 3d6'

/** Greek from U+0391; the hole at U+03A2 is final sigma's place among the capitals. */
const GREEK =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - ' +
  'Sigma Tau Upsilon Phi Chi Psi Omega - - - - - - - alpha beta gamma delta epsilon zeta eta ' +
  'theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega'

/** ASCII and spaces by name: nobody needs these names, so they mostly hide something. */
const DISGUISES =
  'Tab 9 NewLine a excl 21 num 23 dollar 24 percnt 25 apos 27 lpar 28 rpar 29 ast 2a midast 2a ' +
  'plus 2b comma 2c period 2e sol 2f colon 3a semi 3b equals 3d quest 3f commat 40 lsqb 5b lbrack 5b ' +
  'bsol 5c rsqb 5d rbrack 5d Hat 5e lowbar 5f UnderBar 5f grave 60 lcub 7b lbrace 7b verbar 7c ' +
  'vert 7c VerticalLine 7c rcub 7d rbrace 7d NonBreakingSpace a0 numsp 2007 puncsp 2008 hairsp 200a ' +
  'ThinSpace 2009 VeryThinSpace 200a ZeroWidthSpace 200b NoBreak 2060 hyphen 2010 dash 2010 ' +
  'horbar 2015 check 2713 checkmark 2713 cross 2717 star 2606 starf 2605 bigstar 2605 phone 260e ' +
  'bullet 2022 copysr 2117 numero 2116 rightarrow 2192 leftarrow 2190 nldr 2025 mldr 2026 ' +
  'Abreve 102 abreve 103 Aogon 104 aogon 105 Cacute 106 cacute 107 Ccaron 10c ccaron 10d Dcaron 10e ' +
  'dcaron 10f Dstrok 110 dstrok 111 Eogon 118 eogon 119 Ecaron 11a ecaron 11b gbreve 11f Gbreve 11e ' +
  'Idot 130 imath 131 inodot 131 Lstrok 141 lstrok 142 Nacute 143 nacute 144 Ncaron 147 ncaron 148 ' +
  'Odblac 150 odblac 151 Rcaron 158 rcaron 159 Sacute 15a sacute 15b Scedil 15e scedil 15f ' +
  'Tcaron 164 tcaron 165 Uring 16e uring 16f Udblac 170 udblac 171 Zacute 179 zacute 17a Zdot 17b ' +
  'zdot 17c Zcaron 17d zcaron 17e'

/** Characters of windows-1252 from 0x80, which numeric references of that range mean (WHATWG §13.2.5.80). */
const WINDOWS_1252 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'

/** Longest name in the tables: a longer run of letters is no reference. */
const NAME_LENGTH_MAX = 16

/** Longest of the names that need no semicolon: 'Aacute'. */
const BARE_NAME_LENGTH_MAX = 6

/** Digits read of a number: a reference of a million digits is U+FFFD, like any number that is too large. */
const DIGITS_MAX = 32

const REPLACEMENT = '\ufffd'

const bareNames = new Map([...ordered(LATIN_1, 0xa0), ...paired(MARKUP)])
const names = new Map([
  ...bareNames,
  ...paired(SYMBOLS),
  ...ordered(GREEK, 0x391),
  ...paired(DISGUISES),
])

/** A character reference as read. */
interface CharacterReference {
  readonly text: string
  /** Index after it. */
  readonly end: number
}

/**
 * The reference that begins with the `&` at `at` and ends before `limit`; undefined when the `&` is a
 * plain ampersand.
 *
 * In an attribute a name without semicolon is plain text where a letter, digit or `=` follows:
 * `?a=1&copy=2` has no copyright sign.
 */
export function readReference(
  source: string,
  at: number,
  limit: number,
  inAttribute: boolean,
): CharacterReference | undefined {
  const code = at + 1 < limit ? source.charCodeAt(at + 1) : 0
  if (code === 0x23) return readNumber(source, at + 2, limit)
  return isAlphanumeric(code) ? readName(source, at + 1, limit, inAttribute) : undefined
}

/** `text` with its references resolved, by the rules for attribute values. */
export function decodeAttribute(text: string): string {
  let at = text.indexOf('&')
  if (at < 0) return text
  let decoded = ''
  let from = 0
  while (at >= 0) {
    const reference = readReference(text, at, text.length, true)
    if (reference) decoded += text.slice(from, at) + reference.text
    if (reference) from = reference.end
    at = text.indexOf('&', reference ? from : at + 1)
  }
  return decoded + text.slice(from)
}

function readNumber(source: string, start: number, limit: number): CharacterReference | undefined {
  const hexadecimal = start < limit && (source.charCodeAt(start) | 0x20) === 0x78
  const radix = hexadecimal ? 16 : 10
  const first = hexadecimal ? start + 1 : start
  let end = first
  while (end < limit && digitValue(source.charCodeAt(end)) < radix) end++
  if (end === first) return undefined
  const digits = source.slice(first, Math.min(end, first + DIGITS_MAX))
  const text = characterOf(Number.parseInt(digits, radix))
  return { text, end: end < limit && source.charCodeAt(end) === 0x3b ? end + 1 : end }
}

function characterOf(codePoint: number): string {
  if (codePoint >= 0x80 && codePoint < 0xa0) return WINDOWS_1252.charAt(codePoint - 0x80)
  if (codePoint === 0 || codePoint > 0x10ffff) return REPLACEMENT
  if (codePoint >= 0xd800 && codePoint < 0xe000) return REPLACEMENT
  return String.fromCodePoint(codePoint)
}

function readName(
  source: string,
  start: number,
  limit: number,
  inAttribute: boolean,
): CharacterReference | undefined {
  const longest = Math.min(limit, start + NAME_LENGTH_MAX)
  let end = start
  while (end < longest && isAlphanumeric(source.charCodeAt(end))) end++
  if (end < limit && source.charCodeAt(end) === 0x3b) {
    const text = names.get(source.slice(start, end))
    if (text !== undefined) return { text, end: end + 1 }
  }
  return readBareName(source, start, end, inAttribute)
}

/** The longest name that needs no semicolon in the run of letters from `start` to `end`. */
function readBareName(
  source: string,
  start: number,
  end: number,
  inAttribute: boolean,
): CharacterReference | undefined {
  for (let cut = Math.min(end, start + BARE_NAME_LENGTH_MAX); cut > start + 1; cut--) {
    const text = bareNames.get(source.slice(start, cut))
    if (text === undefined) continue
    return inAttribute && continuesName(source.charCodeAt(cut)) ? undefined : { text, end: cut }
  }
  return undefined
}

function continuesName(code: number): boolean {
  return code === 0x3d || isAlphanumeric(code)
}

function isAlphanumeric(code: number): boolean {
  return digitValue(code) < 36
}

/** Value of a digit or letter in base 36, 99 for other characters. */
function digitValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x7a && code < 0x80 ? letter - 0x57 : 99
}

function ordered(table: string, first: number): [string, string][] {
  return table
    .split(' ')
    .map((name, index): [string, string] => [name, String.fromCodePoint(first + index)])
    .filter(([name]) => name !== '-')
}

function paired(table: string): [string, string][] {
  return Array.from(table.matchAll(/(\w+) ([0-9a-f]+)/g), ([, name, hexadecimal]) => [
    name as string,
    String.fromCodePoint(Number.parseInt(hexadecimal as string, 16)),
  ])
}
