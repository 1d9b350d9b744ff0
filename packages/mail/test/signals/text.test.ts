import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isTextUnread, longReaderText, readerText } from '../../signals/text.ts'
import { parsed } from '../helpers/parsed.ts'

function isUnread(source: string): boolean {
  return isTextUnread(parsed(source.replaceAll('\n', '\r\n')))
}

function attached(type: string, body: string): string {
  return `Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

See the attachment.
--b
Content-Type: ${type}
Content-Disposition: attachment; filename=a

${body}
--b--
`
}

const LINE = 'The committee has met again and talked about the roof.\n'

describe('text is unread', () => {
  it('where there is twice as much of it as is looked at', () => {
    assert.equal(isUnread(`Subject: a\n\n${LINE.repeat(700)}`), false)
    assert.equal(isUnread(`Subject: a\n\n${LINE.repeat(750)}`), true)
  })
  it('where the middle of a body is passed over', () => {
    const page = `<p>${' '.repeat(600)}</p>`.repeat(600)
    assert.equal(isUnread(`Content-Type: text/html\n\n<p>Hello</p>${page}<p>Bye</p>`), true)
  })
  it('where it is attached', () => {
    assert.equal(isUnread(attached('text/html', LINE.repeat(5))), true)
    assert.equal(isUnread(attached('text/plain', LINE.repeat(5))), true)
    const named = attached('application/octet-stream', LINE.repeat(5))
    assert.equal(isUnread(named.replace('filename=a', 'filename=a.html')), true)
    assert.equal(isUnread(named), false)
    assert.equal(isUnread(attached('text/plain', 'a')), false)
    assert.equal(isUnread(attached('application/pdf', LINE.repeat(5))), false)
  })
})

describe('the long text', () => {
  it('is the text where that is all', () => {
    const message = parsed(`Subject: a\n\n${LINE.repeat(300)}`)
    assert.equal(longReaderText(message), readerText(message))
  })
  it('is all of a body that is read in full', () => {
    const message = parsed(`Subject: a\n\n${LINE.repeat(5_000)}`)
    assert.equal(longReaderText(message), message.texts[0]!.visible.trim())
    assert.ok(longReaderText(message).length > 250_000)
  })
  it('is of the bodies that are shown', () => {
    const message = parsed(
      `Content-Type: multipart/alternative; boundary=b\n\n--b\n\n${LINE.repeat(400)}\n--b\nContent-Type: text/html\n\n<p>${'x '.repeat(12_000)}\n--b--`,
    )
    assert.ok(/^[x ]+$/.test(longReaderText(message)))
  })
})

describe('the text that a reader sees', () => {
  const textOf = (source: string) => readerText(parsed(source))
  const of = (subtype: string, ...parts: string[]) =>
    `Content-Type: multipart/${subtype}; boundary=b\n\n${parts.map((part) => `--b\n${part}\n`).join('')}--b--\n`
  const plain = 'Content-Type: text/plain\n\nThe gauge shows two metres.'
  const html = 'Content-Type: text/html\n\n<p>Riverside mailing list'

  it('is HTML in place of the plain text of the same alternative', () => {
    assert.equal(textOf(of('alternative', plain, html)), 'Riverside mailing list')
  })
  it('is all parts that are shown one below the other, in their order', () => {
    assert.equal(
      textOf(of('mixed', plain, html)),
      'The gauge shows two metres.\nRiverside mailing list',
    )
    assert.equal(
      textOf(of('mixed', html, plain)),
      'Riverside mailing list\nThe gauge shows two metres.',
    )
  })
  it('is that of an alternative and what is below it', () => {
    const forms = of('alternative', plain, html).replaceAll('--b', '--c').replace('=b', '=c')
    assert.equal(
      textOf(of('mixed', forms, 'Content-Type: text/plain\n\nPS: bring sand.')),
      'Riverside mailing list\nPS: bring sand.',
    )
  })
})

describe('a container that was not read', () => {
  it('is unread text where little is said beside it', () => {
    for (const type of [
      'application/pkcs7-mime; smime-type=enveloped-data',
      'application/octet-stream; name="smime.p7m"',
      'application/ms-tnef; name="winmail.dat"',
      'message/partial; number=2; total=3; id=a',
    ]) {
      assert.equal(isUnread(`Content-Type: ${type}\n\nxxx`), true, type)
      const beside = `Content-Type: multipart/mixed; boundary=b\n\n--b\n\n${LINE.repeat(4)}\n--b\nContent-Type: ${type}\n\nxxx\n--b--`
      assert.equal(isUnread(beside), false, type)
    }
  })
})
