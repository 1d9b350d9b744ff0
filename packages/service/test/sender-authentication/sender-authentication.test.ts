/** The one answer, and what it makes of spoofs that are no plain failure of DMARC (http/spoof.test.ts has all); `example.com` is the brand. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { memoryOctets } from '../../../mail/message/octets.ts'
import type { SenderAuthentication } from '../../../mail/personalization/rules.ts'
import { DnsResolver } from '../../sender-authentication/resolver.ts'
import {
  type AuthenticatedSender,
  type AuthenticationSettings,
  startAuthentication,
} from '../../sender-authentication/sender-authentication.ts'
import type { Delivery } from '../../sender-authentication/verify.ts'
import { startDnsServer, type Zone } from '../helpers/dns-server.ts'
import { CLIENT, crlf, ed25519Key, RECEIVED_AT, signed } from './signing.ts'

const BRAND = ed25519Key()

const ZONE: Zone = {
  's._domainkey.example.com': { TXT: [BRAND.record] },
  '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
  'example.net': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
  's._domainkey.plain.example': { TXT: [BRAND.record] },
}

/** By a client that nobody vouches for. */
const STRANGER = { senderIp: '192.0.2.9', mailFrom: 'a@unlisted.example' }

const IDS = ['mx.example.org']
const RECEIVED =
  'Received: from mail.example.net ([192.0.2.1]) by mx.example.org; Mon, 1 Jun 2026 12:00:00 +0000\n'

function authenticate(
  text: string,
  settings: Partial<AuthenticationSettings>,
  delivery: Partial<Delivery> = {},
): Promise<AuthenticatedSender> {
  return startAuthentication(
    memoryOctets(Buffer.from(crlf(text), 'latin1')),
    { now: RECEIVED_AT, ...delivery },
    { authservIds: [], resolver: undefined, timeoutMs: 2_000, ...settings },
  ).sender
}

/** 'pass example.com', 'fail' or 'unknown'. */
function told(sender: SenderAuthentication): string {
  return sender.result === 'pass' ? `pass ${sender.domain}` : sender.result
}

async function withDns(t: TestContext, zone = ZONE, queryTimeoutMs = 300) {
  const server = await startDnsServer(t, zone)
  const resolver = new DnsResolver({ servers: [server.address], queryTimeoutMs })
  t.after(() => resolver.close())
  return { server, resolver }
}

describe('by the fields of a trusted host', () => {
  const cases: [string, string, string, string][] = [
    ['passes by DMARC', 'dmarc=pass header.from=example.com', 'example.com', 'pass example.com'],
    [
      'fails by DMARC',
      'dmarc=fail header.from=example.com; dkim=pass header.d=example.com',
      'example.com',
      'fail',
    ],
    [
      'does not pass by DMARC of another domain',
      'dmarc=pass header.from=example.net',
      'example.com',
      'unknown',
    ],
    ['does not pass by DMARC of no domain', 'dmarc=pass', 'example.com', 'unknown'],
    [
      'passes without a record by an aligned signature',
      'dmarc=none; dkim=pass header.d=mail.example.com',
      'news.example.com',
      'pass news.example.com',
    ],
    [
      'passes without a record by an aligned envelope',
      'dmarc=none; spf=pass smtp.mailfrom=a@bounce.example.com',
      'example.com',
      'pass example.com',
    ],
    [
      'does not pass without a record by a third party',
      'dmarc=none; dkim=pass header.d=example.net',
      'example.com',
      'unknown',
    ],
    [
      'does not fail without a record: SPF fails with every forwarded message',
      'dmarc=none; spf=fail smtp.mailfrom=a@example.com',
      'example.com',
      'unknown',
    ],
    [
      'passes without DMARC by the very same domain',
      'dkim=pass header.d=example.com',
      'example.com',
      'pass example.com',
    ],
    [
      'does not pass without DMARC by a domain of the same organisation',
      'dkim=pass header.d=mail.example.com',
      'example.com',
      'unknown',
    ],
    [
      'passes by the very same domain when the record could not be asked for',
      'dmarc=temperror; dkim=pass header.d=example.com',
      'example.com',
      'pass example.com',
    ],
    [
      'does not pass by results other than pass',
      'dmarc=none; dkim=neutral header.d=example.com; spf=softfail smtp.mailfrom=example.com',
      'example.com',
      'unknown',
    ],
    ['does not pass by ARC', 'arc=pass header.d=example.com', 'example.com', 'unknown'],
  ]
  for (const [name, results, from, expected] of cases) {
    it(name, async () => {
      const text = `Authentication-Results: mx.example.org; ${results}\n${RECEIVED}From: a@${from}\n\nHello\n`
      const sender = await authenticate(text, { authservIds: IDS })
      assert.equal(told(sender), expected)
      assert.equal(sender.details.source, 'trusted field')
    })
  }

  it('is unknown when nobody is trusted and nobody asked', async () => {
    const sender = await authenticate(
      `Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\n${RECEIVED}From: a@example.com\n\nHello\n`,
      {},
    )
    assert.deepEqual(sender, {
      result: 'unknown',
      details: { spf: undefined, dkim: [], dmarc: undefined, arc: undefined, source: 'none' },
      finding: { result: 'unknown' },
    })
  })
})

