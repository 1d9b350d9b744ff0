/**
 * Hostile input: whatever the bytes are a Message comes out, the same each time, and soon.
 *
 * Times are CPU time of one call in a warm process; half a second is many times what each takes:
 * only a quadratic reading fails.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseAddresses } from '../../message/address.ts'
import { DEPTH_MAX, PARTS_MAX } from '../../message/limits.ts'
import type { Message } from '../../message/message.ts'
import { memoryOctets, type Octets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import { signedData, streamedSignedData, tnef } from '../helpers/containers.ts'
import { inCpuMs } from '../helpers/cpu-time.ts'

const TIME_MAX_MS = 500
const MEGABYTE = 1_000_000

function parse(source: string | Uint8Array): Message {
  return parseMessage(
    memoryOctets(typeof source === 'string' ? Buffer.from(source, 'latin1') : source),
  )
}

function inTime<T>(act: () => T): T {
  return inCpuMs(TIME_MAX_MS, act)
}

function filled(unit: string, length = MEGABYTE): string {
  return unit.repeat(Math.ceil(length / unit.length))
}

function nested(depth: number, open: (level: number) => string): string {
  return Array.from({ length: depth }, (_, level) => open(level)).join('')
}

const attacks: Record<string, string> = {
  '500,000 folded header lines': `Subject: x\n${' y\n'.repeat(500_000)}\nbody`,
  'a header of lines without a colon': `Subject: x\n${'a\n'.repeat(500_000)}`,
  'a header of colons': `${':\n'.repeat(500_000)}\n`,
  'a header of carriage returns': `Subject: x\n${filled('\r')}\nbody`,
  'a header without an end': `Subject: x\nX: ${filled('y', 5 * MEGABYTE)}`,
  '100,000 parts': `Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(100_000)}`,
  '100,000 empty parts': `Content-Type: multipart/mixed; boundary=b\n\n${'--b\n'.repeat(100_000)}`,
  '5,000 nested messages': 'Content-Type: message/rfc822\n\n'.repeat(5_000),
  '5,000 nested multiparts': nested(
    5_000,
    (level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`,
  ),
  'thirty open multiparts over two megabytes of dashes': `${nested(
    30,
    (level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`,
  )}\n${filled('--b\n', 2 * MEGABYTE)}`,
  'boundaries inside lines': `Content-Type: multipart/mixed; boundary=b\n\n${'x --b\n\n'.repeat(100_000)}`,
  'a line of dashes': `Content-Type: multipart/mixed; boundary=-\n\n${filled('-', 10 * MEGABYTE)}`,
  'a boundary that repeats itself': `Content-Type: multipart/mixed; boundary=${'--a'.repeat(80)}\n\n${filled('--a', 5 * MEGABYTE)}`,
  'octet strings of a byte': `Content-Type: application/pkcs7-mime\n\n${streamedSignedData('a'.repeat(300_000), 1).toString('latin1')}`,
  'signed messages in each other': Array.from({ length: 14 }).reduce<string>(
    (inner) =>
      `Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\n${signedData(inner).toString('base64')}`,
    'Content-Type: text/plain\n\nx',
  ),
  'a winmail.dat of empty attributes': `Content-Type: application/ms-tnef\n\n${tnef(
    ...Array.from({ length: 80_000 }, () => [0x0002800c, Buffer.alloc(0)] as const),
  ).toString('latin1')}`,
  'a thousand winmail.dats': `Content-Type: multipart/mixed; boundary=b\n\n${`--b\nContent-Type: application/ms-tnef\n\n${tnef([0x0002800c, Buffer.from('x')]).toString('latin1')}\n`.repeat(1_000)}`,
  'a calendar of folds': `Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nDESCRIPTION:${filled('\n <')}`,
  'padding and dashes': `Content-Transfer-Encoding: base64\n\n${filled('YQ=-=')}`,
  'encoded words': `Subject: ${filled('=?utf-8?Q?a?= ')}\n\nx`,
  'encoded words of changing charsets': `Subject: ${filled('=?utf-8?Q?a?= =?koi8-r?B?YQ==?= ')}\n\nx`,
  'openings of encoded words': `Subject: ${filled('=?a?Q?')}\n\nx`,
  'encoded words of unknown charsets': `Subject: ${Array.from({ length: 50_000 }, (_, i) => `=?c${i}?Q?=E9?= `).join('')}\n\nx`,
  'RFC 2231 continuations': `Content-Type: text/plain; ${Array.from({ length: 60_000 }, (_, i) => `name*${i}*=%41; `).join('')}\n\nx`,
  'parameters without a name': `Content-Type: text/plain${filled(';=')}\n\nx`,
  'an open quote in a parameter': `Content-Type: text/plain; name="${filled('\\"')}\n\nx`,
  'comments in Content-Type': `Content-Type: text/plain ${filled('(')}\n\nx`,
  'spaces in a quoted-printable body': `Content-Transfer-Encoding: quoted-printable\n\n${filled('=   ')}`,
  'white space before a line end in quoted-printable': `Content-Transfer-Encoding: quoted-printable\n\n${filled(' ')}\n${filled('\t ')}`,
  'padding in base64': `Content-Transfer-Encoding: base64\n\n${filled('A=')}`,
  'a message in base64 in a message in base64': [1, 2, 3, 4, 5, 6].reduce(
    (inner) => `Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${btoa(inner)}`,
    filled('Subject: x\n'),
  ),
  'quotation marks in flowed text': `Content-Type: text/plain; format=flowed\n\n${filled('> > >  \n')}`,
  'UTF-7 shifts': `Content-Type: text/plain; charset=utf-7\n\n${filled('+-+')}`,
  'HZ shifts': `Content-Type: text/plain; charset=hz-gb-2312\n\n${filled('~{')}`,
  'ISO-2022-KR shifts': `Content-Type: text/plain; charset=iso-2022-kr\n\n${filled('\x0e!')}`,
  'uuencoded lines': `Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n${filled('M\n')}`,
  'a thousand parts of many fields': `Content-Type: multipart/mixed; boundary=b\n\n${`--b\n${'A:\n'.repeat(400)}\n`.repeat(1_200)}`,
}

describe('hostile structure', () => {
  for (const [name, source] of Object.entries(attacks)) {
    it(`reads ${name} in time`, () => {
      const message = inTime(() => parse(source))
      assert.ok(message.parts.length <= PARTS_MAX)
      assert.ok(message.parts.every(({ depth }) => depth <= DEPTH_MAX))
    })
  }
})

describe('hostile addresses', () => {
  const bodies = [
    '(',
    '"',
    '<',
    '\\',
    '(a',
    '"\\"',
    '<a,',
    'a@b,',
    '(),',
    ',',
    ':',
    ';',
    '@',
    '<>',
    ' . ',
    'a@b ',
  ]
  for (const unit of bodies) {
    it(`reads a megabyte of ${JSON.stringify(unit)} in time`, () => {
      assert.ok(inTime(() => parseAddresses(filled(unit))).length <= 500)
    })
  }
})

/** As bytes from a file: each slice is overwritten by the next call. */
function shortLivedOctets(bytes: Buffer): Octets {
  const octets = memoryOctets(bytes)
  let last = Buffer.alloc(0)
  return {
    length: octets.length,
    slice(start, end) {
      last.fill(0x21)
      last = Buffer.from(octets.slice(start, end))
      return last
    },
    indexOf(needle, start, end) {
      last.fill(0x21)
      return octets.indexOf(needle, start, end)
    },
  }
}

