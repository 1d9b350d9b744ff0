/**
 * Words, links and encoded words of a made-up message, in order or not. Strings have one
 * character for each byte, as the message will.
 */
import { wordsOf } from '../../../../test/words.ts'
import { type Dice, repeated } from './dice.ts'

// biome-ignore format: many short pieces
const WORDS = [
  'Hello', 'invoice', 'the', 'your account', 'verify now', 'unsubscribe', 'Re:', 'code 482913',
  '30 EUR', '100% FREE!!!', 'tracking no. 4711', 'Grüße', 'привет мир', '请点击这里', 'مرحبا', 'pаypаl',
  'e\u0301e\u0301', '👨‍👩‍👧', '\u202eevil\u202c', '\u200b\u00ad', '\ufeff',
]

/** Bytes that a text does not have, or not there. */
// biome-ignore format: many short pieces
const ODD_BYTES = [
  '\0', '\r', '\x1b$B', '\x0e', '\x7f', '\x80', '\xa0', '\xc3', '\xed\xa0\x80', '\xff\xfe',
]

// biome-ignore format: many short pieces
export const CHARSETS = [
  'utf-8', 'us-ascii', 'iso-8859-1', 'windows-1252', 'koi8-r', 'iso-2022-jp', 'iso-2022-kr',
  'gb18030', 'big5', 'shift_jis', 'euc-kr', 'utf-7', 'utf-16', 'utf-16le',
  'x-user-defined', 'replacement', 'cp437', 'utf-8*en', 'no-such-charset', '',
]

export function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function words(dice: Dice): string {
  const separator = dice.pick([' ', ' ', ' ', '', '\t', '  '])
  return Array.from({ length: 1 + dice.count(3_000) }, () => utf8(dice.pick(WORDS))).join(separator)
}

export function oddBytes(dice: Dice): string {
  return repeated(1 + dice.count(2_000), () => dice.pick(ODD_BYTES))
}

/** Any bytes at all. */
export function noise(dice: Dice): string {
  return repeated(dice.count(5_000), () => String.fromCharCode(dice.below(256)))
}

export function line(dice: Dice): string {
  if (dice.chance(0.1)) return words(dice) + oddBytes(dice)
  return dice.make([words, words, words, link, encodedWord, noise])
}

export function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64')
}

/** A character as three of them. */
export function escaped(text: string, sign: string): string {
  return Array.from(text, (character) => {
    return sign + character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')
  }).join('')
}

/** RFC 2047, whole or broken: another charset, half a character, no end, white space inside. */
export function encodedWord(dice: Dice): string {
  const charset = dice.pick(CHARSETS)
  const text = words(dice).slice(0, dice.pick([5, 20, 75, 4_000]))
  const encoding = dice.pick(['B', 'Q', 'b', 'q', 'B', 'Q', 'X', '', 'BB'])
  const content = dice.make([
    () => (/b/i.test(encoding) ? base64(text) : escaped(text, '=')),
    () => base64(text).slice(0, -1 - dice.below(3)),
    () => escaped(text, '=').slice(0, -1 - dice.below(2)),
    () => text,
    () => '=_=?',
    () => '',
  ])
  const end = dice.pick(['?=', '?=', '?=', '?= ', '?', '=', '', '?=?='])
  return repeated(1 + dice.count(300), () => `=?${charset}?${encoding}?${content}${end}`)
}

// biome-ignore format: many short pieces
const HOSTS = [
  'example.com', 'www.example.org', 'xn--mller-kva.example', 'm\xc3\xbcller.example',
  'ex\xe3\x80\x82ample.net', '192.0.2.7', '0300.0.0x2.7', '3221225991', '[2001:db8::1]',
  '[2001:db8::1', 'example.com.', '..', 'a'.repeat(64), '%65xample.com', 'localhost', '',
]

// biome-ignore format: many short pieces
const SCHEMES = [
  'http://', 'https://', 'HTTP:\\\\', '//', 'hxxp://', 'ftp://', 'mailto:', 'javascript:',
  'data:text/html;base64,', 'cid:', 'http:', '',
]

const WRAPPERS = wordsOf(`
  https://www.google.com/url?q= https://nam01.safelinks.protection.outlook.com/?url=
  https://urldefense.proofpoint.com/v2/url?u= https://urldefense.com/v3/__
  https://secure-web.cisco.com/1abc/ https://www.bing.com/ck/a?u=a1
  https://l.facebook.com/l.php?u= https://region.protection.sophos.com/?u=
`)

// biome-ignore format: many short pieces
const PATH_PIECES = [
  '/', '//', '/..', '/.', '?', '#', '%', '%25', '%252525', '%2e%2e', '%00', 'a', 'index.html', '=',
  '&', ';', '@', ':', '\\', '\xc3\xa9', '\t', ' ', '%E2%80%AE', '__', '-3A_',
]

export function link(dice: Dice): string {
  const user = dice.pick(['', '', '', 'a@', 'example.com:80@', 'u:p@', '@@'])
  const port = dice.pick(['', '', '', ':', ':80', ':99999999', ':x'])
  const path = repeated(dice.count(1_500), () => dice.pick(PATH_PIECES))
  const plain = dice.pick(SCHEMES) + user + dice.pick(HOSTS) + port + path
  return dice.chance(0.2) ? wrapped(dice, plain) : plain
}

/** A link in a link, a few times over. */
function wrapped(dice: Dice, href: string): string {
  let inner = href
  for (let times = dice.count(40); times >= 0; times--) {
    const target = dice.make([
      () => inner,
      () => escaped(inner.slice(0, 2_000), '%'),
      () => base64(inner),
      () => inner.replaceAll('/', '_').replaceAll(':', '-3A'),
    ])
    inner = dice.pick(WRAPPERS) + target.slice(0, 20_000)
  }
  return inner
}
