/** Bombs of header fields: their number and length, encoded words, parameters, addresses. */
import { many, numbered, times } from './sizes.ts'
import type { Bomb } from './structure.ts'

/** The header alone is the bomb. */
function header(unit: string): Bomb {
  return (bytes) => `From: a@example.com\n${many(unit, bytes)}\nx`
}

/** One field of that name, its body made of `unit`. */
function field(name: string, unit: string, before = '', after = ''): Bomb {
  return (bytes) => `${name}: ${before}${many(unit, bytes)}${after}\nSubject: x\n\nx`
}

/** One field of that name, its body what `write` gives for 0, 1, 2 … */
function counted(name: string, before: string, write: (number: number) => string): Bomb {
  return (bytes) => `${name}: ${before}${numbered(bytes, write)}\n\nx`
}

const ADDRESS_UNITS = [
  '(',
  '(a)',
  '"',
  '<',
  '\\',
  '"\\"',
  '<a,',
  'a@b,',
  'a@example.com, ',
  '"A, B" <a@example.com>, ',
  ':',
  ';',
  'g: a@example.com;',
  'g:;',
  '@',
  '<>',
  ' . ',
  '=?utf-8?Q?a@example.com?=,',
  '=?utf-8?Q?=22?=',
  '=?utf-8?Q?=3Ca@b=3E=2C?= ',
  'a"b"',
  '<@a:',
  '>',
  '((',
  '()<>',
  'a@b ',
  'a@b. ',
  '"@ ',
  '<a@b@',
  '<a@b/',
]

const addressBombs: Record<string, Bomb> = {}
for (const unit of ADDRESS_UNITS) {
  for (const name of ['From', 'To']) {
    addressBombs[`${name} of ${JSON.stringify(unit)}`] = field(name, unit)
  }
}

/** What domains are made of, UTF-8 as one code unit a byte. */
const DOMAIN_UNITS = {
  letters: 'a',
  labels: 'a.',
  dots: '.',
  dashes: '-',
  punycode: 'xn--a-',
  'punycode labels': 'xn--9ca.',
  accents: 'é',
  'full-width letters': 'ａ',
  'ideographic stops': 'a。',
  marks: '\u0315\u0300\u05ae\u0301',
  ligatures: '\ufdfa',
  'soft hyphens': '\u00ad',
  'marks and soft hyphens': '\u0315\u00ad\u0300\u00ad',
}

/** Where a domain of `unit` may stand: the field, and what is before and after it. */
const DOMAIN_PLACES = {
  'From domain': ['From', 'A <a@', 'x.example>'],
  'To domain': ['From: a@example.com\nTo', 'a@', 'x.example'],
  'display name': ['From', 'www.', '.example <a@example.com>'],
  'Message-ID': ['From: a@example.com\nMessage-ID', '<a@', '.example>'],
  'List-Id': ['From: a@example.com\nList-Id', '<a.', '.example>'],
  'List-Unsubscribe': ['From: a@example.com\nList-Unsubscribe', '<http://a', '.example/>'],
  'Received name': ['From: a@example.com\nReceived', 'from a', '.example by b'],
  'DKIM domain': ['From: a@example.com\nDKIM-Signature', 'v=1; d=a', '.example; s=a'],
} as const

const domainBombs: Record<string, Bomb> = {}
for (const [name, unit] of Object.entries(DOMAIN_UNITS)) {
  const bytes = Buffer.from(unit).toString('latin1')
  for (const [place, [fieldName, before, after]] of Object.entries(DOMAIN_PLACES)) {
    domainBombs[`a ${place} of ${name}`] = field(fieldName, bytes, before, after)
  }
}

