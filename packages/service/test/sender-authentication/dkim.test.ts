/** DKIM on messages signed here, with keys made here, by a DNS server on loopback. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { MethodResult } from '../../sender-authentication/results.ts'
import type { Zone } from '../helpers/dns-server.ts'
import { crlf, ed25519Key, rsaKey, rsaRecord, signed, signedOver, verifier } from './signing.ts'

const RSA = rsaKey()
const OTHER_RSA = rsaKey()
const ED25519 = ed25519Key()

const ZONE: Zone = {
  's._domainkey.example.com': { TXT: [RSA.record] },
  'ed._domainkey.example.com': { TXT: [ED25519.record] },
  's._domainkey.example.net': { TXT: [OTHER_RSA.record] },
  'revoked._domainkey.example.com': { TXT: ['v=DKIM1; p='] },
  'failing._domainkey.example.com': 'SERVFAIL',
  'silent._domainkey.example.com': 'SILENT',
}

const MESSAGE = `From: Ada <ada@example.com>
To: Ben <ben@example.org>
Subject: Lunch
Date: Mon, 1 Jun 2026 11:59:00 +0000
Message-ID: <1@example.com>

Shall we say one o'clock?

Ada
`

async function dkimOf(t: TestContext, text: string, zone = ZONE): Promise<readonly MethodResult[]> {
  const { verify } = await verifier(t, zone)
  const { results, failure } = await verify(text)
  assert.equal(failure, undefined)
  return results.dkim
}

const PASS = { result: 'pass', domain: 'example.com' }
const FAIL = { result: 'fail', domain: 'example.com' }

describe('DKIM', () => {
  it('is permerror for a key that nobody needs to verify with: its exponent or modulus is too long', async (t) => {
    for (const record of [rsaRecord(3072, 2n ** 3_000n + 1n), rsaRecord(4608, 65_537n)]) {
      const zone = { 'odd._domainkey.example.com': { TXT: [record] } }
      const text = await signed(MESSAGE, { key: RSA, domain: 'example.com', selector: 'odd' })
      assert.deepEqual(await dkimOf(t, text, zone), [
        { result: 'permerror', domain: 'example.com' },
      ])
    }
  })
  it('passes for the author below seven signatures whose keys cost much, or never come', async (t) => {
    const record = rsaRecord(4096, 2n ** 32n - 1n)
    const names = Array.from({ length: 7 }, (_, at) => `a${at}.example`)
    for (const answer of [{ TXT: [record] }, 'SILENT'] as const) {
      const zone: Zone = {
        ...ZONE,
        ...Object.fromEntries(names.map((name) => [`s._domainkey.${name}`, answer])),
      }
      let text = await signed(MESSAGE, { key: RSA, domain: 'example.com' })
      for (const domain of names) text = await signed(text, { key: OTHER_RSA, domain })
      const results = await dkimOf(t, text, zone)
      assert.deepEqual(results.at(-1), PASS)
      const words = results.slice(0, -1).map(({ result }) => result)
      const expected = answer === 'SILENT' ? 'temperror' : 'permerror'
      assert.deepEqual(words, Array(7).fill(expected))
    }
  })
  it('is read for the author below eight signatures of others, of which one is then passed over', async (t) => {
    let text = await signed(MESSAGE, { key: RSA, domain: 'example.com' })
    for (let at = 0; at < 8; at++)
      text = await signed(text, { key: OTHER_RSA, domain: 'example.net' })
    const results = await dkimOf(t, text)
    assert.deepEqual([results.length, results.at(-1)], [8, PASS])
  })
})

describe('a signature that covers a part of the body (l=)', () => {
  const lengthOfBody = crlf(MESSAGE).split('\r\n\r\n').slice(1).join('\r\n\r\n').length
  it('is against policy once something was added', async (t) => {
    const text = await signed(MESSAGE, {
      key: RSA,
      domain: 'example.com',
      maxBodyLength: lengthOfBody,
    })
    assert.deepEqual(await dkimOf(t, `${text}Send the money at once.\r\n`), [
      { result: 'policy', domain: 'example.com' },
    ])
  })
})

describe('a signature that names From twice (oversigned)', () => {
  const SECOND_FROM = 'From: Bank <service@example.net>\r\n'

  it('fails when a second From was added, above or below', async (t) => {
    const text = signedOver(MESSAGE, ['from', 'from', 'subject'], RSA, 'example.com')
    assert.deepEqual(await dkimOf(t, SECOND_FROM + text), [FAIL])
    assert.deepEqual(await dkimOf(t, text.replace('To: Ben', `${SECOND_FROM}To: Ben`)), [FAIL])
  })
  it('passes with a second From above when From was signed once: the author is nobody then', async (t) => {
    const text = signedOver(MESSAGE, ['from', 'subject'], RSA, 'example.com')
    assert.deepEqual(await dkimOf(t, SECOND_FROM + text), [PASS])
  })
})

describe('what two readers read differently', () => {
  it('proves nothing: an empty line of two CRs ends the header for some', async (t) => {
    const text = await signed(MESSAGE, { key: RSA, domain: 'example.com' })
    const split = text.replace('To: Ben', 'X-Note: see below\r\n\r\r\nPay at once!\r\nTo: Ben')
    assert.deepEqual(await dkimOf(t, split), [{ result: 'neutral' }])
  })
  it('proves nothing: a line that is no field goes to the field above for some', async (t) => {
    const text = await signed(MESSAGE, { key: RSA, domain: 'example.com' })
    const torn = text.replace('To: Ben', 'X-Note: one\r\nFrom the desk of the bank\r\nTo: Ben')
    assert.deepEqual(await dkimOf(t, torn), [{ result: 'neutral' }])
  })
})
