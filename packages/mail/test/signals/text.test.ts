import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isTextUnread, longReaderText, readerText } from '../../signals/text.ts'
import { parsed } from '../helpers/parsed.ts'

const LINE = 'The committee has met again and talked about the roof.\n'

/** A message of parts, each with its header. */
const of = (subtype: string, ...parts: string[]) =>
  `Content-Type: multipart/${subtype}; boundary=b\n\n${parts.map((part) => `--b\n${part}\n`).join('')}--b--\n`

const attached = (type: string, body: string, name = 'a') =>
  of(
    'mixed',
    'Content-Type: text/plain\n\nSee the attachment.',
    `Content-Type: ${type}\nContent-Disposition: attachment; filename=${name}\n\n${body}`,
  )

describe('text is unread', () => {
  const page = `<p>${' '.repeat(600)}</p>`.repeat(600)
  const containers = [
    'application/pkcs7-mime; smime-type=enveloped-data',
    'application/octet-stream; name="smime.p7m"',
    'application/ms-tnef; name="winmail.dat"',
    'message/partial; number=2; total=3; id=a',
  ]
  for (const [what, isUnread, ...sources] of [
    ['of twice as much as is looked at', true, `Subject: a\n\n${LINE.repeat(750)}`],
    ['of less', false, `Subject: a\n\n${LINE.repeat(700)}`],
    [
      'where the middle of a body is passed over',
      true,
      `Content-Type: text/html\n\n<p>Hello</p>${page}<p>Bye</p>`,
    ],
    [
      'where it is attached',
      true,
      attached('text/html', LINE.repeat(5)),
      attached('text/plain', LINE.repeat(5)),
      attached('application/octet-stream', LINE.repeat(5), 'a.html'),
    ],
    [
      'in an attachment of another type, or one that says nothing',
      false,
      attached('application/octet-stream', LINE.repeat(5)),
      attached('application/pdf', LINE.repeat(5)),
      attached('text/plain', 'a'),
    ],
    [
      'in a container that is the message',
      true,
      ...containers.map((type) => `Content-Type: ${type}\n\nxxx`),
    ],
    [
      'in a container beside a text',
      false,
      ...containers.map((type) => of('mixed', `\n${LINE.repeat(4)}`, `Content-Type: ${type}\n\nx`)),
    ],
  ] as const) {
    it(`${isUnread ? '' : 'not '}${what}`, () => {
      for (const source of sources) {
        assert.equal(isTextUnread(parsed(source.replaceAll('\n', '\r\n'))), isUnread, source)
      }
    })
  }
})

describe('the long text', () => {
  it('is the text where that is all, and all of a body that is read in full', () => {
    const short = parsed(`Subject: a\n\n${LINE.repeat(300)}`)
    assert.equal(longReaderText(short), readerText(short))
    const long = parsed(`Subject: a\n\n${LINE.repeat(5_000)}`)
    assert.equal(longReaderText(long), long.texts[0]!.visible.trim())
    assert.ok(longReaderText(long).length > 250_000)
  })
  it('is of the bodies that are shown', () => {
    const html = `Content-Type: text/html\n\n<p>${'x '.repeat(12_000)}`
    const message = parsed(of('alternative', `\n${LINE.repeat(400)}`, html))
    assert.ok(/^[x ]+$/.test(longReaderText(message)))
  })
})

describe('the text that a reader sees', () => {
  const plain = 'Content-Type: text/plain\n\nThe gauge shows two metres.'
  const html = 'Content-Type: text/html\n\n<p>Riverside mailing list'
  const forms = of('alternative', plain, html).replaceAll('--b', '--c').replace('=b', '=c')
  const [GAUGE, LIST] = ['The gauge shows two metres.', 'Riverside mailing list']
  for (const [what, source, text] of [
    ['HTML in place of its plain text', of('alternative', plain, html), LIST],
    ['all parts below each other', of('mixed', plain, html), `${GAUGE}\n${LIST}`],
    ['these in their order', of('mixed', html, plain), `${LIST}\n${GAUGE}`],
    ['that of an alternative and below', of('mixed', forms, plain), `${LIST}\n${GAUGE}`],
  ] as const) {
    it(`is ${what}`, () => assert.equal(readerText(parsed(source)), text))
  }
})
