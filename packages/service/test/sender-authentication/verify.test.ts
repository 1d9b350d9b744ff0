/**
 * What is ours around mailauth: bounds, deadlines, alignment and policy, on messages that are signed and sealed here, by a DNS
 * server on loopback. The rules of SPF, DKIM, DMARC and ARC themselves are the library's.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { acceptableKeys } from '../../sender-authentication/signature-keys.ts'
import type { Delivery } from '../../sender-authentication/verify.ts'
import type { Zone } from '../helpers/dns-server.ts'
import { CLIENT, crlf, ed25519Key, rsaKey, rsaRecord, sealed, signed, verifier } from './signing.ts'

const KEY = rsaKey()
const SEALER = ed25519Key()

/** A key that nobody needs to verify with. */
const COSTLY_RECORD = rsaRecord(3072, 2n ** 3_000n + 1n)

const REJECT: Zone = { '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] } }

/** Mail of example.net may come from CLIENT; both domains sign. */
const ZONE: Zone = {
  ...REJECT,
  's._domainkey.example.com': { TXT: [KEY.record] },
  's._domainkey.example.net': { TXT: [KEY.record] },
  's._domainkey.mx.example.net': { TXT: [SEALER.record] },
  'example.net': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
}

/** By a client that nobody vouches for. */
const UNLISTED = { senderIp: CLIENT, mailFrom: 'a@unlisted.example' }

const MESSAGE = crlf('From: Ada <ada@example.com>\nTo: ben@example.org\nSubject: Lunch\n\nHello\n')

const FAIL = { result: 'fail', domain: 'example.com', policy: 'reject' }

async function resultsOf(
  t: TestContext,
  text: string,
  delivery: Partial<Delivery> = UNLISTED,
  zone: Zone = {},
) {
  const { verify } = await verifier(t, { ...ZONE, ...zone })
  const { results, failure } = await verify(text, delivery)
  assert.equal(failure, undefined)
  return results
}

const wordsOf = (results: readonly { result: string }[]) => results.map(({ result }) => result)

/** `text` signed by each of `domains`, the last on top. */
async function signedBy(domains: readonly string[], text = MESSAGE): Promise<string> {
  const [domain, ...others] = domains
  return domain === undefined ? text : signedBy(others, await signed(text, { key: KEY, domain }))
}

const EIGHT = Array.from({ length: 8 }, (_, at) => `a${at}.example`)

/** `answer` for the keys of these domains. */
const keysOf = (domains: readonly string[], answer: Zone[string]): Zone =>
  Object.fromEntries(domains.map((name) => [`s._domainkey.${name}`, answer]))

describe('SPF', () => {
  const record = (text: string): Zone => ({ 'example.com': { TXT: [text] } })
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
  for (const [name, [zone, expected]] of Object.entries(CASES)) {
    it(name, async (t) => {
      const delivery = { senderIp: CLIENT, mailFrom: 'a@example.com' }
      assert.equal((await resultsOf(t, MESSAGE, delivery, zone)).spf?.result, expected)
    })
  }

  it('checks HELO when the envelope sender is null (§2.4)', async (t) => {
    const zone: Zone = { 'mail.example.com': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] } }
    const message = `Received: from mail.example.com (unknown [192.0.2.1]) by mx.example.org\r\n${MESSAGE}`
    const { spf } = await resultsOf(t, message, { senderIp: CLIENT, mailFrom: '' }, zone)
    assert.deepEqual(spf, { result: 'pass', domain: 'mail.example.com' })
  })
  it('is not asked when client or envelope is not known, and none without a HELO to ask about', async (t) => {
    for (const delivery of [{}, { senderIp: CLIENT }, { mailFrom: 'a@example.com' }]) {
      assert.equal((await resultsOf(t, MESSAGE, delivery)).spf, undefined)
    }
    const { spf } = await resultsOf(t, MESSAGE, { senderIp: CLIENT, mailFrom: '' })
    assert.deepEqual(spf, { result: 'none' })
  })
})

describe('DKIM', () => {
  it('passes for the author below seven signatures whose keys cost much, or never come', async (t) => {
    const others = EIGHT.slice(1)
    const text = await signedBy(['example.com', ...others])
    for (const [answer, word] of [
      [{ TXT: [COSTLY_RECORD] }, 'permerror'],
      ['SILENT', 'temperror'],
    ] as const) {
      const { dkim } = await resultsOf(t, text, {}, keysOf(others, answer))
      assert.deepEqual(wordsOf(dkim), [...Array(7).fill(word), 'pass'])
    }
  })
  it('is read for the author below eight signatures of others, of which one is then passed over', async (t) => {
    const text = await signedBy(['example.com', ...Array(8).fill('example.net')])
    const { dkim } = await resultsOf(t, text, {})
    assert.deepEqual([dkim.length, dkim.at(-1)], [8, { result: 'pass', domain: 'example.com' }])
  })
  it('is against policy where something was added to a body of which a part is signed (l=)', async (t) => {
    const text = await signed(MESSAGE, { key: KEY, domain: 'example.com', maxBodyLength: 7 })
    const { dkim } = await resultsOf(t, `${text}Send the money at once.\r\n`)
    assert.deepEqual(dkim, [{ result: 'policy', domain: 'example.com' }])
  })
  for (const [what, added] of [
    ['an empty line of two CRs, which ends the header for some', 'X-Note: a\r\n\r\r\nPay at once!'],
    [
      'a line that is no field, which goes to the field above for some',
      'X-Note: one\r\nFrom the desk',
    ],
  ]) {
    it(`proves nothing where two readers read differently: ${what}`, async (t) => {
      const text = await signedBy(['example.com'])
      const { dkim } = await resultsOf(t, text.replace('To: ben', `${added}\r\nTo: ben`))
      assert.deepEqual(dkim, [{ result: 'neutral' }])
    })
  }
})

