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

const VARIANTS = 30

const FORGED: WrittenMessage = {
  ...WRITTEN.NOTICE,
  id: 'forged',
  spam: true,
  from_name: 'Kestrel Bank',
  from_addr: 'alerts@notify.kestrelbank.com',
  forged: true,
}

function rendered(message: WrittenMessage) {
  return Array.from({ length: VARIANTS }, (_, variant) => {
    const bytes = renderWritten(message, variant)
    const parsed = parseMessage(memoryOctets(bytes))
    const header = Buffer.from(bytes).toString('latin1').split('\r\n\r\n')[0]!
    return {
      header,
      names: signals(parsed, CORPUS_FACTS).map(({ name }) => name),
      signers: [...header.matchAll(/\bd=([a-z0-9.-]+);/g)].map((match) => match[1]!),
      returnPath: /^Return-Path: <[^@>]*@?([^>]*)>/m.exec(header)?.[1] ?? '',
    }
  })
}

describe('a message with a forged From', () => {
  for (const message of [FORGED, { ...FORGED, id: 'letter', bulk: false, body: 'Call me.' }]) {
    const all = rendered(message)

    it(`keeps the address of the company (${message.id})`, () => {
      for (const { header } of all) assert.match(header, /<alerts@notify\.kestrelbank\.com>/)
    })

    it(`has no signature of that company (${message.id})`, () => {
      for (const { names, signers } of all) {
        assert.ok(!names.includes('DKIM_ALIGNED'))
        assert.ok(signers.every((domain) => registrableDomain(domain) !== 'kestrelbank.com'))
      }
      assert.ok(all.some(({ signers }) => signers.length > 0))
      assert.ok(all.some(({ signers }) => signers.length === 0))
    })

    it(`comes from and goes back to somebody else (${message.id})`, () => {
      for (const { header, returnPath } of all) {
        assert.notEqual(registrableDomain(returnPath), 'kestrelbank.com')
        assert.doesNotMatch(header, /^Received: from \S*kestrelbank\.com/m)
      }
    })
  }
})

describe('a message from a platform', () => {
  const PLATFORMS: readonly (readonly [address: string, mark: RegExp])[] = [
    ['forms-receipts-noreply@google.com', /^X-Gm-Message-State: /m],
    ['service@paypal.com', /^X-PP-Email-transmission-Id:/m],
    ['support@harrow.zendesk.com', /^X-Mailer: Zendesk Mailer/m],
    ['notifications@github.com', /^X-GitHub-Reason: /m],
    ['no-reply@dropbox.com', /^X-SES-Outgoing: /m],
  ]
  for (const [address, mark] of PLATFORMS) {
    it(`has the header fields and the signature of ${address}, spam or not`, () => {
      for (const spam of [true, false]) {
        const all = rendered({ ...WRITTEN.NOTICE, id: address, from_addr: address, spam })
        // The rest goes through a mailing list.
        const own = all.filter(({ header }) => !/^X-Mailman-Version/m.test(header))
        assert.ok(own.length > 0.85 * all.length)
        for (const { header, names } of own) {
          assert.match(header, mark)
          assert.ok(names.includes('DKIM_ALIGNED'))
        }
      }
    })
  }

  it('has nothing of the platform where its address is forged', () => {
    const forged = rendered({ ...FORGED, from_addr: 'service@paypal.com' })
    for (const { header, names } of forged) {
      assert.doesNotMatch(header, /^X-PP-Email/m)
      assert.ok(!names.includes('DKIM_ALIGNED'))
    }
  })
})
