/**
 * A DNS that never answers, on a whole service that verifies senders by it: verdicts go on, none
 * later than the time for DNS allows, and nothing of it is kept.
 */
import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { type DnsServer, startDnsServer, type Zone } from '../helpers/dns-server.ts'
import { ed25519Key, signed } from '../sender-authentication/signing.ts'
import { buildOnce, ORDER, post } from './service.ts'

const KEY = ed25519Key()

/** Time for the DNS of one message. */
const AUTH_TIMEOUT_MS = 300

/** Messages of one round, each of a domain of its own, and how many are under way at once. */
const MESSAGES = 200
const AT_ONCE = 50

setFlagsFromString('--expose-gc')

const ALIVE: Zone = {
  's._domainkey.example.com': { TXT: [KEY.record] },
  '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
}

/** The names of all rounds, and what they lead to, whose servers are never heard of. */
const DEAD: Zone = Object.fromEntries(
  Array.from({ length: 6 }, (_, round) => `round-${round}.example`)
    .flatMap((parent) => [
      parent,
      ...Array.from({ length: MESSAGES }, (_, at) => `d${at}.${parent}`),
    ])
    .flatMap((domain) => [domain, `_dmarc.${domain}`, `s._domainkey.${domain}`])
    .map((name) => [name, 'SILENT'] as const),
)

const dns: DnsServer = await startDnsServer({ after: after as TestContext['after'] }, DEAD)
const app = buildOnce({
  config: { authDns: dns.address, learning: 'off' },
  modules: { times: { senderChecksMs: AUTH_TIMEOUT_MS } },
})

/** A message of `domain` from a client of which nothing is known but its address. */
function classify(domain: string, url = '/classify-stream') {
  const text = ORDER.replaceAll('shop.example.com', domain)
  const headers = { 'x-sender-ip': '192.0.2.1', 'x-sender-email': `orders@${domain}` }
  return post(app(), url, text, headers)
}

async function signedOrder(domain: string): Promise<string> {
  return signed(ORDER.replaceAll('shop.example.com', domain), { key: KEY, domain })
}

/** Calls `ask` for 0 … `count` - 1, `AT_ONCE` at a time, and gives what it gives. */
async function crowd<Answer>(count: number, ask: (at: number) => Promise<Answer>) {
  const answers: Answer[] = []
  let next = 0
  const askOnAndOn = async () => {
    while (next < count) answers.push(await ask(next++))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askOnAndOn))
  return answers
}

/** One round: statuses and `senderAuthenticated`, each once. */
async function round(number: number) {
  const answers = await crowd(MESSAGES, async (at) => {
    const response = await classify(`d${at}.round-${number}.example`)
    return `${response.statusCode} ${response.json().senderAuthenticated}`
  })
  return [...new Set(answers)]
}

describe('a DNS that never answers', () => {
  it('is a temperror of each method that asked it, and no reason to fail', async () => {
    const text = await signedOrder('d0.round-0.example')
    const response = await post(app(), '/classify/diagnostic-stream', text, {
      'x-sender-ip': '192.0.2.1',
      'x-sender-email': 'orders@d0.round-0.example',
    })
    assert.equal(response.statusCode, 200)
    const { email, result } = response.json()
    assert.equal(result.senderAuthenticated, false)
    assert.deepEqual(email.authentication, {
      source: 'verified',
      spf: { result: 'temperror', domain: 'd0.round-0.example' },
      dkim: [{ result: 'temperror', domain: 'd0.round-0.example' }],
      dmarc: { result: 'temperror', domain: 'd0.round-0.example' },
      arc: { result: 'none' },
    })
  })

  it('blocks no verdict forever', async () => {
    assert.deepEqual(await round(1), ['200 false'])
  })

  // A thread that was ended has a successor, which loads what it needs in the first message's time.
  it('is asked again when it is back', async () => {
    dns.zone = ALIVE
    const verdict = await post(app(), '/classify-stream', await signedOrder('example.com'))
    assert.equal(verdict.json().senderAuthenticated, true)
  })
})
