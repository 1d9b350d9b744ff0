/**
 * SPF as verified here, the limits and failures. The rules are held against the RFC's own
 * suite (rfc7208-suite.system.test.ts).
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Zone } from '../helpers/dns-server.ts'
import { CLIENT, crlf, verifier } from './signing.ts'

const MESSAGE = crlf('From: ada@example.com\n\nHello\n')

/** What SPF says of mail from a@example.com by 192.0.2.1. */
interface Case {
  readonly name: string
  readonly zone: Zone
  readonly expected: string
  readonly ip?: string
  readonly mailFrom?: string
}

/** A zone with `record` for example.com. */
function record(text: string, others: Zone = {}): Zone {
  return { 'example.com': { TXT: [text] }, ...others }
}

const INCLUDES = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [
    `i${at}.example.com`,
    {
      TXT: [at === 11 ? 'v=spf1 ip4:192.0.2.1 -all' : `v=spf1 include:i${at + 1}.example.com -all`],
    },
  ]),
)

const CASES: Case[] = [
  {
    name: 'is none without a record (§4.5)',
    zone: { 'example.com': { TXT: ['hello'] } },
    expected: 'none',
  },
  { name: 'is none without a domain (§4.3)', zone: {}, expected: 'none' },
  {
    name: 'passes what an included record passes (§5.2)',
    zone: record('v=spf1 include:spf.example.net -all', {
      'spf.example.net': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
    }),
    expected: 'pass',
  },
  {
    name: 'passes at ten lookups (§4.6.4)',
    zone: record('v=spf1 include:i2.example.com -all', INCLUDES),
    expected: 'pass',
  },
  {
    name: 'is permerror at eleven',
    zone: record('v=spf1 include:i1.example.com -all', INCLUDES),
    expected: 'permerror',
  },
  {
    name: 'is permerror when a record includes itself',
    zone: record('v=spf1 include:example.com -all'),
    expected: 'permerror',
  },
  {
    name: 'passes after two lookups that find nothing',
    zone: record('v=spf1 a:v1.example.com a:v2.example.com ip4:192.0.2.1 -all'),
    expected: 'pass',
  },
  {
    name: 'is permerror after three',
    zone: record('v=spf1 a:v1.example.com a:v2.example.com a:v3.example.com ip4:192.0.2.1 -all'),
    expected: 'permerror',
  },
  {
    name: 'is temperror when the server fails (§4.4)',
    zone: { 'example.com': 'SERVFAIL' },
    expected: 'temperror',
  },
  {
    name: 'is temperror when the server never answers',
    zone: { 'example.com': 'SILENT' },
    expected: 'temperror',
  },
  {
    name: 'is permerror for what is not ASCII (§3.1)',
    zone: record('v=spf1 a:\u00e9.example.com -all'),
    expected: 'permerror',
  },
  {
    name: 'is none for a label that is too long (§4.3)',
    zone: {},
    mailFrom: `a@${'x'.repeat(64)}.example.com`,
    expected: 'none',
  },
  { name: 'is none for an address literal', zone: {}, mailFrom: 'a@[192.0.2.1]', expected: 'none' },
]

describe('SPF', () => {
  for (const { name, zone, expected, ip = CLIENT, mailFrom = 'a@example.com' } of CASES) {
    it(name, async (t) => {
      const { verify } = await verifier(t, zone)
      const { results } = await verify(MESSAGE, { senderIp: ip, mailFrom })
      assert.equal(results.spf?.result, expected)
    })
  }

  it('tells the domain of the envelope sender', async (t) => {
    const { verify } = await verifier(t, {
      'bounce.example.net': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
    })
    const { results } = await verify(MESSAGE, {
      senderIp: CLIENT,
      mailFrom: 'x@Bounce.example.net',
    })
    assert.deepEqual(results.spf, { result: 'pass', domain: 'bounce.example.net' })
  })
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
