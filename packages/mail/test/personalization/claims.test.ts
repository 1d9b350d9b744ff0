/** What a site's rules are compared with, of whole messages. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Claims, claimsOf } from '../../personalization/claims.ts'
import type { Facts } from '../../signals/signal.ts'
import { parsed } from '../helpers/parsed.ts'

function claims(header: string[], facts: Partial<Facts> = {}): Claims {
  const message = parsed([...header, '', 'Hello', ''].join('\r\n'))
  return claimsOf(message, { now: new Date('2026-06-01'), ...facts })
}

describe('claimsOf', () => {
  it('gives the sender, the list and the client', () => {
    const header = [
      'Received: from mail.example.com (out-7.example.net [192.0.2.7])',
      '\tby mx.example.org with ESMTP; Mon, 1 Jun 2026 10:00:00 +0000',
      'From: Ada <Ada@Example.com>',
      'List-Id: News <news.example.com>',
    ]
    assert.deepEqual(claims(header, { senderIp: '192.0.2.7', mailFrom: 'bounce@example.net' }), {
      sender: 'ada@example.com',
      senders: ['ada@example.com'],
      envelope: 'bounce@example.net',
      list: 'news.example.com',
      hosts: ['mail.example.com', 'out-7.example.net'],
      senderIp: '192.0.2.7',
      linkHosts: [],
      attachments: [],
    })
  })

  it('gives the kinds, names and types of attachments that rules name', () => {
    const header = [
      'Content-Type: application/octet-stream',
      'Content-Disposition: attachment; filename="invoice.js"',
    ]
    assert.deepEqual(claims(header).attachments, [
      'attachment script',
      'file invoice.js',
      'file *.js',
      'type application/octet-stream',
      'type application/*',
    ])
  })

  it('gives all addresses of From, and no sender, when there are several', () => {
    assert.deepEqual(claims(['From: a@example.com, b@example.net']), {
      senders: ['a@example.com', 'b@example.net'],
      hosts: [],
      linkHosts: [],
      attachments: [],
    })
  })

  it('reads a dot after the host and needless quotes as a reader does, for blocks only', () => {
    assert.deepEqual(claims(['From: Win <win@prize.top.>']).senders, ['win@prize.top'])
    const quoted = claims(['From: "eve"@example.net'])
    assert.deepEqual(quoted.senders, ['eve@example.net'])
    assert.notEqual(quoted.sender, 'eve@example.net')
  })

  it('gives no names of a client whose address the topmost Received field does not name', () => {
    const header = [
      'Received: from mail.example.com (mail.example.com [192.0.2.8])',
      'From: ada@example.com',
    ]
    assert.deepEqual(claims(header, { senderIp: '192.0.2.7' }).hosts, [])
    assert.deepEqual(claims(header).hosts, [])
  })

  it('reads the names that Exim writes, and no address', () => {
    const received = 'Received: from [2001:db8::7] (helo=10.0.0.1) (out.example.net [2001:db8::7])'
    assert.deepEqual(claims([received], { senderIp: '2001:db8::7' }).hosts, ['out.example.net'])
  })

  it('gives little of a message that claims much', () => {
    const names = Array.from({ length: 1_000 }, (_, i) => `a${i}@example.com`).join(', ')
    const hosts = Array.from({ length: 100 }, (_, i) => `h${i}.test`).join(' ')
    const received = `Received: from [192.0.2.7] (${hosts})`
    const found = claims([received, `From: ${names}`], { senderIp: '192.0.2.7' })
    assert.equal(found.senders.length, 128)
    assert.equal(found.hosts.length, 8)
  })
})
