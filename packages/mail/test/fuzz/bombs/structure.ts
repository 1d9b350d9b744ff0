/** Bombs of MIME structure: parts, boundaries, nesting, encodings of bodies. */
import { btoaLines } from './base64.ts'
import { many, numbered, times } from './sizes.ts'

/** A message of about so many bytes, one code unit a byte. */
export type Bomb = (bytes: number) => string

const LEVELS = 32

function multipart(body: string, boundary = 'b'): string {
  return `From: a@example.com\nContent-Type: multipart/mixed; boundary="${boundary}"\n\n${body}`
}

function repeated(unit: string): Bomb {
  return (bytes) => multipart(many(unit, bytes))
}

/** Every boundary of so many open multiparts, and then `unit`. */
function insideOpen(boundary: (level: number) => string, unit: string): Bomb {
  return (bytes) => {
    const opening = times(
      Math.min(LEVELS, Math.ceil(bytes / 300)),
      (level) =>
        `Content-Type: multipart/mixed; boundary="${boundary(level)}"\n\n--${boundary(level)}\n`,
    )
    return `From: a@example.com\n${opening}\n${many(unit, bytes - opening.length)}`
  }
}

/** Four Content-Type fields to a part, each with a boundary of its own, as deep as it goes. */
function manyBoundaries(boundary: (number: number) => string, unit: string): Bomb {
  return (bytes) => {
    const levels = Math.min(LEVELS, Math.ceil(bytes / 1_000))
    const opening = times(levels, (level) => {
      const fields = times(
        4,
        (field) => `Content-Type: multipart/mixed; boundary="${boundary(4 * level + field)}"\n`,
      )
      return `${fields}\n--${boundary(4 * level)}\n`
    })
    return `From: a@example.com\n${opening}\n${many(unit, Math.max(0, bytes - opening.length))}`
  }
}

/** `levels` messages, each encoded in the one around it. */
function encodedIn(innermost: string, levels: number): string {
  return times(1, () => {
    let message = innermost
    for (let level = 0; level < levels; level++) {
      message = `Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${btoaLines(message)}`
    }
    return `From: a@example.com\n${message}`
  })
}

const READINGS = [
  'Content-Type: text/html; charset=utf-8',
  'Content-Type: text/html; charset=iso-2022-jp',
  'Content-Type: text/html; charset=koi8-r',
  'Content-Type: text/html; charset=shift_jis',
  'Content-Transfer-Encoding: quoted-printable',
  'Content-Transfer-Encoding: 8bit',
].join('\n')

/** A short page with a style sheet of every kind of selector, its text in no charset of ASCII. */
const STYLED_PAGE =
  '<style>.a{color:red}.b .c{display:none}p>a{color:#fff}</style><p class=a>\xe9=41 words <b class=c>here</b>'

/** The same parts with a Content-Type field each, or with eight readings. */
export const STYLED_PARTS: Readonly<Record<'once' | 'in eight readings', Bomb>> = {
  once: repeated(`--b\nContent-Type: text/html\n\n${STYLED_PAGE}\n`),
  'in eight readings': repeated(`--b\n${READINGS}\n\n${STYLED_PAGE}\n`),
}

/** Parts of about two thousand bytes of HTML: as much as is read of each when there are a thousand. */
function pages(markup: string, before = '', after = ''): Bomb {
  const page = `${before}${many(markup, 1_800)}${after}`
  return repeated(`--b\nContent-Type: text/html\n\n${page}\n`)
}

