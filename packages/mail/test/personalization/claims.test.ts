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
  it('gives the authors and the client', () => {
    const header = [
      'Received: from mail.example.com (out-7.example.net [192.0.2.7])',
      '\tby mx.example.org with ESMTP; Mon, 1 Jun 2026 10:00:00 +0000',
      'From: Ada <Ada@Example.com>',
    ]
    assert.deepEqual(claims(header, { senderIp: '192.0.2.7', mailFrom: 'bounce@example.net' }), {
      senders: ['ada@example.com'],
      envelope: 'bounce@example.net',
      hosts: ['mail.example.com', 'out-7.example.net'],
      senderIp: '192.0.2.7',
      linkHosts: [],
      attachments: [],
    })
  })

  // biome-ignore format: a row each
  const cases: [what: string, header: string[], senderIp: string | undefined, Partial<Claims>][] = [
    ['all addresses of From where there are several', ['From: a@example.com, b@example.net'], undefined, { senders: ['a@example.com', 'b@example.net'] }],
    ['a host without the dot of the root, for blocks only', ['From: Win <win@prize.top.>'], undefined, { senders: ['win@prize.top'] }],
    ['a local part without needless quotes, for blocks only', ['From: "eve"@example.net'], undefined, { senders: ['eve@example.net'] }],
    ['no names of a client whose address the topmost Received field does not have', ['Received: from mail.example.com (mail.example.com [192.0.2.8])'], '192.0.2.7', { hosts: [] }],
    ['the names that Exim writes, and no address', ['Received: from [2001:db8::7] (helo=10.0.0.1) (out.example.net [2001:db8::7])'], '2001:db8::7', { hosts: ['out.example.net'] }],
    ['kinds, names and types of attachments', ['Content-Type: application/octet-stream', 'Content-Disposition: attachment; filename="invoice.js"'], undefined, { attachments: ['attachment script', 'file invoice.js', 'file *.js', 'type application/octet-stream', 'type application/*'] }],
  ]
  for (const [what, header, senderIp, expected] of cases) {
    it(`gives ${what}`, () => {
      assert.partialDeepStrictEqual(claims(header, { ...(senderIp && { senderIp }) }), expected)
    })
  }

  it('gives little of a message that claims much', () => {
    const names = Array.from({ length: 1_000 }, (_, i) => `a${i}@example.com`).join(', ')
    const hosts = Array.from({ length: 100 }, (_, i) => `h${i}.test`).join(' ')
    const received = `Received: from [192.0.2.7] (${hosts})`
    const found = claims([received, `From: ${names}`], { senderIp: '192.0.2.7' })
    assert.equal(found.senders.length, 128)
    assert.equal(found.hosts.length, 8)
  })
})
