/** Files encoded in a text, each as the programs that write them do: sharutils' uuencode. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { uuencoded } from '../../../lab/evaluation/evasion/letter.ts'
import { REPEATED_BYTES_MAX, TEXT_BYTES_MIN } from '../../message/limits.ts'
import { isTextUnread } from '../../signals/text.ts'
import { parsed } from '../helpers/parsed.ts'

const OFFER = 'You have won a prize of a million, claim it today. '.repeat(4)

function parse(body: string, fields = '') {
  return parsed(`Subject: x\n${fields}\n${body}`, 'latin1')
}

function filesOf(body: string, fields?: string) {
  const { attachments, attachedTexts } = parse(body, fields)
  const files = attachments.map(({ fileName, type, bytes, head }) => ({
    fileName,
    type,
    bytes,
    head: Buffer.from(head).toString('latin1'),
  }))
  return { files, texts: attachedTexts.map(({ visible }) => visible) }
}

describe('a file in a text', () => {
  const forms: Record<string, string> = {
    uuencoded: uuencoded('offer.txt', OFFER),
    'uuencoded with line ends of mail': uuencoded('offer.txt', OFFER).replaceAll('\n', '\r\n'),
    'uuencoded without an end': uuencoded('offer.txt', OFFER).replace('`\nend\n', ''),
  }
  for (const [form, encoded] of Object.entries(forms)) {
    it(`is an attachment and an attached text, ${form}`, () => {
      const body = `See below.\n\n${encoded}`
      const { files, texts } = filesOf(body)
      const [{ fileName, type, bytes, head } = { fileName: '', type: '', bytes: 0, head: '' }] =
        files
      assert.deepEqual([fileName, type, head, texts], ['offer.txt', 'text/plain', OFFER, [OFFER]])
      assert.ok(Math.abs(bytes - OFFER.length) < 10, String(bytes))
      // Other programs show it as it stands.
      assert.equal(parse(body).texts[0]!.visible, body.replaceAll('\r\n', '\n'))
    })
  }

  it('is no text where its bytes are none', () => {
    const { files, texts } = filesOf(uuencoded('invoice.exe', 'MZ\x90\0\x03\0\0\0'))
    assert.deepEqual(files, [
      { fileName: 'invoice.exe', type: '', bytes: 8, head: 'MZ\x90\0\x03\0\0\0' },
    ])
    assert.deepEqual(texts, [])
  })
  it('is a text although a zero stands in it', () => {
    assert.equal(filesOf(uuencoded('a', `${OFFER}\0`)).files[0]?.type, 'text/plain')
  })
  it('is a page by its name', () => {
    const { texts } = filesOf(uuencoded('offer.HTM', `<p>${OFFER}<p hidden>not seen`))
    assert.deepEqual(texts, [OFFER.trim()])
  })
  it('is found after the transfer encoding is undone', () => {
    const base64 = 'Content-Transfer-Encoding: base64\n'
    assert.deepEqual(filesOf(btoa(uuencoded('a', OFFER)), base64).texts, [OFFER])
  })
  it('has a name in UTF-8 or Windows-1252', () => {
    const names = ['r\xe9sum\xe9.doc', 'r\xc3\xa9sum\xc3\xa9.doc']
    const files = names.map((name) => filesOf(uuencoded(name, 'a\0b')).files[0]!.fileName)
    assert.deepEqual(files, ['résumé.doc', 'résumé.doc'])
  })
  it('ends where the next begins', () => {
    const first = uuencoded('a.txt', 'one').replace('`\nend\n', '')
    const { files } = filesOf(first + uuencoded('b.txt', 'two') + uuencoded('c.txt', 'three'))
    assert.equal(
      files.map(({ fileName, head }) => `${fileName} ${head}`).join(),
      'a.txt one,b.txt two,c.txt three',
    )
  })
  it('is none where only the words of its first line are', () => {
    for (const text of [
      'begin with a\nlist\nend\n',
      'begin 644\nM\nend\n',
      'we begin 644 a\n#86)C\nend',
      'begin 644 a\n`\nend\n',
      'begin 644 a',
    ]) {
      assert.deepEqual(filesOf(text).files, [], text)
    }
  })
  it('may have lines of any length, which are decoded as far as they go', () => {
    const lines = ['M', '#', `#86)C${'X'.repeat(5_000)}`, '', '#86)C', 'M86)C']
    const { files } = filesOf(`begin 644 a\n${lines.join('\n')}\nend\n`)
    assert.equal(files[0]!.head, 'abcabcabc')
  })
})

describe('text in a text', () => {
  it('counts as unread, like that of an attachment, from 120 bytes on', () => {
    const unread = (text: string) => isTextUnread(parse(uuencoded('a.txt', text)))
    assert.equal(unread('a'.repeat(121)), true)
    assert.equal(unread('a'.repeat(118)), false)
    assert.equal(unread('\0'.repeat(121)), false)
  })
  it('beyond what is read again of a message makes it a message read in part', () => {
    const fit = REPEATED_BYTES_MAX / TEXT_BYTES_MIN
    const file = uuencoded('a.txt', 'offer')
    const within = parse(file.repeat(fit))
    assert.equal(within.attachments.length, 1)
    assert.deepEqual(within.limitsReached, [])
    assert.deepEqual(parse(file.repeat(fit + 1)).limitsReached, ['READINGS'])
  })
})

describe('hostile files in a text', () => {
  it('give what was encoded, whatever that is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
        const content = Buffer.from(bytes).toString('latin1')
        assert.equal(filesOf(uuencoded('a', content)).files[0]?.head, content)
      }),
    )
  })
})
