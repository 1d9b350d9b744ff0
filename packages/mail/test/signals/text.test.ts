import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import { isTextUnread, longReaderText, readerText } from '../../signals/text.ts'

function isUnread(source: string): boolean {
  return isTextUnread(parseMessage(memoryOctets(Buffer.from(source.replaceAll('\n', '\r\n')))))
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
    assert.equal(isUnread(attached('text/plain', 'a')), false)
    assert.equal(isUnread(attached('application/pdf', LINE.repeat(5))), false)
  })
})

describe('the long text', () => {
  const parsed = (source: string) => parseMessage(memoryOctets(Buffer.from(source)))
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