describe('the keys of signatures', () => {
  const USUAL = rsaRecord(2048, 65_537n)
  const cases: [string, string, boolean][] = [
    ['the usual key', USUAL, true],
    ['a short key with a small exponent', rsaRecord(1024, 3n), true],
    ['a key of 4,096 bits', rsaRecord(4096, 65_537n), true],
    ['an Ed25519 key', SEALER.record, true],
    ['a revoked key', 'v=DKIM1; p=', true],
    ['a key of more than 4,096 bits', rsaRecord(4104, 65_537n), false],
    ['an exponent above 65,537', rsaRecord(2048, 65_539n), false],
    ['an exponent as long as the modulus', COSTLY_RECORD, false],
    ['such a key behind another', `${USUAL}; ${COSTLY_RECORD}`, false],
  ]
  for (const [name, record, isGiven] of cases) {
    it(`${isGiven ? 'give' : 'refuse'} ${name}`, async () => {
      const resolve = async () => [[record.slice(0, 200), record.slice(200)]]
      const answer = acceptableKeys([], { resolve })('s._domainkey.example.com', 'TXT')
      if (isGiven) assert.deepEqual(await answer, await resolve())
      else await assert.rejects(answer, { code: 'EKEYREFUSED' })
    })
  }
})

describe('DMARC', () => {
  it('fails by a third party, signed and sent', async (t) => {
    const delivery = { senderIp: CLIENT, mailFrom: 'a@example.net' }
    assert.deepEqual((await resultsOf(t, await signedBy(['example.net']), delivery)).dmarc, FAIL)
  })
  it('is temperror when the record cannot be asked for, and fails all the same when a key of a third party cannot', async (t) => {
    const own = await signedBy(['example.com'])
    const { dmarc } = await resultsOf(t, own, UNLISTED, { '_dmarc.example.com': 'SERVFAIL' })
    assert.equal(dmarc?.result, 'temperror')
    const other = await signedBy(['example.net'])
    const late = await resultsOf(t, other, UNLISTED, keysOf(['example.net'], 'SILENT'))
    assert.deepEqual(late.dmarc, FAIL)
  })
  it('is not decided when the client is not known: SPF might have passed', async (t) => {
    assert.deepEqual((await resultsOf(t, MESSAGE, {})).dmarc, { ...FAIL, result: 'neutral' })
  })
  it('fails also when a signature is claimed that is beyond what we verify, as no honest one is', async (t) => {
    const folded = crlf(`DKIM-Signature: v=1; d=example.com; s=s\n${' x\n'.repeat(4_000)}`)
    assert.deepEqual((await resultsOf(t, folded + MESSAGE)).dmarc, FAIL)
  })
  it('fails for a forger whatever keys the forged signatures name', async (t) => {
    const names = [...EIGHT.slice(1), 'mail.example.com']
    const keys = keysOf(names, { TXT: [COSTLY_RECORD] })
    const { dkim, dmarc } = await resultsOf(t, await signedBy(names), UNLISTED, keys)
    assert.deepEqual(wordsOf(dkim), Array(8).fill('permerror'))
    assert.deepEqual(dmarc, FAIL)
  })
  it('says nothing of several authors that do not fail, and of a group', async (t) => {
    const zone: Zone = {
      '_dmarc.example.com': { TXT: [] },
      '_dmarc.example.net': { TXT: ['v=DMARC1; p=reject'] },
    }
    const delivery = { senderIp: CLIENT, mailFrom: 'b@example.net' }
    for (const from of ['a@example.com, b@example.net', 'Bank: b@example.net;']) {
      const { dmarc } = await resultsOf(t, crlf(`From: ${from}\n\nHello\n`), delivery, zone)
      assert.equal(dmarc, undefined)
    }
  })
  it('fails in time when the servers of the sender are slow', async (t) => {
    const includes = EIGHT.map((name) => `include:${name}`).join(' ')
    const zone: Zone = {
      ...Object.fromEntries(EIGHT.map((name) => [name, 'SILENT'] as const)),
      'example.net': { TXT: [`v=spf1 ${includes} -all`] },
    }
    const delivery = { senderIp: CLIENT, mailFrom: 'a@example.net' }
    assert.deepEqual((await resultsOf(t, MESSAGE, delivery, zone)).dmarc, FAIL)
  })
})

describe('ARC', () => {
  const FORGED = crlf('From: Bank <service@example.com>\nSubject: Pay\n\nPay at once!\n')

  it('fails when replayed: the chain of one message on top of another', async (t) => {
    const { verify, server } = await verifier(t, ZONE)
    const text = await sealed(await signedBy(['example.com']), 'mx.example.net', SEALER, server)
    const chain = text.slice(0, text.indexOf('DKIM-Signature:'))
    const { results } = await verify(chain + FORGED, UNLISTED)
    assert.deepEqual([results.arc?.result, results.dmarc], ['fail', FAIL])
  })
  it('vouches for nobody: a chain that passes makes no DMARC fail a pass', async (t) => {
    const { verify, server } = await verifier(t, ZONE)
    const text = await sealed(FORGED, 'mx.example.net', SEALER, server)
    const { results } = await verify(text, UNLISTED)
    assert.deepEqual([results.arc?.result, results.dmarc], ['pass', FAIL])
  })
  it('is not looked at beyond ten sets', async (t) => {
    const { verify, server } = await verifier(t, ZONE)
    let text = MESSAGE
    for (let set = 1; set <= 11; set++) text = await sealed(text, 'mx.example.net', SEALER, server)
    assert.match(text, /^ARC-Seal: i=11;/m)
    assert.deepEqual((await verify(text)).results.arc, { result: 'none' })
  })
})
