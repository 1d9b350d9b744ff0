/**
 * Messages are written out whole, LF for line ends; `\r\n` only where that is the point. Those of
 * which it is said what is shown and what is odd are in parse.cases.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import {
  ATTACHED_TEXT_BYTES,
  ENCODED_MESSAGE_BYTES_MAX,
  OPEN_BOUNDARIES_MAX,
  PART_FIELDS_MAX,
  PART_FIELDS_TOTAL_MAX,
  PART_HEADER_FIRST_READ_BYTES,
  PART_HEADERS_BYTES_MAX,
  PARTS_MAX,
  TEXT_HEAD_BYTES,
  TEXT_TAIL_BYTES,
} from '../../message/limits.ts'
import type { Message } from '../../message/message.ts'
import { memoryOctets, type Octets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import { mailboxesOf } from '../../signals/fields.ts'
import { base64Lines, signedData, streamedSignedData, tnef } from '../helpers/containers.ts'
import { encodeText } from '../helpers/encode-text.ts'
import { parsed } from '../helpers/parsed.ts'
import { messageBytes } from '../signals/cases.ts'

function parse(source: string): Message {
  return parsed(source, 'latin1')
}

function shown(message: Message): string[] {
  return message.texts.map(({ kind, visible }) => `${kind}: ${visible.trim()}`)
}

describe('a message', () => {
  const text = readFileSync(new URL('parse.cases', import.meta.url), 'utf8')
  for (const each of text.split(/\n-----\n/)) {
    const [head, ...body] = each.split('\n\n')
    const [title, ...expected] = head!.split('\n')
    it(title!, () => {
      const message = parseMessage(memoryOctets(messageBytes(body.join('\n\n'))))
      const found: Record<string, unknown> = {
        shown: shown(message),
        oddities: message.oddities.join(' '),
        attached: message.attachedTexts.map(({ visible }) => visible),
        files: message.attachments.map(({ fileName }) => fileName),
        parts: message.parts.map(({ type, depth }) => `${depth} ${type}`),
        links: message.links.map(({ source, href, text }) => `${source} ${href} ${text}`),
      }
      for (const line of expected) {
        const name = line.split(' ', 1)[0]!
        assert.deepEqual(found[name], JSON.parse(line.slice(name.length)), name)
      }
    })
  }
})

describe('parseMessage', () => {
  it('gives no fields for bytes that are no message', () => {
    assert.equal(parse('').fields.length, 0)
    assert.equal(parse('hello\nworld\n\nfoo').fields.length, 0)
    assert.equal(parse('\0\0\0\0').fields.length, 0)
  })

  it('reads the first attached texts, as far as an offer may go', () => {
    const part = (text: string) =>
      `--b\nContent-Type: text/plain\nContent-Disposition: attachment\n\n${text}\n`
    const message = parse(
      `Content-Type: multipart/mixed; boundary=b\n\n${part('one')}${part('x\n'.repeat(20_000))}${part('three')}--b--\n`,
    )
    assert.deepEqual(shown(message), [])
    assert.deepEqual(
      message.attachedTexts.map(({ visible }) => visible.length),
      [3, ATTACHED_TEXT_BYTES],
    )
  })

  it('passes over the From line of a mailbox and a byte order mark', () => {
    assert.equal(parse('From ada Thu Aug 22 12:36:23 2002\nSubject: A\n\nx').subject, 'A')
    assert.equal(parse('\xef\xbb\xbfSubject: B\n\nx').subject, 'B')
    assert.deepEqual(parse('From ada Thu Aug 22 12:36:23 2002\nSubject: A\n\nx').oddities, [])
  })

  it('keeps a From field that has white space before its colon', () => {
    assert.equal(
      parse('From  : ada@example.com\nSubject: A\n\nx').fields[0]?.body,
      'ada@example.com',
    )
  })

  it('lists an attachment with its name, size and first bytes, and does not show its text', () => {
    const message = parse(`Content-Type: multipart/mixed; boundary=b

--b

see the file
--b
Content-Type: text/plain; name="list.txt"
Content-Disposition: attachment
Content-Transfer-Encoding: base64

aGVsbG8gd29ybGQ=
--b--
`)
    assert.deepEqual(shown(message), ['plain: see the file'])
    const { fileName, type, disposition, bytes, headHash, head } = message.attachments[0]!
    assert.deepEqual(
      { fileName, type, disposition, bytes, text: Buffer.from(head).toString() },
      {
        fileName: 'list.txt',
        type: 'text/plain',
        disposition: 'attachment',
        bytes: 11,
        text: 'hello world',
      },
    )
    assert.equal(headHash, 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9')
  })

  it('opens what is signed as a whole', () => {
    const entity = 'Content-Type: text/html\r\n\r\n<p>Signed</p>'
    for (const bytes of [signedData(entity), streamedSignedData(entity)]) {
      for (const type of [
        'application/pkcs7-mime; smime-type=signed-data; name=smime.p7m',
        'application/x-pkcs7-mime',
        'application/octet-stream; name="smime.p7m"',
      ]) {
        const message = parse(
          `Content-Type: ${type}\nContent-Transfer-Encoding: base64\n\n${base64Lines(bytes)}`,
        )
        assert.deepEqual(shown(message), ['html: Signed'], type)
        assert.deepEqual(message.attachments, [])
      }
    }
  })

  it('opens a winmail.dat, with what is attached in it', () => {
    const bytes = tnef(
      [0x0002800c, Buffer.from('Hello from Outlook')],
      [0x00018010, Buffer.from('setup.exe\0')],
      [0x0006800f, Buffer.from('MZ')],
    )
    const message = parse(
      `Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n${base64Lines(bytes)}`,
    )
    assert.deepEqual(shown(message), ['plain: Hello from Outlook'])
    assert.deepEqual(
      message.attachments.map(({ fileName }) => fileName),
      ['setup.exe'],
    )
  })

  it('keeps an attached message apart, with its links, unless it is all there is', () => {
    const attached =
      'Content-Type: message/rfc822\n\nSubject: Prize\nContent-Type: text/html\n\n<a href="https://example.com/p">Claim</a>'
    const message = parse(
      `Content-Type: multipart/mixed; boundary=b\n\n--b\n\nIs this real?\n--b\n${attached}\n--b--`,
    )
    assert.deepEqual(shown(message), ['plain: Is this real?'])
    assert.deepEqual(message.links, [])
    const [{ subject, texts, links }] = message.attachedMessages as [Message['attachedMessages'][0]]
    assert.deepEqual(
      [subject, texts[0]!.visible, links[0]!.href],
      ['Prize', 'Claim', 'https://example.com/p'],
    )
    const alone = parse(
      `Content-Type: multipart/mixed; boundary=b\n\n--b\n\n.\xa0.\n--b\n${attached}\n--b--`,
    )
    assert.equal(alone.links.length, 1)
    assert.deepEqual(alone.attachedMessages, [])
  })

  it('estimates the size of a long attachment by its first bytes', () => {
    const bytes = Buffer.alloc(10_000, 7)
    const encoded = bytes.toString('base64').replace(/.{76}/g, '$&\r\n')
    const message = parse(
      `Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded}`,
    )
    assert.ok(Math.abs(message.attachments[0]!.bytes - 10_000) < 100)
    assert.equal(message.attachments[0]!.head.length, 1024)
  })

  it('walks into a forwarded message, plain or in base64', () => {
    const inner = 'Subject: Inner\n\nforwarded words'
    const plain = parse(`Content-Type: message/rfc822\n\n${inner}`)
    assert.deepEqual(shown(plain), ['plain: forwarded words'])
    assert.equal(plain.parts[1]!.fields[0]!.body, 'Inner')

    const encoded = parse(
      `Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${btoa(inner)}`,
    )
    assert.deepEqual(shown(encoded), ['plain: forwarded words'])
    assert.equal(encoded.root.bodyBytes, btoa(inner).length)
  })

  it('walks into the raw bytes when an encoded message is none', () => {
    const message = parse(
      'Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nSubject: Inner\n\nnot encoded',
    )
    assert.ok(shown(message).includes('plain: not encoded'))
  })

  it('keeps room for the links of the text beside those of a Subject', () => {
    const message = parse(`Subject: ${'www.example.com '.repeat(2_000)}\n\nwww.example.org`)
    assert.equal(message.links.at(-1)!.href, 'http://www.example.org')
  })

  it('unfolds and unescapes a calendar before it looks for links', () => {
    const message = parse(`Content-Type: text/calendar; method=REQUEST

BEGIN:VCALENDAR
DESCRIPTION:Open https://www.exam
 ple.com/a\\nor www.example.
\tnet/b\\, or https://example.org/c?d=1\\;2
URL:https://example.org/e
END:VCALENDAR
`)
    assert.deepEqual(
      message.links.map(({ href }) => href),
      [
        'https://www.example.com/a',
        'http://www.example.net/b',
        'https://example.org/c?d=1;2',
        'https://example.org/e',
      ],
    )
    assert.match(message.texts[0]!.visible, /^Open https:\/\/www\.example\.com\/a$/m)
  })

  it('says that the body is unread when nothing came out of it', () => {
    assert.equal(parse('Subject: x\n\n').bodyUnread, false)
    assert.equal(parse('Subject: x\n\n \r\n\t\n').bodyUnread, false)
    assert.equal(parse('Content-Transfer-Encoding: base64\n\n\x01\x02\x03\x04').bodyUnread, true)
  })
})

describe('raw text in the header', () => {
  function author(message: Message): string | undefined {
    return mailboxesOf(message, 'from')[0]?.displayName
  }

  it('is in the charset that the body declares', () => {
    for (const [charset, source] of [
      [
        'gbk',
        'From: 李伟 <li@example.com>\nSubject: 会议\nContent-Type: text/plain; charset=gb2312\n\n您好',
      ],
      [
        'windows-1251',
        'From: Ян <yan@example.com>\nSubject: Обед\nContent-Type: text/plain; charset=windows-1251\n\nДа',
      ],
      [
        'shift_jis',
        'From: 表 予 <omote@example.com>\nSubject: 会議\nContent-Type: text/html; charset=shift_jis\n\n<p>はい',
      ],
      [
        'iso-2022-jp',
        'From: 田中 <tanaka@example.com>\nSubject: 会議の件\nContent-Type: text/plain; charset=iso-2022-jp\n\nはい',
      ],
    ] as const) {
      const message = parseMessage(memoryOctets(encodeText(source, charset)))
      assert.equal(author(message), /From: (.*) </.exec(source)![1])
      assert.equal(message.subject, /Subject: (.*)/.exec(source)![1])
      assert.equal(message.root.fields, message.fields)
    }
  })

  it('is in the charset that its letters tell, of all fields together, where the body is ASCII', () => {
    const source = 'From: Марта <marta@example.com>\nSubject: Совещание переносится на среду\n\nOK'
    const message = parseMessage(memoryOctets(encodeText(source, 'koi8-r')))
    assert.deepEqual(
      [author(message), message.subject],
      ['Марта', 'Совещание переносится на среду'],
    )
  })

  it('is UTF-8 where its bytes are, whatever the body declares', () => {
    const source =
      'From: Jürgen <j@example.com>\nSubject: Grüße\nContent-Type: text/plain; charset=iso-8859-1\n\n'
    const bytes = Buffer.concat([Buffer.from(source), Buffer.from('Grüße', 'latin1')])
    const message = parseMessage(memoryOctets(bytes))
    assert.deepEqual([author(message), message.subject], ['Jürgen', 'Grüße'])
    assert.deepEqual(shown(message), ['plain: Grüße'])
  })
})

describe('conflicting structure', () => {
  it('ends the header of a part that a boundary with text behind it begins at the next one', () => {
    const message = parse(
      'Content-Type: multipart/mixed; boundary=b\n\n--b x\nX-One: 1\n--b x\nX-Two: 2\n\ntext\n--b--\n',
    )
    const names = message.parts.slice(1).map(({ fields }) => fields.map(({ name }) => name))
    assert.deepEqual(names, [['x-one'], ['x-two']])
  })

  it('does not take the beginning of a longer line for a delimiter that ends a header', () => {
    const field = 'X-One: '
    // The line begins so that the first read of the header ends within it.
    const filling = 'y'.repeat(PART_HEADER_FIRST_READ_BYTES - field.length - '\n--b'.length)
    const message = parse(
      `Content-Type: multipart/mixed; boundary=b\n\n--b\n${field}${filling}\n--bee: z\nX-Two: 2\n\ntext\n--b--\n`,
    )
    assert.deepEqual(
      message.parts[1]!.fields.map(({ name }) => name),
      ['x-one', '--bee', 'x-two'],
    )
  })
})

describe('limits', () => {
  const part = '--b\n\nx\n'
  const multipart = 'Content-Type: multipart/mixed; boundary=b\n\n'

  it('reads the last part that may be and stops at the next', () => {
    const within = parse(multipart + part.repeat(PARTS_MAX - 1))
    assert.equal(within.parts.length, PARTS_MAX)
    assert.deepEqual(within.limitsReached, [])

    const beyond = parse(multipart + part.repeat(PARTS_MAX))
    assert.equal(beyond.parts.length, PARTS_MAX)
    assert.deepEqual(beyond.limitsReached, ['PARTS'])
  })

  it('reads so many fields in all parts together', () => {
    const full = `--b\n${'A: b\n'.repeat(PART_FIELDS_MAX)}\n`
    const parts = Math.floor(PART_FIELDS_TOTAL_MAX / PART_FIELDS_MAX)
    assert.deepEqual(parse(multipart + full.repeat(parts)).limitsReached, [])

    const beyond = parse(multipart + full.repeat(2 * parts))
    const fields = beyond.parts.reduce((sum, part) => sum + part.fields.length, -1)
    assert.equal(fields, PART_FIELDS_TOTAL_MAX)
    assert.deepEqual(beyond.limitsReached, ['FIELDS'])
  })

  it('compares no more boundaries at once than multiparts nest', () => {
    const fields = Array.from(
      { length: 3 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n`,
    ).join('')
    const level = `${fields}\n--b0\n`
    const fit = Math.floor(OPEN_BOUNDARIES_MAX / 3)
    assert.deepEqual(parse(level.repeat(fit)).limitsReached, [])
    assert.deepEqual(parse(level.repeat(fit + 1)).limitsReached, ['DEPTH'])
  })

  it('stops within the headers of parts when the time is up', () => {
    let asked = 0
    const message = parseMessage(
      memoryOctets(Buffer.from(`${multipart}--b\n${'A: b\n'.repeat(200)}\nx`)),
      { outOfTime: () => ++asked > 100 },
    )
    assert.deepEqual(message.limitsReached, ['CPU'])
    assert.ok(message.parts[1]!.fields.length < 100)
  })

  it('reads so many bytes of headers of all parts together', () => {
    const part = `--b\nA: ${'x'.repeat(100_000)}\n\n`
    const fit = Math.floor(PART_HEADERS_BYTES_MAX / part.length)
    assert.deepEqual(parse(multipart + part.repeat(fit)).limitsReached, [])

    const beyond = parse(multipart + part.repeat(2 * fit))
    assert.equal(beyond.parts.length, 1 + fit + 1)
    assert.deepEqual(beyond.limitsReached, ['HEADER_BYTES'])
  })

  it('decodes so many bytes of all encoded messages together', () => {
    const inner = `Subject: Inner\n\n${'words '.repeat(ENCODED_MESSAGE_BYTES_MAX / 17)}`
    const encoded = (last: string) =>
      `--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n${btoa(inner + last)}\n`
    const { texts } = parse(multipart + ['one', 'two', 'three'].map(encoded).join(''))
    const ends = texts.map(({ source }) => /\w+\s*$/.exec(source)?.[0])
    assert.deepEqual(ends.slice(0, 2), ['one', 'two'])
    assert.ok(!ends.includes('three'))
  })

  it('finds the body after a header that is too long', () => {
    const message = parse(`Subject: x\nX-Long: ${'y'.repeat(600_000)}\nX-Last: z\n\nthe body`)
    assert.deepEqual(message.limitsReached, ['HEADER_BYTES'])
    assert.equal(message.subject, 'x')
    assert.deepEqual(shown(message), ['plain: the body'])
  })

  it('finds the body after more fields than are kept', () => {
    const within = parse(`${'A: b\n'.repeat(2_000)}\nthe body`)
    assert.deepEqual(within.limitsReached, [])
    const beyond = parse(`${'A: b\n'.repeat(2_001)}\nthe body`)
    assert.deepEqual(beyond.limitsReached, ['FIELDS'])
    assert.equal(beyond.fields.length, 2_000)
    assert.deepEqual(shown(beyond), ['plain: the body'])
  })

  it('looks at the first and the last stretch of a long text', () => {
    const line = `${'x'.repeat(63)}\n`
    const whole = line.repeat((TEXT_HEAD_BYTES + TEXT_TAIL_BYTES) / 64)
    assert.equal(parse(`Subject: x\n\n${whole}`).texts[0]!.truncated, false)

    const { texts } = parse(`Subject: x\n\nfirst\n${whole}last\n`)
    assert.equal(texts[0]!.truncated, true)
    assert.ok(texts[0]!.source.startsWith('first\n'))
    assert.ok(texts[0]!.source.endsWith('last\n'))
    assert.ok(texts[0]!.source.length <= TEXT_HEAD_BYTES + TEXT_TAIL_BYTES + 1)
  })

  it('looks at a text behind others that have used up the bytes', () => {
    const long = `--b\n\n${'x'.repeat(300_000)}\n`
    const { texts } = parse(`${multipart}${long.repeat(5)}--b\n\nlook here\n--b--\n`)
    assert.equal(texts[5]!.source, 'look here')
  })

  it('stops at a part when the time is up, and keeps the header', () => {
    const octets = memoryOctets(Buffer.from(`Subject: x\n${multipart}${part.repeat(3)}`))
    const message = parseMessage(octets, { outOfTime: () => true })
    assert.equal(message.subject, 'x')
    assert.deepEqual(message.limitsReached, ['CPU'])
  })
})

describe('what is read more than once', () => {
  const multipart = 'Content-Type: multipart/mixed; boundary=b\n\n'
  const twice = '--b\nContent-Type: text/plain\nContent-Type: text/html\n\nwords\n'

  it('is a body under each of its Content-Type fields, in so many small parts', () => {
    const fit = 256 // of 2 KiB each at least
    const within = parse(multipart + twice.repeat(fit))
    assert.equal(within.texts.length, 2 * fit)
    assert.deepEqual(within.limitsReached, [])

    const beyond = parse(multipart + twice.repeat(fit + 10))
    assert.equal(beyond.texts.length, 2 * fit + 10)
    assert.deepEqual(beyond.limitsReached, ['READINGS'])
  })

  it('is so many bytes of long bodies', () => {
    const types = ['utf-8', 'koi8-r', 'iso-8859-5', 'windows-1253']
      .map((charset) => `Content-Type: text/plain; charset=${charset}\n`)
      .join('')
    const encodings =
      'Content-Transfer-Encoding: 8bit\nContent-Transfer-Encoding: quoted-printable\n'
    const long = `--b\n${types}${encodings}\n\xe9${'=41 words\n'.repeat(10_000)}`
    const { texts, limitsReached } = parse(multipart + long + long)
    // Seven of 64 KiB again in the first part; of 32 KiB each in the second, two are left of 512 KiB.
    assert.equal(texts.length, 8 + 3)
    assert.deepEqual(limitsReached, ['READINGS'])
  })

  it('is a body whose style sheet comes after its text', () => {
    const late =
      '--b\nContent-Type: text/html\n\n<p class=a>a</p>b<style>.a{display:none}</style>\n'
    const fit = 256 // of 2 KiB each at least
    const message = parse(multipart + late.repeat(fit + 1))
    assert.deepEqual(shown(message).slice(fit - 1), ['html: b', 'html: a\nb'])
    assert.deepEqual(message.limitsReached, ['READINGS'])
  })

  it('is so many rules of all style sheets', () => {
    const sheet = `<style>${'a,'.repeat(1_999)}a{color:red}</style>`
    const styled = `--b\nContent-Type: text/html\n\n${sheet}words\n`
    // A style sheet counts as a rule: eight steps for each of 2,001.
    const fit = 12
    assert.deepEqual(parse(multipart + styled.repeat(fit)).limitsReached, [])
    assert.deepEqual(parse(multipart + styled.repeat(fit + 1)).limitsReached, ['READINGS'])
  })

  it('is so many elements in all bodies that are matched with selectors', () => {
    // 101 times eight steps, and 49,000 matches.
    const [rules, elements] = [100, 490]
    const matched = `--b\nContent-Type: text/html\n\n<style>${'p i{display:none}'.repeat(rules)}</style>${'<i>a'.repeat(elements)}\n`
    const fit = 4
    assert.deepEqual(parse(multipart + matched.repeat(fit)).limitsReached, [])

    const beyond = parse(multipart + matched.repeat(fit + 1))
    assert.deepEqual(beyond.limitsReached, ['READINGS'])
    const { certainText, visibleText } = beyond.texts[fit]!.html!
    assert.ok(certainText.length < visibleText.length)
  })

  it('is a message as it stands that is said to be encoded and is not, unless it is in another', () => {
    const claim = 'Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n'
    const inner = `Subject: Inner\n\n${'words '.repeat(10_000)}`
    const within = parse(claim + inner)
    assert.equal(within.parts.at(-1)!.fields[0]!.body, 'Inner')
    assert.deepEqual(within.limitsReached, [])

    assert.deepEqual(parse(claim.repeat(2) + inner).limitsReached, ['DEPTH'])
  })

  it('is no byte sixteen times, however messages that are not encoded as they say are nested', () => {
    const levels = Array.from(
      { length: 16 },
      (_, level) =>
        `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n` +
        'Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n',
    )
    const octets = memoryOctets(Buffer.from(levels.join('') + 'words\n'.repeat(500_000)))
    let bytesRead = 0
    const counted: Octets = {
      ...octets,
      slice: (start, end) => {
        bytesRead += end - start
        return octets.slice(start, end)
      },
    }
    assert.deepEqual(parseMessage(counted).limitsReached, ['DEPTH'])
    assert.ok(bytesRead < 4 * octets.length, `${bytesRead} bytes of ${octets.length}`)
  })
})
