/** SPF as verified here: limits and failures. Its rules are the library's. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Zone } from '../helpers/dns-server.ts'
import { CLIENT, crlf, verifier } from './signing.ts'

const MESSAGE = crlf('From: ada@example.com\n\nHello\n')

/** A zone with `record` for example.com. */
function record(text: string): Zone {
  return { 'example.com': { TXT: [text] } }
}

const CASES: Readonly<Record<string, readonly [zone: Zone, expected: string]>> = {
  'is permerror after three lookups that find nothing': [
    record('v=spf1 a:v1.example.com a:v2.example.com a:v3.example.com ip4:192.0.2.1 -all'),
    'permerror',
  ],
  'passes after two': [
    record('v=spf1 a:v1.example.com a:v2.example.com ip4:192.0.2.1 -all'),
    'pass',
  ],
  'is temperror when the server fails': [{ 'example.com': 'SERVFAIL' }, 'temperror'],
  'is temperror when the server never answers': [{ 'example.com': 'SILENT' }, 'temperror'],
}

describe('SPF', () => {
  for (const [name, [zone, expected]] of Object.entries(CASES)) {
    it(name, async (t) => {
      const { verify } = await verifier(t, zone)
      const { results } = await verify(MESSAGE, { senderIp: CLIENT, mailFrom: 'a@example.com' })
      assert.equal(results.spf?.result, expected)
    })
  }

  it('checks HELO when the envelope sender is null (§2.4)', async (t) => {
    const { verify } = await verifier(t, {
      'mail.example.com': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
    })
    const message = `Received: from mail.example.com (unknown [192.0.2.1]) by mx.example.org\r\n${MESSAGE}`
    const { results } = await verify(message, { senderIp: CLIENT, mailFrom: '' })
    assert.deepEqual(results.spf, { result: 'pass', domain: 'mail.example.com' })
  })
  it('is not asked when client or envelope is not known, and none without a HELO to ask about', async (t) => {
    const { verify, server } = await verifier(t, {})
    for (const delivery of [
      {},
      { senderIp: CLIENT },
      { mailFrom: 'a@example.com' },
      { senderIp: CLIENT, mailFrom: '' },
    ]) {
      const { results } = await verify(MESSAGE, delivery)
      const isAsked = 'senderIp' in delivery && 'mailFrom' in delivery
      assert.deepEqual(results.spf, isAsked ? { result: 'none' } : undefined)
    }
    assert.deepEqual(
      server.questions.filter((question) => !question.includes('_dmarc.')),
      [],
    )
  })
})