export const STRUCTURE_BOMBS: Readonly<Record<string, Bomb>> = {
  'boundaries inside lines': repeated('x --b\n'),
  'boundaries inside lines, an empty line behind': repeated('x --b\n\n'),
  'boundaries inside lines, each part of one field': repeated('x --b\nA:\n'),
  'boundaries inside lines, long lines between': repeated(`x --b\n${'y'.repeat(60)}\n`),
  'boundaries inside lines, one long field at the end': (bytes) =>
    multipart(many('x --b\n', Math.min(bytes / 2, 7_000)) + many('A: =?utf-8?Q?a?=\n', bytes / 2)),
  'boundaries inside lines before HTML': (bytes) =>
    multipart(
      many('x --b\nContent-Type: text/html\n\n', Math.min(bytes / 2, 30_000)) +
        many('<p class=a>', bytes / 2),
    ),
  'boundaries inside lines before text': (bytes) =>
    multipart(many('x --b\n\n', Math.min(bytes / 2, 7_000)) + many('word ', bytes / 2)),
  'boundaries in folded fields': repeated('--b\nA: x\n --b\n'),
  'boundaries with text behind': repeated('--b x\n'),
  'boundaries with text behind, fields between': repeated('--b x\nA: b\n'),
  'boundaries with text behind and 8-bit fields': repeated('--b x\nA: \xe9\n'),
  'final boundaries inside lines': repeated('x --b--\n'),
  'exact and inexact boundaries in turn': repeated('--b\nx --b\n'),
  'inexact boundaries of nested multiparts': insideOpen((level) => `b${level}`, 'x --b0\nx --b9\n'),
  'parts inside lines that open multiparts': (bytes) =>
    multipart(
      numbered(
        bytes,
        (number) => `x --b\nContent-Type: multipart/mixed; boundary=c${number}\n\n--c${number}\n\n`,
      ),
    ),
  'empty parts': repeated('--b\n'),
  'parts of an empty header': repeated('--b\n\n'),
  'parts of one letter': repeated('--b\n\nx\n'),
  'parts of words': repeated('--b\n\nsome words of a text\n'),
  'parts of HTML': repeated('--b\nContent-Type: text/html\n\n<p>some words\n'),
  'parts of a link': repeated('--b\nContent-Type: text/html\n\n<a href=http://example.com>x</a>\n'),
  'parts that are attachments': repeated('--b\nContent-Disposition: attachment\n\nx\n'),
  'parts of a thousand bytes': repeated(`--b\n\n${'some words '.repeat(90)}\n`),
  'parts of a hundred thousand bytes': repeated(`--b\n\n${'some words '.repeat(9_000)}\n`),
  'HTML parts of a hundred thousand bytes': repeated(
    `--b\nContent-Type: text/html\n\n${'<td class=a>some'.repeat(6_000)}\n`,
  ),
  'alternatives of a hundred thousand bytes': (bytes) =>
    `Content-Type: multipart/alternative; boundary=b\n\n${many(`--b\nContent-Type: text/html\n\n${'<td class=a>some'.repeat(6_000)}\n`, bytes)}`,
  'parts of 256 fields': repeated(`--b\n${'A:\n'.repeat(256)}\n`),
  'parts of 2,000 fields': repeated(`--b\n${'A:\n'.repeat(2_000)}\n`),
  'parts of fields with encoded words': repeated(`--b\n${'A:=?x?Q?a?=\n'.repeat(256)}\n`),
  'parts of fields with 8-bit text': repeated(`--b\n${'A:\xe9\n'.repeat(256)}\n`),
  'parts of a long field': repeated(`--b\nA: ${'x'.repeat(10_000)}\n\n`),
  'parts of a header without an end': repeated('--b\nA: b\nC: d\n'),
  'parts of lines without a colon': repeated('--b\nx\ny\n'),
  'parts of one line without a colon, then fields': repeated('--b\nx\nA: b\n'),
  'parts of many Content-Type fields': repeated(
    `--b\n${'Content-Type: text/plain; a=b\n'.repeat(100)}\nx\n`,
  ),
  'parts of many transfer encodings': repeated(
    `--b\n${'Content-Transfer-Encoding: base64\n'.repeat(100)}\nx\n`,
  ),
  'parts of many parameters': repeated(`--b\nContent-Type: text/plain${';a=b'.repeat(500)}\n\nx\n`),
  'parts of continued parameters': repeated(
    `--b\nContent-Type: text/plain${times(64, (number) => `;n*${number}*=%41`)}\n\nx\n`,
  ),
  'parts of differently continued parameters': repeated(
    `--b\nContent-Type: text/plain${times(64, (number) => `;n${number}*0*=%41`)}\n\nx\n`,
  ),
  'preamble without parts': repeated('words and words\n'),
  'lines of dashes': repeated('----------\n'),
  'two dashes to a line': repeated('--\n'),
  'two dashes and a space': repeated('-- '),
  'one run of dashes': repeated('-'),
  'a boundary of dashes': (bytes) => multipart(many('--\n---\n----\n-----\n', bytes), '--'),
  'a boundary of one dash in a line of dashes': (bytes) => multipart(many('-', bytes), '-'),
  'an empty boundary': (bytes) => multipart(many('--\n\nx\n', bytes), ''),
  'a boundary of one space': (bytes) => multipart(many('-- \n\nx\n', bytes), ' '),
  'a boundary of 16,000 characters': (bytes) =>
    multipart(
      many(`--${'b'.repeat(256)}\n`, bytes / 2),
      'b'.repeat(Math.max(1, Math.min(16_000, bytes / 2))),
    ),
  'a boundary that repeats itself': (bytes) =>
    multipart(many('--a', bytes - 250), '--a'.repeat(80)),
  'a boundary that repeats itself, in lines': (bytes) =>
    multipart(many(`${'--a'.repeat(79)}\n`, bytes - 250), '--a'.repeat(80)),
  'boundaries that begin each other': insideOpen((level) => 'b'.repeat(level + 1), '--b\n'),
  'boundaries that begin each other, and a line longer than all': insideOpen(
    (level) => 'b'.repeat(level + 1),
    `--${'b'.repeat(LEVELS + 1)}x\n`,
  ),
  'boundaries that begin each other, inside lines': insideOpen(
    (level) => 'b'.repeat(level + 1),
    'x --b\n',
  ),
  'boundaries that end each other': insideOpen(
    (level) => `${'x'.repeat(level)}b`,
    `--${'x'.repeat(LEVELS)}y\n`,
  ),
  'boundaries that repeat each other': insideOpen((level) => `a${'--a'.repeat(level)}`, '--a--a--'),
  'a hundred boundaries that begin each other': manyBoundaries(
    (number) => 'b'.repeat(number + 1),
    '--x',
  ),
  'a hundred boundaries that end alike': manyBoundaries(
    (number) => `${String.fromCharCode(0x21 + (number % 90))}${number}b`.replaceAll('"', 'q'),
    '--b',
  ),
  'a hundred boundaries that end alike, in lines': manyBoundaries(
    (number) => `${number}b`,
    '--b\n',
  ),
  'a hundred boundaries of two letters': manyBoundaries(
    (number) => `${String.fromCharCode(0x30 + (number % 70))}b`,
    '--\x7fb\n',
  ),
  'a hundred boundaries of three letters': manyBoundaries(
    (number) => `a${String.fromCharCode(0x30 + (number % 70))}b`,
    '--a\x7fb\n',
  ),
  'a hundred boundaries of one letter': manyBoundaries(
    (number) => String.fromCharCode(0x30 + (number % 70)),
    '--\x7f\n',
  ),
  'a hundred boundaries that repeat each other': manyBoundaries(
    (number) => `a${'--a'.repeat(number % 80)}`,
    '--a',
  ),
  'a hundred boundaries that repeat each other, in lines': manyBoundaries(
    (number) => `a${'--a'.repeat(number % 80)}`,
    `${'--a'.repeat(80)}x\n`,
  ),
  'boundaries with spaces to the end of the line': repeated(`--b${' '.repeat(2_000)}x\n`),
  'spaces behind dashes': repeated(`--${' '.repeat(500)}`),
  'nested messages': (bytes) =>
    `From: a@example.com\n${many('Content-Type: message/rfc822\n\n', bytes)}`,
  'nested messages around a text': (bytes) =>
    `From: a@example.com\n${'Content-Type: message/rfc822\n\n'.repeat(31)}\n${many('word ', bytes)}`,
  'nested messages in parts': repeated('--b\nContent-Type: message/rfc822\n\nSubject: x\n\ny\n'),
  'nested multiparts': (bytes) =>
    `From: a@example.com\n${numbered(bytes, (number) => `Content-Type: multipart/mixed; boundary=b${number}\n\n--b${number}\n`)}`,
  'nested multiparts of one boundary': (bytes) =>
    `From: a@example.com\n${many('Content-Type: multipart/mixed; boundary=b\n\n--b\n', bytes)}`,
  'nested alternatives around HTML': (bytes) =>
    `From: a@example.com\n${times(20, (level) => `Content-Type: multipart/alternative; boundary=b${level}\n\n--b${level}\nContent-Type: text/plain\n\nwords\n--b${level}\n`)}Content-Type: text/html\n\n${many('<p>word', bytes)}`,
  'a message in base64 in a message in base64': (bytes) =>
    encodedIn(`Subject: x\n\n${many('word ', bytes * 0.2)}`, 5),
  'a multipart in base64 in a message in base64': (bytes) =>
    encodedIn(multipart(many('--b\n\nx\n', bytes * 0.2)), 5),
  'messages in base64': (bytes) =>
    multipart(
      many(
        `--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${btoaLines('Subject: x\n\nwords')}\n`,
        bytes,
      ),
    ),
  'a multipart in base64': (bytes) =>
    `Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n${btoaLines(many('--b\n\nx\n', bytes * 0.7))}`,
  'a multipart in base64 with boundaries inside lines': (bytes) =>
    `Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n${btoaLines(many('x --b\n', bytes * 0.7))}`,
  'messages said to be in base64 that are not': (bytes) =>
    `From: a@example.com\n${'Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n'.repeat(Math.min(31, Math.ceil(bytes / 140)))}${many('some words\n', bytes / 2)}`,
  'messages said to be in quoted-printable that are not': (bytes) =>
    `From: a@example.com\n${'Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n'.repeat(Math.min(31, Math.ceil(bytes / 140)))}${many('a\n=\n', bytes / 2)}`,
  'multiparts said to be in base64 that are not': (bytes) =>
    `From: a@example.com\n${times(Math.min(31, Math.ceil(bytes / 200)), (level) => `Content-Type: multipart/mixed; boundary=b${level}\nContent-Transfer-Encoding: base64\n\n`)}${many('some words\n', bytes / 2)}`,
  'a message in uuencode': (bytes) =>
    `Content-Type: message/rfc822\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n${many('M\n', bytes)}`,
  'eight readings of one HTML body': (bytes) => `${READINGS}\n\n${many('<p>\xe9=41 word', bytes)}`,
  'eight readings of each part': repeated(`--b\n${READINGS}\n\n<p>\xe9=41 word\n`),
  'eight readings of each part, with a style sheet': STYLED_PARTS['in eight readings'],
  'eight readings of each part, its style sheet behind': repeated(
    `--b\n${READINGS}\n\n<p class=a>\xe9=41 word<style>.a{color:red}.b .c{display:none}</style>\n`,
  ),
  'parts of style sheets': pages('<style>.a{color:red}</style>', '', '<p class=a>a'),
  'parts of rules': pages('.a .b{display:none}', '<style>', '</style><p class=b>a'),
  'parts of selectors': pages('p a,', '<style>', '{display:none}</style><p><a>a'),
  'parts of elements that selectors may match': pages(
    '<p title=x>a',
    `<style>${times(20, (number) => `p [title=x${number}]{display:none}`)}</style>`,
  ),
  'parts of style sheets behind text': pages('<p class=a>a', 'a<style>.a{color:red}</style>'),
  'parts of formatting around paragraphs': pages('<b><p>'),
  'parts of padding in base64': repeated(
    `--b\nContent-Transfer-Encoding: base64\n\n${'A='.repeat(900)}\n`,
  ),
  'messages that are not encoded as they say, in each other': (bytes) => {
    const levels = times(
      Math.min(LEVELS / 2, Math.ceil(bytes / 1_000)),
      (level) =>
        `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n` +
        'Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n',
    )
    return `From: a@example.com\n${levels}${many('--\n', Math.max(1, bytes - levels.length))}`
  },
  'carriage returns alone': (bytes) =>
    `From: a@example.com\rContent-Type: multipart/mixed; boundary=b\r\r${many('--b\r\rx\r', bytes)}`,
  'carriage returns within boundaries': repeated('--b\rx\n'),
  'carriage returns behind dashes': repeated('--\r'),
  'a digest of messages': (bytes) =>
    `Content-Type: multipart/digest; boundary=b\n\n${many('--b\n\nSubject: x\n\ny\n', bytes)}`,
  'text after the end': (bytes) => multipart(`--b\n\nx\n--b--\n${many('--b\n\nx\n', bytes)}`),
  'white space after the end': (bytes) => multipart(`--b\n\nx\n--b--\n${many(' \n', bytes)}`),
  'a report of fields': (bytes) =>
    `Content-Type: multipart/report; boundary=b\n\n${many('--b\nContent-Type: message/delivery-status\n\nAction: failed\n', bytes)}`,
}
