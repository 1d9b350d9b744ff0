/** ARC (RFC 8617): chains sealed here by lists.example.net, and after it by mx.example.net. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DnsServer, Zone } from '../helpers/dns-server.ts'
import { CLIENT, crlf, ed25519Key, rsaKey, sealed, signed, verifier } from './signing.ts'

const KEY = rsaKey()
const SEALER = rsaKey()
const OTHER = ed25519Key()

const ZONE: Zone = {
  's._domainkey.example.com': { TXT: [KEY.record] },
  's._domainkey.lists.example.net': { TXT: [SEALER.record] },
  's._domainkey.mx.example.net': { TXT: [OTHER.record] },
  '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
}

/** By a client that nobody vouches for. */
const DELIVERY = { senderIp: CLIENT, mailFrom: 'a@unlisted.example' }

const MESSAGE = `From: Ada <ada@example.com>
To: list@lists.example.net
Subject: Lunch

Hello
`

/** The message as its author signed it and the list sealed it. */
async function forwarded(server: DnsServer): Promise<string> {
  const received = await signed(MESSAGE, { key: KEY, domain: 'example.com' })
  return sealed(received, 'lists.example.net', SEALER, server)
}

describe('ARC', () => {
  it('fails when replayed: the chain of one message on top of another', async (t) => {
    const { verify, server } = await verifier(t, ZONE)
    const text = await forwarded(server)
    const chain = text.slice(0, text.indexOf('DKIM-Signature:'))
    const { results } = await verify(
      chain + crlf('From: Bank <service@example.com>\nSubject: Pay\n\nPay at once!\n'),
      DELIVERY,
    )
    assert.equal(results.arc?.result, 'fail')
    assert.equal(results.dmarc?.result, 'fail')
  })
  it('vouches for nobody: a chain that passes makes no DMARC fail a pass', async (t) => {
    const { verify, server } = await verifier(t, ZONE)
    const forged = crlf('From: Bank <service@example.com>\nSubject: Pay\n\nPay at once!\n')
    const { results } = await verify(
      await sealed(forged, 'lists.example.net', SEALER, server),
      DELIVERY,
    )
    assert.equal(results.arc?.result, 'pass')
    assert.equal(results.dmarc?.result, 'fail')
  })
  it('is not looked at beyond ten sets', async (t) => {
    const { verify, server } = await verifier(t, ZONE)
    let text = await forwarded(server)
    for (let set = 2; set <= 11; set++) text = await sealed(text, 'mx.example.net', OTHER, server)
    assert.match(text, /^ARC-Seal: i=11;/m)
    assert.deepEqual((await verify(text)).results.arc, { result: 'none' })
  })
})
