/** Bombs of plain text: encodings, charsets, words, links. */
import { btoaLines } from './base64.ts'
import { many, numbered } from './sizes.ts'
import type { Bomb } from './structure.ts'

const HEADER = 'From: a@example.com\nSubject: x\n'

/** One text of `unit` under these fields. */
function text(unit: string, fields = ''): Bomb {
  return (bytes) => `${HEADER}${fields}\n${many(unit, bytes)}\n`
}

function inCharset(charset: string, unit: string): Bomb {
  return text(unit, `Content-Type: text/plain; charset=${charset}\n`)
}

function inEncoding(encoding: string, unit: string): Bomb {
  return text(unit, `Content-Transfer-Encoding: ${encoding}\n`)
}

function utf8(unit: string): Bomb {
  return inCharset('utf-8', Buffer.from(unit).toString('latin1'))
}

function counted(write: (number: number) => string): Bomb {
  return (bytes) => `${HEADER}\n${numbered(bytes, write)}\n`
}

export const TEXT_BOMBS: Readonly<Record<string, Bomb>> = {
  'one word': text('a'),
  words: text('word '),
  'words of their own': counted((number) => `w${number.toString(36)} `),
  'words of one letter': text('a '),
  'words of services': text('paypal account '),
  phrases: text('order number 12345 invoice total $1,000,000 unsubscribe '),
  'currency signs': text('$'),
  prices: text('$1'),
  'prices of many digits': text('$1,000,000.00 '),
  'order numbers': text('order '),
  'code words': text('your verification code '),
  digits: text('1'),
  'digits and spaces': text('1 '),
  'digits and dashes': text('1-'),
  'white space': text(' '),
  'empty lines': text('\n'),
  'lines of white space': text(' \n'),
  'spaces and no-break spaces': utf8(' \u00a0'),
  'lines of one letter': text('a\n'),
  'quoted lines': text('> a\n'),
  'quotation marks': text('>'),
  'quotation marks and spaces': text('> '),
  'lines that quote': text('Ann wrote:\n'),
  'heads of quoted messages': text('Sent: x\nTo: y\n'),
  'rules of original messages': text('-----Original Message-----\n'),
  'rules of dashes': text('----------\n'),
  patches: text('@@ -1,1 +1,1 @@\n'),
  'openings of patches': text('\n@@ -'),
  'at signs': text('@'),
  'hosts with paths': text('a.zz/ '),
  'hosts without paths': text('example.com '),
  'slashes after letters': text('a/'),
  calendars: text('a\n \\n', 'Content-Type: text/calendar\n'),
  addresses: text('a@example.com '),
  'address beginnings': text('a.b-c+'),
  'address beginnings and at signs': text('aaaaaaaaaaaaaaaa@'),
  links: text('http://example.com/ '),
  'links of their own': counted((number) => `http://w${number}.example.com/ `),
  'links without an end': text('http://'),
  'links of www': text('www.'),
  'one long link': (bytes) => `${HEADER}\nhttp://example.com/${many('a', bytes)}\n`,
  'one link of brackets': (bytes) => `${HEADER}\nhttp://example.com/${many('()', bytes)}\n`,
  'one link of closing brackets': (bytes) => `${HEADER}\nhttp://example.com/${many(')', bytes)}\n`,
  'links of closing brackets': text(`http://example.com/${')'.repeat(3_000)} `),
  'links of escapes': text(`http://example.com/${'%25'.repeat(1_300)} `),
  'links of escaped escapes': text(`http://example.com/${'%2525'.repeat(800)} `),
  'links of dots': text(`http://${'a.'.repeat(2_000)}example.com/ `),
  'links of deep hosts': counted((number) => `http://${'a.'.repeat(60)}${number}.example.com/ `),
  'links of long hosts': counted((number) => `http://${'a'.repeat(60)}${number}.example.com/ `),
  'links of brand names': counted((number) => `http://paypa1-${number}.example.com/ `),
  'links of folders': text(`http://example.com/${'a/'.repeat(2_000)} `),
  'links of parent folders': text(`http://example.com/${'../'.repeat(1_300)} `),
  'links of users': text(`http://${'a@'.repeat(2_000)}example.com/ `),
  'links of parameters': text(`http://example.com/?${'a=http%3A//&'.repeat(340)} `),
  'links of queries': text(`http://example.com/?${'?&'.repeat(2_000)} `),
  'links of punycode': counted((number) => `http://xn--${number}-9za.example.com/ `),
  'links of Unicode hosts': (bytes) =>
    `${HEADER}Content-Type: text/plain; charset=utf-8\n\n${numbered(bytes, (number) => `http://\xc3\xa9${number}.example.com/ `)}`,
  'links of numbers': counted((number) => `http://0x7f.1.${number}/ `),
  'links in Safe Links': counted(
    (number) =>
      `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(encodeURIComponent(`https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(`http://w${number}.example.com/`)}`))} `,
  ),
  'links in URL Defense': counted(
    (number) =>
      `https://urldefense.com/v3/__http://w${number}.example.com/${'*'.repeat(1_000)}__;Kioq!!a `,
  ),
  'links in URL Defense without an end': text(`https://urldefense.com/v3/__${'_'.repeat(4_000)} `),
  'links in Google': counted(
    (number) =>
      `https://www.google.com/url?q=https://www.google.com/url?q=http://w${number}.example.com/ `,
  ),
  'links with ports': text('http://example.com:99999/ '),
  'links of backslashes': text('http:\\\\example.com\\ '),
  'mathematical letters': utf8('\u{1d400}'),
  ligatures: utf8('\ufdfa'),
  emoji: utf8('\u{1f600}'),
  'combining marks': utf8('\u0301'),
  'combining marks out of order': utf8('\u0315\u0300\u05ae\u0301'),
  'combining marks of half width out of order': utf8('\u0315\uff9e'),
  'letters with combining marks': utf8('a\u0301\u0323'),
  'Hangul letters': utf8('\u1100\u1161\u11a8'),
  Chinese: utf8('\u4e2d\u6587'),
  Thai: utf8('\u0e01\u0e33'),
  Arabic: utf8('\u0645\u0631 '),
  'Cyrillic letters in Latin words': utf8('p\u0430ypal '),
  'one long word of two alphabets': utf8('a\u0430'),
  'zero-width spaces': utf8('\u200b'),
  'letters and zero-width spaces': utf8('a\u200b'),
  'marks of direction': utf8('\u202e\u202c'),
  'soft hyphens': utf8('a\u00ad'),
  'variation selectors': utf8('a\ufe0f'),
  'tag characters': utf8('\u{e0061}'),
  'dots above capitals': utf8('\u0130'),
  'small sharp s': utf8('\ufb03\u1e9e'),
  'replacement characters': utf8('\ufffd'),
  'broken UTF-8': inCharset('utf-8', '\xe2\x82'),
  'overlong UTF-8': inCharset('utf-8', '\xf0\x80\x80\x80'),
  'UTF-7 shifts': inCharset('utf-7', '+-+'),
  'UTF-7 runs': inCharset('utf-7', '+AOk-'),
  'one UTF-7 run': inCharset('utf-7', 'A'),
  'HZ shifts': inCharset('hz-gb-2312', '~{~}'),
  'HZ text': inCharset('hz-gb-2312', '~{<:Ky~}'),
  'ISO-2022-KR shifts': inCharset('iso-2022-kr', '\x0e!\x0f'),
  'ISO-2022-JP escapes': inCharset('iso-2022-jp', '\x1b$B\x1b(B'),
  'ISO-2022-JP escapes before escapes': inCharset('iso-2022-jp', '\x1b(B\x1b(J'),
  'ISO-2022-JP text': inCharset('iso-2022-jp', '\x1b$B$"\x1b(B'),
  'GB 18030 text': inCharset('gb18030', '\x81\x30\x81\x30'),
  'Shift_JIS text': inCharset('shift_jis', '\x82\xa0'),
  'UTF-16': inCharset('utf-16le', 'a\0'),
  'UTF-16 of ones': inCharset('utf-16', '\xd8\x01'),
  'UTF-32': inCharset('utf-32', 'a\0\0\0'),
  'code page 437': inCharset('cp437', '\x80\x81'),
  'an unknown charset': inCharset('x-none', '\xe9'),
  'an unknown charset of two bytes': inCharset('x-none', '\xc4\xe3\xba\xc3'),
  'no charset': text('\xc4\xe3a'),
  'broken UTF-8 of no charset': text('\xe2\x82'),
  'ISO-2022-JP escapes of no charset': text('\x1b$B\x1b(B'),
  'escapes of no charset': text('\x1b'),
  'ISO-2022-JP shifts': inCharset('iso-2022-jp', '\x0e1\x0f'),
  'JIS X 0212': inCharset('iso-2022-jp', '\x1b$(D00\x1b(B'),
  'UTF-16 of no charset': text('a\0'),
  'NUL bytes': text('\0'),
  'carriage returns': text('\r'),
  'carriage returns and letters': text('a\r'),
  'control characters': text('\x01\x02'),
  'escapes of quoted-printable': inEncoding('quoted-printable', '=41'),
  'soft line breaks': inEncoding('quoted-printable', '=\n'),
  'equals signs in quoted-printable': inEncoding('quoted-printable', '='),
  'white space in quoted-printable': inEncoding('quoted-printable', '=   '),
  'blank lines in quoted-printable': inEncoding('quoted-printable', '   \n'),
  'white space before line ends in quoted-printable': (bytes) =>
    `${HEADER}Content-Transfer-Encoding: quoted-printable\n\n${many(' ', bytes / 2)}\n${many('\t ', bytes / 2)}`,
  base64: (bytes) =>
    `${HEADER}Content-Transfer-Encoding: base64\n\n${btoaLines(many('words ', bytes * 0.7))}`,
  'padding in base64': inEncoding('base64', 'A='),
  'padding of its own in base64': inEncoding('base64', 'YQ=='),
  'base64 and what is none': inEncoding('base64', 'YWJj!'),
  'base64 of binary': inEncoding('base64', '/9j/4AAQ'),
  'uuencoded lines': (bytes) =>
    `${HEADER}Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n${many('M\n', bytes)}`,
  'uuencoded beginnings': inEncoding('x-uuencode', 'begin \n'),
  'uuencoded text': inEncoding('x-uuencode', '#0V%T\n'),
  'files in a text': text('begin 644 a\n#0V%T\nend\n'),
  'beginnings of files in a text': text('begin 644 a\n'),
  'ends of files in a text': text('begin 644 a\nend\n=ybegin line=1 name=a\n=yend\n====\n'),
  'a file in a text': (bytes) => `${HEADER}\nbegin 644 a\n${many('M\n', bytes)}`,
  'a file in yEnc': (bytes) => `${HEADER}\n=ybegin line=1 name=a\n${many('=y\n', bytes)}`,
  'flowed text': text('a \n', 'Content-Type: text/plain; format=flowed\n'),
  'flowed quotation marks': text('> > >  \n', 'Content-Type: text/plain; format=flowed\n'),
  'flowed quotation marks in turn': text(
    '>a \n>>a \n',
    'Content-Type: text/plain; format=flowed; delsp=yes\n',
  ),
  'one flowed line of quotation marks': text('>', 'Content-Type: text/plain; format=flowed\n'),
  signatures: text('-- \n'),
  footers: text('unsubscribe\n'),
  'functions of languages': text('the and of to in der die das le la el '),
  capitals: text('FREE MONEY '),
  'alternating capitals': text('aB'),
  punctuation: text('!?.,;:'),
  'bitcoin addresses': text('bitcoin 1A1zP1eP5QGefi2DMPTfTL5SLmv7Divfx '),
  'hexadecimal digits': text('bitcoin 0x'),
}
