import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import {
  correspondenceOf,
  outgoingOf,
  RECIPIENTS_MAX,
  REPLY_IDS_MAX,
} from '../../personalization/correspondence.ts'
import { signals } from '../../signals/signals.ts'
import { parsed } from '../helpers/parsed.ts'

const numbered = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i))

function incoming(header: string, body = 'Hello') {
  const message = parsed(`${header}\n\n${body}\n`.replaceAll('\n', '\r\n'))
  return correspondenceOf(message, signals(message, { now: new Date('2026-11-20T12:00:00Z') }))
}

/** A message with files of that name, whose bytes are `content`. */
function withFiles(name: string, content: string, count = 1) {
  const file = `--b\nContent-Disposition: attachment; filename="${name}"\nContent-Type: application/octet-stream\n\n${content}\n`
  const body = `--b\n\nThe invoice is attached.\n${file.repeat(count)}--b--`
  return incoming('From: bob@example.net\nContent-Type: multipart/mixed; boundary=b', body)
}

describe('a message that comes in', () => {
  it('is from the one address in From, in the form compared', () => {
    assert.equal(incoming('From: Bob <BOB@Bücher.Example>').sender, 'bob@xn--bcher-kva.example')
    assert.equal(incoming('From: bob@example.net, eve@example.org').sender, undefined)
  })

  it('replies to that of In-Reply-To, and those of References, of which the last count', () => {
    const ids = numbered(1_000, (i) => `<${i}@example.com>`)
    const { repliesTo } = incoming(`In-Reply-To: <999@example.com>\nReferences: ${ids.join(' ')}`)
    assert.deepEqual(repliesTo, ids.reverse().slice(0, REPLY_IDS_MAX))
  })

  it('is of a shared address where a service or a list writes', () => {
    assert.ok(incoming('From: service@paypal.com').isShared)
    assert.ok(incoming('From: x@lists.example\nList-Id: <x.lists.example>').isShared)
    assert.ok(!incoming('From: bob@example.net').isShared)
  })

  for (const [name, content, unsafe] of [
    ['invoice.pdf.exe', 'MZ', 'ATTACHMENT_EXECUTABLE'],
    ['scan.pdf', 'MZ\u0090', 'ATTACHMENT_EXECUTABLE'],
    ['invoice.js', 'run()', 'ATTACHMENT_SCRIPT'],
    ['invoice.lnk', 'L', 'ATTACHMENT_SCRIPT'],
    ['invoice.iso', 'CD', 'ATTACHMENT_DISK_IMAGE'],
    ['invoice.docm', 'PK', 'ATTACHMENT_MACRO'],
    ['invoice.pdf', '%PDF-1.7', undefined],
  ] as const) {
    it(`with ${name} that begins with ${content} is unsafe for ${unsafe}`, () => {
      assert.equal(withFiles(name, content).unsafe, unsafe)
    })
  }

  it('is unsafe where parts were not read', () => {
    assert.equal(withFiles('a.txt', 'a', 60).unsafe, 'UNREAD')
    const octets = memoryOctets(Buffer.from('From: bob@example.net\r\n\r\nHello'))
    const unread = parseMessage(octets, { outOfTime: () => true })
    assert.equal(correspondenceOf(unread, []).unsafe, 'UNREAD')
  })
})

describe('a message that a user sends', () => {
  const outgoing = (header: string) =>
    outgoingOf(parsed(`From: Ann <ann@example.com>\n${header}\n\nHello\n`))

  it('goes to To, Cc and Bcc, each once, and not to its author', () => {
    const header = `To: Bob <bob@example.net>, BOB@example.net, ann@example.com
Cc: Friends: cid@example.org, dan@bücher.example;
Bcc: eve@example.org
Message-ID: <1@example.com>`
    assert.deepEqual(outgoing(header), {
      recipients: [
        'bob@example.net',
        'cid@example.org',
        'dan@xn--bcher-kva.example',
        'eve@example.org',
      ],
      messageId: '<1@example.com>',
    })
  })

  it('goes to nobody where it is a mailing', () => {
    const recipientsOf = (count: number) =>
      outgoing(`To: ${numbered(count, (i) => `u${i}@example.net`).join(', ')}`)?.recipients.length
    assert.deepEqual([RECIPIENTS_MAX, RECIPIENTS_MAX + 1].map(recipientsOf), [RECIPIENTS_MAX, 0])
  })

  for (const [field, isPersons] of [
    ['Auto-Submitted: auto-replied', false],
    ['Auto-Submitted: auto-generated; owner-email="a@example.com"', false],
    ['Precedence: bulk', false],
    ['Precedence: auto_reply', false],
    ['X-Autoreply: yes', false],
    ['List-Unsubscribe: <https://example.com/off>', false],
    ['Content-Type: multipart/report; report-type=disposition-notification; boundary=b', false],
    ['Auto-Submitted: no (by hand)', true],
  ] as const) {
    it(`with ${field} is ${isPersons ? '' : 'not '}written by a person`, () => {
      assert.equal(outgoing(`To: bob@example.net\n${field}`) !== undefined, isPersons)
    })
  }
})
