/** DMARC (RFC 9989) over SPF and DKIM, with zones by hand. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Zone } from '../helpers/dns-server.ts'
import { CLIENT, crlf, rsaKey, rsaRecord, signed, verifier } from './signing.ts'

const KEY = rsaKey()

/** Keys for all domains of the tests. */
const KEYS: Zone = Object.fromEntries(
  ['example.com', 'example.net'].map((domain) => [`s._domainkey.${domain}`, { TXT: [KEY.record] }]),
)

/** Mail may come from 192.0.2.1 in the name of these. */
const SENDERS: Zone = Object.fromEntries(
  ['example.com', 'example.net'].map((domain) => [domain, { TXT: ['v=spf1 ip4:192.0.2.1 -all'] }]),
)

interface Sent {
  readonly from: string
  /** Domain that signs; none when absent. */
  readonly signer?: string | undefined
  /** Domain of MAIL FROM; one without a record when absent. */
  readonly envelope?: string | undefined
}

async function dmarcOf(t: TestContext, records: Zone, { from, signer, envelope }: Sent) {
  const { verify } = await verifier(t, { ...KEYS, ...SENDERS, ...records })
  const text = `From: Ada <ada@${from}>\nSubject: Lunch\n\nHello\n`
  const message =
    signer === undefined ? crlf(text) : await signed(text, { key: KEY, domain: signer })
  const delivery = { senderIp: CLIENT, mailFrom: `a@${envelope ?? 'unlisted.example'}` }
  return (await verify(message, delivery)).results.dmarc
}

function policy(tags: string): Zone {
  return { '_dmarc.example.com': { TXT: [`v=DMARC1; ${tags}`] } }
}

describe('DMARC', () => {
  it('fails by a third party, signed and sent', async (t) => {
    const sent = { from: 'example.com', signer: 'example.net', envelope: 'example.net' }
    assert.equal((await dmarcOf(t, policy('p=none'), sent))?.result, 'fail')
  })
  it('is temperror when the record cannot be asked for, and fails all the same when a key of a third party cannot', async (t) => {
    const record: Zone = { '_dmarc.example.com': 'SERVFAIL' }
    const own = { from: 'example.com', signer: 'example.com' }
    assert.equal((await dmarcOf(t, record, own))?.result, 'temperror')
    const key: Zone = { ...policy('p=reject'), 's._domainkey.example.net': 'SILENT' }
    assert.equal((await dmarcOf(t, key, { ...own, signer: 'example.net' }))?.result, 'fail')
  })
  it('is not decided when the client is not known: SPF might have passed', async (t) => {
    const { verify } = await verifier(t, policy('p=reject'))
    const { results } = await verify(crlf('From: a@example.com\n\nHello\n'))
    assert.deepEqual(results.dmarc, {
      result: 'neutral',
      domain: 'example.com',
      policy: 'reject',
    })
  })
  it('fails also when a signature is claimed that is beyond what we verify, as no honest one is', async (t) => {
    const { verify } = await verifier(t, policy('p=reject'))
    const folded = `DKIM-Signature: v=1; d=example.com; s=s\n${' x\n'.repeat(4_000)}`
    const { results } = await verify(crlf(`${folded}From: a@example.com\n\nHello\n`), {
      senderIp: CLIENT,
      mailFrom: 'a@unlisted.example',
    })
    assert.deepEqual(results.dmarc, {
      result: 'fail',
      domain: 'example.com',
      policy: 'reject',
    })
  })
  it('fails for a forger whatever keys the forged signatures name', async (t) => {
    const record = rsaRecord(3072, 2n ** 3_000n + 1n)
    const names = Array.from({ length: 8 }, (_, at) => `a${at}.example`)
    const keys = Object.fromEntries(
      names.map((name) => [`s._domainkey.${name}`, { TXT: [record] }]),
    )
    const { verify } = await verifier(t, {
      ...policy('p=reject'),
      ...keys,
      's._domainkey.mail.example.com': { TXT: [record] },
    })
    const delivery = { senderIp: CLIENT, mailFrom: 'a@unlisted.example' }
    let text = crlf('From: a@example.com\n\nHello\n')
    for (const domain of [...names.slice(1), 'mail.example.com']) {
      text = await signed(text, { key: KEY, domain })
    }
    const { results } = await verify(text, delivery)
    assert.deepEqual(new Set(results.dkim.map(({ result }) => result)), new Set(['permerror']))
    assert.equal(results.dmarc?.result, 'fail')
  })
  it('says nothing of several authors that do not fail, and of a group', async (t) => {
    const { verify } = await verifier(t, {
      '_dmarc.example.net': { TXT: ['v=DMARC1; p=reject'] },
      'example.net': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
    })
    const delivery = { senderIp: CLIENT, mailFrom: 'b@example.net' }
    for (const from of ['a@example.com, b@example.net', 'Bank: b@example.net;']) {
      const { results } = await verify(crlf(`From: ${from}\n\nHello\n`), delivery)
      assert.equal(results.dmarc, undefined)
    }
  })
  it('fails in time when the servers of the sender are slow', async (t) => {
    const includes = Array.from({ length: 9 }, (_, at) => `include:s${at}.example.net`).join(' ')
    const slow = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`s${at}.example.net`, 'SILENT'] as const),
    )
    const zone = {
      ...policy('p=reject'),
      ...slow,
      'example.net': { TXT: [`v=spf1 ${includes} -all`] },
    }
    assert.deepEqual(await dmarcOf(t, zone, { from: 'example.com', envelope: 'example.net' }), {
      result: 'fail',
      domain: 'example.com',
      policy: 'reject',
    })
  })
})