export const FIELD_BOMBS: Readonly<Record<string, Bomb>> = {
  'fields of one letter': header('A:\n'),
  'lines without a colon': header('a\n'),
  'one line without a colon, then fields': header('a\nA:\n'),
  'colons alone': header(':\n'),
  'continuation lines': header(' a\n'),
  'continuation lines of white space': header(' \n'),
  'From lines of mailboxes': header('From a\n'),
  'lines of dashes in the header': header('--a\n'),
  'delimiters of its own in the header': (bytes) =>
    `Content-Type: multipart/mixed; boundary=b\n${many('--a\n', bytes)}\nx`,
  'delimiters of its own in a header of Content-Type fields': (bytes) =>
    `${many(`Content-Type: x; boundary=${'b'.repeat(200)}\n--${'b'.repeat(190)}a\nX: y\n`, bytes)}\nx`,
  'a field name without an end': (bytes) => `From: a@example.com\n${many('a', bytes)}: b\n\nx`,
  'carriage returns in the header': field('Subject', '\r'),
  'NUL bytes in the header': field('Subject', '\0'),
  'a header without an end': (bytes) => `Subject: x\nX: ${many('y', bytes)}`,
  'a header of 8-bit fields': header('A: \xe9\n'),
  'a header of encoded words': header('A: =?utf-8?Q?=E9?=\n'),
  'a header of Content-Type fields': header('Content-Type: text/html; charset=utf-8\n'),
  'Received fields': header(
    'Received: from a.example.com (192.0.2.1) by b.example.com; Mon, 1 Jun 2026 12:00:00 +0000\n',
  ),
  'one long Received field': field('Received', 'from a.example.com by b.example.com (helo=x) '),
  'a Received field of digits': field('Received', '1-', 'from ', '.example.com'),
  'a Received field of white space': field('Received', ' ', 'from a', '; x'),
  'DKIM-Signature fields': header('DKIM-Signature: v=1; d=example.com; s=a; b=AAAA; t=1\n'),
  'one long DKIM-Signature': field('DKIM-Signature', ' a=b;'),
  'one DKIM-Signature of white space': field('DKIM-Signature', ' ', 'v=1; d=example.com;', 'd'),
  'Authentication-Results fields': header('Authentication-Results: a.example.com; spf=pass\n'),
  'one long Authentication-Results': field(
    'Authentication-Results',
    ' spf=pass (a) smtp.a=b;',
    'x;',
  ),
  'To fields': header('To: a@example.com, b@example.com\n'),
  'From fields': header('From: a@example.com, b@example.com\n'),
  references: field('References', '<a@example.com> '),
  'references without an end': field('References', '<'),
  'references of brackets': field('References', '<<>>'),
  'In-Reply-To of white space': field('In-Reply-To', ' ', 'a', 'b'),
  'a Message-ID of dots': field('Message-ID', '.', '<a@', 'x>'),
  'a Message-ID of letters': field('Message-ID', 'a', '<', '@example.com>'),
  'a Message-ID of labels': field('Message-ID', 'a.', '<a@', 'com>'),
  'a List-Id of brackets': field('List-Id', '<a'),
  'a List-Unsubscribe of links': field('List-Unsubscribe', '<http://example.com/>, '),
  'a List-Unsubscribe of openings': field('List-Unsubscribe', 'http:'),
  'a Date of digits': field('Date', '1 '),
  'a Date of comments': field('Date', '(', '1 Jun 2026 12:00:00 +0000 '),
  'a Date of white space': field('Date', ' ', '1 Jun', '2026'),
  'an X-Mailer of letters': field('X-Mailer', 'a'),
  'a subject of letters': field('Subject', 'a'),
  'a subject of words': field('Subject', 'free '),
  'a subject of marks': field('Subject', 'Re: '),
  'a subject of brackets': field('Subject', '[a] '),
  'a subject of white space': field('Subject', ' ', 'a', 'b'),
  'a subject of exclamation marks': field('Subject', '!'),
  'a subject of 8-bit text': field('Subject', '\xe9'),
  'a subject of UTF-8': field('Subject', '\xf0\x9f\x98\x80'),
  'a subject of combining marks': field('Subject', '\xcc\x81', 'a'),
  'encoded words': field('Subject', '=?utf-8?Q?a?= '),
  'encoded words of one letter in base64': field('Subject', '=?utf-8?B?YQ==?= '),
  'encoded words in turn': field('Subject', '=?utf-8?Q?a?= =?koi8-r?B?YQ==?= '),
  'openings of encoded words': field('Subject', '=?a?Q?'),
  'openings of encoded words without encoding': field('Subject', '=?'),
  'openings of encoded words, of a long charset': field('Subject', `=?${'a'.repeat(62)}?`),
  'ends of encoded words': field('Subject', '?='),
  'encoded words of unknown charsets': counted('Subject', '', (number) => `=?c${number}?Q?=E9?= `),
  'encoded words of known charsets': counted(
    'Subject',
    '',
    (number) => `=?iso-8859-${1 + (number % 15)}?Q?=E9?= `,
  ),
  'one encoded word without an end': field('Subject', 'aaaa', '=?utf-8?B?', '?='),
  'one encoded word of escapes': field('Subject', '=E9', '=?koi8-r?Q?', '?='),
  'encoded words of ISO-2022-JP': field('Subject', '=?iso-2022-jp?B?GyRCJCIbKEI=?= '),
  'encoded words of UTF-7': field('Subject', '=?utf-7?Q?+AOk-?= '),
  'fields of encoded words of unknown charsets': (bytes) =>
    `From: a@example.com\n${numbered(bytes, (number) => `A: =?c${number}?Q?=E9?=\n`)}\nx`,
  'headers of many encoded words of unknown charsets': (bytes) => {
    const fields = (from: number, size: number) =>
      numbered(
        size,
        (number) =>
          `A: ${times(40, (word) => `=?c${(from + number).toString(36)}${word}?Q?=E9?=x`)}\n`,
      )
    const parts = numbered(
      bytes - Math.min(bytes / 2, 500_000),
      (number) => `--b\n${fields(1_000 * number, 20_000)}\nx\n`,
    )
    return `Content-Type: multipart/mixed; boundary=b\n${fields(0, Math.min(bytes / 2, 500_000))}\n${parts}`
  },
  'headers of many encoded words of letters in unknown charsets': (bytes) => {
    const fields = (from: number, size: number) =>
      numbered(
        size,
        (number) =>
          `A: ${times(40, (word) => `=?c${(from + number).toString(36)}${word}?Q?=C4=E3=BA=C3?=x`)}\n`,
      )
    const parts = numbered(
      bytes - Math.min(bytes / 2, 500_000),
      (number) => `--b\n${fields(1_000 * number, 20_000)}\nx\n`,
    )
    return `Content-Type: multipart/mixed; boundary=b\n${fields(0, Math.min(bytes / 2, 500_000))}\n${parts}`
  },
  'parameters of unknown charsets': (bytes) =>
    `Content-Type: multipart/mixed; boundary=b\n\n${numbered(
      bytes,
      (part) =>
        `--b\nContent-Type: text/plain${times(64, (number) => `;n${number}*=x${part}${number}''%E9`)}\n\nx\n`,
    )}`,
  'fields of many encoded words': header(`A: ${'=?utf-8?Q?=E9?= x '.repeat(20)}\n`),
  parameters: field('Content-Type', '; a=b', 'text/plain'),
  'parameters without a name': field('Content-Type', ';=', 'text/plain'),
  'parameters without a value': field('Content-Type', ';a', 'text/plain'),
  'an open quote in a parameter': field('Content-Type', '\\"', 'text/plain; name="'),
  'open quotes in parameters': field('Content-Type', ';a="', 'text/plain'),
  'comments in Content-Type': field('Content-Type', '(', 'text/plain '),
  'comments in each other in Content-Type': field('Content-Type', '(a', 'text/plain '),
  'continued parameters': counted(
    'Content-Type',
    'text/plain',
    (number) => `; name*${number}*=%41`,
  ),
  'continued parameters of one number': field('Content-Type', '; name*0*=%41', 'text/plain'),
  'continued parameters in reverse': counted(
    'Content-Type',
    'text/plain',
    (number) => `; name*${99_999 - number}=a`,
  ),
  'continued parameters of names of their own': counted(
    'Content-Type',
    'text/plain',
    (number) => `; n${number}*0*=utf-8''%41`,
  ),
  'continued parameters of asterisks': field('Content-Type', '; a***=b', 'text/plain'),
  'a continued boundary': counted(
    'Content-Type',
    'multipart/mixed',
    (number) => `; boundary*${number}=a`,
  ),
  'boundary parameters': counted(
    'Content-Type',
    'multipart/mixed',
    (number) => `; boundary=b${number}`,
  ),
  'a file name of letters': field('Content-Disposition', 'a', 'attachment; filename="', '.pdf"'),
  'a file name of white space': field('Content-Disposition', ' ', 'attachment; filename="a', '"'),
  'a file name of dots': field('Content-Disposition', '.a', 'attachment; filename="', '"'),
  ...addressBombs,
  ...domainBombs,
}
