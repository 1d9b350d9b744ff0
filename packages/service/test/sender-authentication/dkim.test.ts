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
const NEUTRAL = { result: 'neutral', domain: 'example.com' }

describe('DKIM', () => {
  it('passes a message as it was signed', async (t) => {
    assert.deepEqual(await dkimOf(t, await signed(MESSAGE, { key: RSA, domain: 'example.com' })), [
      PASS,
    ])
  })
  it('passes a signature by Ed25519', async (t) => {
    const text = await signed(MESSAGE, { key: ED25519, domain: 'example.com', selector: 'ed' })
    assert.deepEqual(await dkimOf(t, text), [PASS])
  })
  it('passes simple canonicalization', async (t) => {
    const text = await signed(MESSAGE, {
      key: RSA,
      domain: 'example.com',
      canonicalization: 'simple/simple',
    })
    assert.deepEqual(await dkimOf(t, text), [PASS])
  })
  it('passes a message that was stored with bare line feeds', async (t) => {
    const text = await signed(MESSAGE, { key: RSA, domain: 'example.com' })
    assert.deepEqual(await dkimOf(t, text.replaceAll('\r\n', '\n')), [PASS])
  })
  it('passes a message behind the From line of a mailbox', async (t) => {
    const text = await signed(MESSAGE, { key: RSA, domain: 'example.com' })
    assert.deepEqual(await dkimOf(t, `From ada@example.com Mon Jun  1 12:00:00 2026\r\n${text}`), [
      PASS,
    ])
  })
  it('is none without a signature', async (t) => {
    assert.deepEqual(await dkimOf(t, crlf(MESSAGE)), [{ result: 'none' }])
  })
  it('tells of several signatures, each by itself', async (t) => {
    const once = await signed(MESSAGE, { key: RSA, domain: 'example.com' })
    const twice = await signed(once, { key: OTHER_RSA, domain: 'example.net' })
    const broken = await signed(twice, { key: OTHER_RSA, domain: 'example.com' })
    assert.deepEqual(await dkimOf(t, broken), [
      FAIL,
      { result: 'pass', domain: 'example.net' },
      PASS,
    ])
  })
  it('fails when the body was changed', async (t) => {
    const text = await signed(MESSAGE, { key: RSA, domain: 'example.com' })
    assert.deepEqual(await dkimOf(t, text.replace('one', 'two')), [FAIL])
  })
  it('fails when a signed field was changed', async (t) => {
    const text = await signed(MESSAGE, { key: RSA, domain: 'example.com' })
    assert.deepEqual(await dkimOf(t, text.replace('Subject: Lunch', 'Subject: Money')), [FAIL])
  })
  it('fails when the signature was made by another key, as after a rotation gone wrong', async (t) => {
    const text = await signed(MESSAGE, { key: OTHER_RSA, domain: 'example.com' })
    assert.deepEqual(await dkimOf(t, text), [FAIL])
  })
  it('passes under the old and the new selector while keys are rotated', async (t) => {
    const zone = {
      'may._domainkey.example.com': { TXT: [RSA.record] },
      'june._domainkey.example.com': { TXT: [OTHER_RSA.record] },
    }
    const may = await signed(MESSAGE, { key: RSA, domain: 'example.com', selector: 'may' })
    const june = await signed(MESSAGE, { key: OTHER_RSA, domain: 'example.com', selector: 'june' })
    assert.deepEqual(await dkimOf(t, may, zone), [PASS])
    assert.deepEqual(await dkimOf(t, june, zone), [PASS])
  })
  it('is neutral for a key that was revoked or never published', async (t) => {
    for (const selector of ['revoked', 'unheard-of']) {
      const text = await signed(MESSAGE, { key: RSA, domain: 'example.com', selector })
      assert.deepEqual(await dkimOf(t, text), [NEUTRAL])
    }
  })
  it('is temperror for a key whose server fails or never answers', async (t) => {
    for (const selector of ['failing', 'silent']) {
      const text = await signed(MESSAGE, { key: RSA, domain: 'example.com', selector })
      assert.deepEqual(await dkimOf(t, text), [{ result: 'temperror', domain: 'example.com' }])
    }
  })
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
      const refused = ['fail', 'fail', ...Array(5).fill('permerror')]
      assert.deepEqual(words, answer === 'SILENT' ? Array(7).fill('temperror') : refused)
    }
  })
  it('is read for the author below eight signatures of others, of which one is then passed over', async (t) => {
    let text = await signed(MESSAGE, { key: RSA, domain: 'example.com' })
    for (let at = 0; at < 8; at++)
      text = await signed(text, { key: OTHER_RSA, domain: 'example.net' })
    const results = await dkimOf(t, text)
    assert.deepEqual([results.length, results.at(-1)], [8, PASS])
  })
  it('is neutral when the signature has expired, by the time of arrival', async (t) => {
    const expires = (time: string) =>
      signed(MESSAGE, { key: RSA, domain: 'example.com', expires: new Date(time) })
    assert.deepEqual(await dkimOf(t, await expires('2026-06-01T11:59:59Z')), [NEUTRAL])
    assert.deepEqual(await dkimOf(t, await expires('2026-06-01T12:00:01Z')), [PASS])
  })
  it('is neutral when From is not signed', async (t) => {
    const text = signedOver(MESSAGE, ['to', 'subject'], RSA, 'example.com')
    assert.deepEqual(await dkimOf(t, text), [NEUTRAL])
  })
  it('is against policy by a key of 1023 bits and fewer, or by SHA-1', async (t) => {
    const short = rsaKey(768)
    const zone = { ...ZONE, 'short._domainkey.example.com': { TXT: [short.record] } }
    const weak = await signed(MESSAGE, { key: short, domain: 'example.com', selector: 'short' })
    assert.deepEqual(await dkimOf(t, weak, zone), [{ result: 'policy', domain: 'example.com' }])
    const sha1 = await signed(MESSAGE, { key: RSA, domain: 'example.com', algorithm: 'rsa-sha1' })
    assert.deepEqual(await dkimOf(t, sha1), [{ result: 'policy', domain: 'example.com' }])
  })
  it('reads a key record that is too long for one packet', async (t) => {
    const zone = {
      's._domainkey.example.com': { TXT: [`${RSA.record}; n=${'x'.repeat(1_000)}`] },
    }
    const { verify, server } = await verifier(t, zone)
    const { results } = await verify(await signed(MESSAGE, { key: RSA, domain: 'example.com' }))
    assert.deepEqual(results.dkim, [PASS])
    assert.ok(server.questions.includes('TCP TXT s._domainkey.example.com'))
  })
})

describe('a signature that covers a part of the body (l=)', () => {
  const lengthOfBody = crlf(MESSAGE).split('\r\n\r\n').slice(1).join('\r\n\r\n').length

  it('passes while there is nothing but that part', async (t) => {
    const text = await signed(MESSAGE, {
      key: RSA,
      domain: 'example.com',
      maxBodyLength: lengthOfBody,
    })
    assert.match(text, /\bl=\d+;/)
    assert.deepEqual(await dkimOf(t, text), [PASS])
  })
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
  it('is against policy when it covers nothing (l=0)', async (t) => {
    const text = await signed(MESSAGE, { key: RSA, domain: 'example.com', maxBodyLength: 0 })
    assert.deepEqual(await dkimOf(t, text), [{ result: 'policy', domain: 'example.com' }])
  })
})

describe('a signature that names From twice (oversigned)', () => {
  const SECOND_FROM = 'From: Bank <service@example.net>\r\n'

  it('passes as it was signed', async (t) => {
    const text = signedOver(MESSAGE, ['from', 'from', 'subject'], RSA, 'example.com')
    assert.deepEqual(await dkimOf(t, text), [PASS])
  })
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