/** Pieces of mail in any order: likelier to meet than chance would have it. */
const mailPiece = fc.constantFrom(
  'Content-Type: multipart/mixed; boundary=b\n',
  'Content-Type: message/rfc822\n',
  'Content-Type: text/html; charset=utf-16\n',
  'Content-Type: text/plain; format=flowed; charset=iso-2022-jp\n',
  'Content-Transfer-Encoding: base64\n',
  'Content-Transfer-Encoding: quoted-printable\n',
  "Content-Disposition: attachment; filename*0*=utf-8''%E9; filename*1=x\n",
  'Subject: =?utf-8?B?4pyT?= =?x?Q?=ZZ?=\n',
  'From: "a" <a@example.com>, (b\n',
  ' folded\n',
  '--b\n',
  '--b--\n',
  'x --b\n',
  '\n',
  '\r',
  '\0',
  'aGVsbG8=\n',
  '=3D=\n',
  '<a href="http://example.com">x</a>\n',
)

const bytes = fc.uint8Array({ maxLength: 400 })
const mail = fc
  .array(fc.oneof({ weight: 9, arbitrary: mailPiece }, { weight: 1, arbitrary: fc.string() }), {
    maxLength: 40,
  })
  .map((pieces) => Buffer.from(pieces.join(''), 'utf8'))

describe('any bytes', () => {
  for (const [name, arbitrary] of Object.entries({ bytes, mail })) {
    it(`end in the same Message each time, given ${name}`, () => {
      fc.assert(
        fc.property(arbitrary, (input) => {
          assert.deepEqual(parse(input), parse(input))
        }),
        { numRuns: 400 },
      )
    })
  }

  it('give the same Message from a file, whose bytes last until the next call', () => {
    fc.assert(
      fc.property(mail, (input) => {
        assert.deepEqual(parseMessage(shortLivedOctets(input)), parse(input))
      }),
      { numRuns: 400 },
    )
  })

  it('never make an address parser throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a@b.,;:<>()"\\ =?') }), (body) => {
        for (const { address, localPart, domain } of parseAddresses(body)) {
          if (domain !== '') assert.equal(address, `${localPart}@${domain}`)
        }
      }),
    )
  })
})
