/** Who signs and carries a message whose From is forged, and one that a platform sends. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { registrableDomain } from '../../../mail/message/domain.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { signals } from '../../../mail/signals/signals.ts'
import { CORPUS_FACTS } from '../../corpora/facts.ts'
import { renderWritten } from '../../rendering/render.ts'
import type { WrittenMessage } from '../../rendering/written-message.ts'
import { WRITTEN } from './written-messages.ts'

const FORGED: WrittenMessage = {
  ...WRITTEN.NOTICE,
  id: 'forged',
  spam: true,
  from_addr: 'alerts@notify.kestrelbank.com',
  forged: true,
}

function rendered(message: WrittenMessage) {
  return Array.from({ length: 30 }, (_, variant) => {
    const bytes = renderWritten(message, variant)
    const header = Buffer.from(bytes).toString('latin1').split('\r\n\r\n')[0]!
    const found = signals(parseMessage(memoryOctets(bytes)), CORPUS_FACTS)
    return { header, isAligned: found.some(({ name }) => name === 'DKIM_ALIGNED') }
  })
}

describe('a message with a forged From', () => {
  for (const message of [FORGED, { ...FORGED, id: 'letter', bulk: false, body: 'Call me.' }]) {
    it(`is carried and, if at all, signed by somebody else (${message.id})`, () => {
      const all = rendered(message)
      const signed = all.filter(({ header }) => /^DKIM-Signature:/m.test(header))
      assert.ok(signed.length > 0 && signed.length < all.length)
      for (const { header, isAligned } of all) {
        assert.match(header, /<alerts@notify\.kestrelbank\.com>/)
        assert.equal(isAligned, false)
        assert.doesNotMatch(header, /\bd=(?:[a-z0-9-]+\.)*kestrelbank\.com;/)
        assert.doesNotMatch(header, /^Received: from \S*kestrelbank\.com/m)
        const [, returnPath = ''] = /^Return-Path: <[^@>]*@?([^>]*)>/m.exec(header)!
        assert.notEqual(registrableDomain(returnPath), 'kestrelbank.com')
      }
    })
  }
})

describe('a message from a platform', () => {
  const PLATFORMS: Readonly<Record<string, RegExp>> = {
    'forms-receipts-noreply@google.com': /^X-Gm-Message-State: /m,
    'service@paypal.com': /^X-PP-Email-transmission-Id:/m,
    'support@harrow.zendesk.com': /^X-Mailer: Zendesk Mailer/m,
    'notifications@github.com': /^X-GitHub-Reason: /m,
    'no-reply@dropbox.com': /^X-SES-Outgoing: /m,
  }
  for (const [address, mark] of Object.entries(PLATFORMS)) {
    it(`has the header fields and the signature of ${address}, spam or not`, () => {
      for (const spam of [true, false]) {
        const all = rendered({ ...WRITTEN.NOTICE, id: address, from_addr: address, spam })
        // The rest goes through a mailing list.
        const own = all.filter(({ header }) => !/^X-Mailman-Version/m.test(header))
        assert.ok(own.length > 0.85 * all.length)
        assert.ok(own.every(({ header, isAligned }) => mark.test(header) && isAligned))
      }
    })
  }

  it('has nothing of the platform where its address is forged', () => {
    for (const { header, isAligned } of rendered({ ...FORGED, from_addr: 'service@paypal.com' })) {
      assert.doesNotMatch(header, /^X-PP-Email/m)
      assert.equal(isAligned, false)
    }
  })
})
