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

function messageOf(...lines: readonly string[]) {
  return parsed([...lines, ''].join('\r\n'))
}

function incoming(...lines: readonly string[]) {
  const message = messageOf(...lines)
  return correspondenceOf(message, signals(message, { now: new Date('2026-11-20T12:00:00Z') }))
}

/** A message with a file, whose bytes are `content`. */
function withFile(name: string, content: string): string[] {
  return [
    'From: bob@example.net',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'The invoice is attached.',
    '--b',
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Type: application/octet-stream',
    '',
    content,
    '--b--',
  ]
}

describe('of a message that comes in', () => {
  it('the sender is the address in From, in the form compared', () => {
    const { sender } = incoming('From: Bob <BOB@Bücher.Example>', '', 'Hello')
    assert.equal(sender, 'bob@xn--bcher-kva.example')
  })

  it('there is no sender where From names two', () => {
    const { sender } = incoming('From: bob@example.net, eve@example.org', '', 'Hello')
    assert.equal(sender, undefined)
  })

  it('it replies to the message of In-Reply-To, and those of References from the last on', () => {
    const { repliesTo } = incoming(
      'From: bob@example.net',
      'In-Reply-To: <3@example.com>',
      'References: <1@example.com> <2@example.com> <3@example.com>',
      '',
      'Hello',
    )
    assert.deepEqual(repliesTo, ['<3@example.com>', '<2@example.com>', '<1@example.com>'])
  })

  it('of a thousand References only the last are compared', () => {
    const references = Array.from({ length: 1_000 }, (_, i) => `<${i}@example.com>`).join(' ')
    const { repliesTo } = incoming(
      `References: ${references}`,
      'From: bob@example.net',
      '',
      'Hello',
    )
    assert.equal(repliesTo.length, REPLY_IDS_MAX)
    assert.equal(repliesTo[0], '<999@example.com>')
  })

  it('a list and a service from which many write are shared addresses', () => {
    assert.ok(incoming('From: service@paypal.com', '', 'Hello').isShared)
    assert.ok(incoming('From: x@lists.example', 'List-Id: <x.lists.example>', '', 'Hello').isShared)
    assert.ok(!incoming('From: bob@example.net', '', 'Hello').isShared)
  })

  const unsafe: [name: string, content: string, why: string][] = [
    ['invoice.pdf.exe', 'MZ', 'ATTACHMENT_EXECUTABLE'],
    ['scan.pdf', 'MZ\u0090', 'ATTACHMENT_EXECUTABLE'],
    ['invoice.js', 'run()', 'ATTACHMENT_SCRIPT'],
    ['invoice.lnk', 'L', 'ATTACHMENT_SCRIPT'],
    ['invoice.iso', 'CD', 'ATTACHMENT_DISK_IMAGE'],
    ['invoice.docm', 'PK', 'ATTACHMENT_MACRO'],
  ]
  for (const [name, content, why] of unsafe) {
    it(`${name} that begins with ${JSON.stringify(content)} is not safe from anybody`, () => {
      assert.equal(incoming(...withFile(name, content)).unsafe, why)
    })
  }

  it('a document is safe, and parts that were not read are not', () => {
    assert.equal(incoming(...withFile('invoice.pdf', '%PDF-1.7')).unsafe, undefined)
    const file = withFile('a.txt', 'a').slice(6, -1)
    const sixty = [...withFile('a.txt', 'a').slice(0, 6), ...Array(60).fill(file).flat(), '--b--']
    assert.equal(incoming(...sixty).unsafe, 'UNREAD')
    const unread = parseMessage(memoryOctets(Buffer.from('From: bob@example.net\r\n\r\nHello')), {
      outOfTime: () => true,
    })
    assert.equal(correspondenceOf(unread, []).unsafe, 'UNREAD')
  })
})

describe('of a message that a user sends', () => {
  it('it goes to To, Cc and Bcc, each once, and not to its author', () => {
    const message = messageOf(
      'From: Ann <ann@example.com>',
      'To: Bob <bob@example.net>, BOB@example.net, ann@example.com',
      'Cc: Friends: cid@example.org, dan@bücher.example;',
      'Bcc: eve@example.org',
      'Message-ID: <1@example.com>',
      '',
      'Hello',
    )
    assert.deepEqual(outgoingOf(message), {
      recipients: [
        'bob@example.net',
        'cid@example.org',
        'dan@xn--bcher-kva.example',
        'eve@example.org',
      ],
      messageId: '<1@example.com>',
    })
  })

  it('a mailing is written to nobody', () => {
    const to = (count: number) =>
      Array.from({ length: count }, (_, i) => `u${i}@example.net`).join(', ')
    const many = messageOf('From: ann@example.com', `To: ${to(RECIPIENTS_MAX + 1)}`, '', 'Hello')
    assert.deepEqual(outgoingOf(many), { recipients: [] })
    const few = messageOf('From: ann@example.com', `To: ${to(RECIPIENTS_MAX)}`, '', 'Hello')
    assert.equal(outgoingOf(few)?.recipients.length, RECIPIENTS_MAX)
  })

  const automatic = [
    'Auto-Submitted: auto-replied',
    'Auto-Submitted: auto-generated; owner-email="a@example.com"',
    'Precedence: bulk',
    'Precedence: auto_reply',
    'X-Autoreply: yes',
    'List-Unsubscribe: <https://example.com/off>',
    'Content-Type: multipart/report; report-type=disposition-notification; boundary=b',
  ]
  for (const field of automatic) {
    it(`nobody has chosen its recipients with ${field}`, () => {
      const message = messageOf(
        'From: ann@example.com',
        'To: spammer@example.net',
        field,
        '',
        'Away',
      )
      assert.equal(outgoingOf(message), undefined)
    })
  }

  it('a person has with Auto-Submitted: no', () => {
    const message = messageOf(
      'From: ann@example.com',
      'To: bob@example.net',
      'Auto-Submitted: no (by hand)',
      '',
      'Hello',
    )
    assert.deepEqual(outgoingOf(message)?.recipients, ['bob@example.net'])
  })
})