describe('by our own verification', () => {
  it('passes by DMARC', async (t) => {
    const { resolver } = await withDns(t)
    const text = await signed('From: a@example.com\n\nHello\n', {
      key: BRAND,
      domain: 'example.com',
    })
    assert.deepEqual(await authenticate(text, { resolver }), {
      result: 'pass',
      domain: 'example.com',
      details: {
        spf: undefined,
        dkim: [{ result: 'pass', domain: 'example.com' }],
        dmarc: { result: 'pass', domain: 'example.com', policy: 'reject' },
        arc: { result: 'none' },
        source: 'verified',
      },
      finding: { result: 'passed' },
    })
  })
  it('passes without a record by an aligned signature', async (t) => {
    const { resolver } = await withDns(t)
    const text = await signed('From: a@news.plain.example\n\nHello\n', {
      key: BRAND,
      domain: 'plain.example',
    })
    assert.equal(told(await authenticate(text, { resolver })), 'pass news.plain.example')
  })
  it('is unknown without a record and without a signature', async (t) => {
    const { resolver } = await withDns(t)
    assert.equal(
      told(await authenticate('From: a@plain.example\n\nHello\n', { resolver })),
      'unknown',
    )
  })
  it('hands the octets back before the DNS has answered', async (t) => {
    const { resolver } = await withDns(t, { 's._domainkey.example.com': 'SILENT' })
    const text = await signed('From: a@example.com\n\nHello\n', {
      key: BRAND,
      domain: 'example.com',
    })
    const bytes = Buffer.from(text, 'latin1')
    const { octetsRead, sender } = startAuthentication(
      memoryOctets(bytes),
      { now: RECEIVED_AT },
      { authservIds: [], resolver, timeoutMs: 2_000 },
    )
    let isAnswered = false
    void sender.then(() => {
      isAnswered = true
    })
    await octetsRead
    assert.equal(isAnswered, false)
    bytes.fill(0)
    assert.deepEqual((await sender).details.dkim, [{ result: 'temperror', domain: 'example.com' }])
  })
})

describe('a spoof of example.com', () => {
  const spoofs: [string, string, Partial<Delivery>, string][] = [
    [
      'by From alone fails',
      'From: Brand <service@example.com>\n\nPay!\n',
      { senderIp: CLIENT, mailFrom: 'a@example.net' },
      'fail',
    ],
    [
      'with forged Authentication-Results of the trusted host, below its own, fails',
      `Authentication-Results: mx.example.org; dmarc=fail header.from=example.com\n${RECEIVED}Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\nFrom: service@example.com\n\nPay!\n`,
      STRANGER,
      'fail',
    ],
    [
      'by a group is unknown',
      'From: Brand: a@example.net;\n\nPay!\n',
      { senderIp: CLIENT, mailFrom: 'a@example.net' },
      'unknown',
    ],
    [
      'by two addresses fails',
      'From: service@example.com, a@example.net\n\nPay!\n',
      { senderIp: CLIENT, mailFrom: 'a@example.net' },
      'fail',
    ],
    [
      'by no address fails',
      'From: service of example\n\nPay!\n',
      { senderIp: CLIENT, mailFrom: 'a@example.net' },
      'fail',
    ],
    [
      'by two From fields fails',
      'From: a@example.net\nFrom: service@example.com\n\nPay!\n',
      { senderIp: CLIENT, mailFrom: 'a@example.net' },
      'fail',
    ],
  ]
  for (const [name, text, delivery, expected] of spoofs) {
    it(name, async (t) => {
      const { resolver } = await withDns(t)
      assert.equal(
        told(await authenticate(text, { authservIds: IDS, resolver }, delivery)),
        expected,
      )
    })
  }

  it('over a true message, with a From field of its own above or below, fails', async (t) => {
    const { resolver } = await withDns(t)
    const text = await signed('From: service@example.com\nTo: b@example.org\n\nHello\n', {
      key: BRAND,
      domain: 'example.com',
    })
    assert.equal(told(await authenticate(`From: a@example.net\n${text}`, { resolver })), 'fail')
    const below = text.replace('To: b@', 'From: a@example.net\r\nTo: b@')
    assert.equal(told(await authenticate(below, { resolver })), 'fail')
  })
})

describe('a DNS that never answers', () => {
  const SILENT: Zone = Object.fromEntries(
    ['example.com', '_dmarc.example.com', 's._domainkey.example.com'].map(
      (name) => [name, 'SILENT'] as const,
    ),
  )
  const TIMEOUT_MS = 150

  it('leaves the answer unknown by the deadline', async (t) => {
    const HOUR_MS = 60 * 60_000
    const { resolver } = await withDns(t, SILENT, HOUR_MS)
    const text = await signed('From: a@example.com\n\nHello\n', {
      key: BRAND,
      domain: 'example.com',
    })
    const sender = await authenticate(
      text,
      { resolver, timeoutMs: TIMEOUT_MS },
      { senderIp: CLIENT, mailFrom: 'a@example.com' },
    )
    assert.equal(told(sender), 'unknown')
    const { spf, dkim, dmarc } = sender.details
    assert.deepEqual(
      [spf, ...dkim, dmarc].map((it) => it?.result),
      ['temperror', 'temperror', 'temperror'],
    )
    assert.equal(sender.failure, undefined)
  })
})
