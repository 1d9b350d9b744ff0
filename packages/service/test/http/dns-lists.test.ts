/** DNS lists in a whole service, asked at a DNS server on loopback that plays their zones. */
import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { startDnsServer, type Zone } from '../helpers/dns-server.ts'
import { build, buildOnce, ORDER, post } from './service.ts'

const LISTED: Zone = {
  // spam source, and infected machine
  '66.2.0.192.zen.spamhaus.org': { A: ['127.0.0.2', '127.0.0.4'] },
  'evil.example.dbl.spamhaus.org': { A: ['127.0.1.4'] },
  'evil.example.multi.surbl.org': { A: ['127.0.0.64'] },
  'evil.example.ours.example.org': { A: ['127.0.0.9'] },
}

const OURS = {
  name: 'ours',
  zone: 'ours.example.org',
  kind: 'domain',
  codes: { '127.0.0.9': { meaning: 'cheats our customers', logOdds: 0.5 } },
} as const

const dns = await startDnsServer({ after: after as TestContext['after'] }, LISTED)

const CONFIG: Partial<Config> = {
  authDns: dns.address,
  dnsLists: ['spamhaus', 'surbl', OURS],
  ownDomains: ['example.org'],
  rspamdEndpoints: 'on',
}

const app = buildOnce({ config: CONFIG })
const plain = buildOnce()

function withLink(href: string): string {
  return `${ORDER}\r\nSee ${href} for the parcel.\r\n`
}

async function answerOf(to: FastifyInstance, url: string, message: string, headers = {}) {
  const { statusCode, body } = await post(to, url, message, headers)
  assert.equal(statusCode, 200, body)
  return JSON.parse(body)
}

const BAD = withLink('http://www.evil.example/track')

describe('a message with a link that DNS lists have', () => {
  it('is more likely spam by the weights of the lists, 6 at most', async () => {
    const before = await answerOf(plain(), '/classify-stream', BAD)
    const listed = await answerOf(app(), '/classify-stream', BAD)
    const logOdds = (p: number) => Math.log(p / (1 - p))
    const added = logOdds(listed.spamProbability) - logOdds(before.spamProbability)
    assert.ok(Math.abs(added - 6) < 1e-6, `it added ${added}`)
    assert.equal(listed.bypassReason, null)
    assert.equal(listed.textSpamScore, before.textSpamScore)
    assert.equal(listed.metaSpamScore, before.metaSpamScore)
  })

  it('shows in the diagnostic what each list said, in terms that add up', async () => {
    const { email, explanation } = await answerOf(app(), '/classify/diagnostic-stream', BAD)
    assert.deepEqual(email.lists, [
      { list: 'spamhaus-zen', lookups: 0, hits: [], failure: null },
      {
        list: 'spamhaus-dbl',
        lookups: 2,
        hits: [{ listed: 'evil.example', meaning: 'phishing', logOdds: 5 }],
        failure: null,
      },
      {
        list: 'surbl',
        lookups: 2,
        hits: [{ listed: 'evil.example', meaning: 'spam', logOdds: 4 }],
        failure: null,
      },
      {
        list: 'ours',
        lookups: 2,
        hits: [{ listed: 'evil.example', meaning: 'cheats our customers', logOdds: 0.5 }],
        failure: null,
      },
    ])
    const terms = [...explanation.for, ...explanation.against]
    const sum = terms.reduce((total: number, { logit }: { logit: number }) => total + logit, 0)
    assert.ok(Math.abs(sum - explanation.logit) < 1e-6)
    const lists = terms.filter(({ kind }: { kind: string }) => kind === 'list')
    assert.deepEqual(
      lists.map(({ list, listed }: Record<string, string>) => `${list} ${listed}`),
      ['spamhaus-dbl evil.example', 'surbl evil.example', 'ours evil.example'],
    )
  })

  it('has a reason for each list, and the reasons add up to the score', async () => {
    const { score, reasons } = await answerOf(app(), '/classify-stream/reasons', BAD)
    const dbl = reasons.find(({ name }: { name: string }) => name === 'TAMIS_LIST_SPAMHAUS_DBL')
    assert.equal(dbl.evidence, 'evil.example')
    assert.match(dbl.description, /phishing/)
    const sum = reasons.reduce((total: number, { points }: { points: number }) => total + points, 0)
    assert.ok(Math.abs(sum - score) < 1e-6)
  })

  it('asks about the client, but not about one on the network of the operator', async () => {
    const { email } = await answerOf(app(), '/classify/diagnostic-stream', ORDER, {
      'x-sender-ip': '192.0.2.66',
    })
    assert.deepEqual(email.lists[0], {
      list: 'spamhaus-zen',
      lookups: 1,
      hits: [{ listed: '192.0.2.66', meaning: 'spam source', logOdds: 3 }],
      failure: null,
    })
    dns.questions.length = 0
    await answerOf(app(), '/classify-stream', ORDER, { 'x-sender-ip': '192.168.1.7' })
    assert.ok(!dns.questions.some((each) => each.includes('zen.spamhaus.org')))
  })

  it('asks about the client of an Rspamd request, but not about one who has logged in', async () => {
    const symbolsFor = async (headers: object) =>
      Object.keys((await answerOf(app(), '/checkv2', ORDER, headers)).symbols)
    const listed = 'TAMIS_LIST_SPAMHAUS_ZEN'
    assert.ok((await symbolsFor({ ip: '192.0.2.66' })).includes(listed))
    assert.ok((await symbolsFor({ ip: '192.0.2.66', user: '' })).includes(listed))
    for (const user of ['ann@example.org', 'j\xf8rn']) {
      assert.ok(!(await symbolsFor({ ip: '192.0.2.66', user })).includes(listed))
    }
  })

  it('remembers answers, and asks nothing about domains of the operator', async () => {
    dns.questions.length = 0
    await answerOf(app(), '/classify-stream', withLink('http://new.example.net/'))
    await answerOf(app(), '/classify-stream', withLink('http://www.example.org/'))
    await answerOf(app(), '/classify-stream', withLink('http://new.example.net/'))
    const asked = dns.questions.filter((each) => /spamhaus|surbl|ours/.test(each))
    assert.deepEqual(asked.sort(), [
      'A example.net.dbl.spamhaus.org',
      'A example.net.multi.surbl.org',
      'A example.net.ours.example.org',
    ])
  })

  it('asks nothing where the class alone is asked for', async () => {
    dns.questions.length = 0
    await answerOf(app(), '/tabs/classify-stream', withLink('http://unasked.example/'))
    assert.ok(!dns.questions.some((each) => each.includes('unasked.example')))
  })

  it('asks nothing for a correction, which is to learn from the message alone', async () => {
    dns.questions.length = 0
    const learned = withLink('http://unheard.example/')
    const { statusCode } = await post(app(), '/feedback-stream', learned, {
      'x-user-id': 'ada@example.org',
      'x-is-spam': 'true',
    })
    assert.ok(statusCode < 300, `${statusCode}`)
    assert.ok(!dns.questions.some((each) => each.includes('unheard.example')))
  })

  it('is counted in the metrics, and /ready tells an administrator how the lists do', async () => {
    const { body } = await app().inject('/metrics')
    assert.match(body, /^tamis_dns_list_lookups_total\{list="spamhaus-dbl"\} \d+$/m)
    assert.match(body, /^tamis_dns_list_hits_total\{list="surbl"\} [1-9]\d*$/m)
    const { lists } = (await app().inject('/ready')).json()
    assert.deepEqual(lists[1], { list: 'spamhaus-dbl', resting: false, lastFailure: null })
  })
})

describe('DNS lists that fail', () => {
  it('never make a verdict, and are named', async (t) => {
    const refusing = await startDnsServer(t, {
      'evil.example.dbl.spamhaus.org': { A: ['127.255.255.254'] },
      'evil.example.multi.surbl.org': { A: ['127.0.0.1'] },
      'evil.example.ours.example.org': { A: ['192.0.2.80'] },
    })
    const { app: failing } = await build(t, { config: { ...CONFIG, authDns: refusing.address } })
    const before = await answerOf(plain(), '/classify-stream', BAD)
    assert.deepEqual(await answerOf(failing, '/classify-stream', BAD), before)
    const { lists } = (await failing.inject('/ready')).json()
    assert.deepEqual(
      lists.map((each: Record<string, unknown>) => `${each['list']} ${each['lastFailure']}`),
      ['spamhaus-zen null', 'spamhaus-dbl REFUSED', 'surbl REFUSED', 'ours NOT_A_LIST'],
    )
    const { body } = await failing.inject('/metrics')
    assert.match(body, /^tamis_dns_list_failures_total\{list="surbl",reason="REFUSED"\} 1$/m)
  })

  it('are not asked again for a while when three messages have waited in vain', async (t) => {
    const silent = await startDnsServer(t, { 'evil.example.ours.example.org': 'SILENT' })
    const { app: waiting } = await build(t, {
      modules: { times: { senderChecksMs: 300 } },
      config: {
        authDns: silent.address,
        dnsLists: [OURS],
        ownDomains: ['example.com'],
        trustedAuthservIds: ['mx.example.org'],
      },
    })
    const told = `Authentication-Results: mx.example.org; dmarc=fail header.from=example.com\r\nReceived: from a by mx.example.org; Fri, 20 Nov 2026 12:00:01 +0000\r\n${BAD}`
    for (let message = 0; message < 3; message += 1) {
      await answerOf(waiting, '/classify-stream', told)
    }
    assert.equal((await waiting.inject('/ready')).json().lists[0].resting, true)
    silent.questions.length = 0
    const { email } = await answerOf(waiting, '/classify/diagnostic-stream', told)
    assert.deepEqual(email.lists, [{ list: 'ours', lookups: 0, hits: [], failure: 'NO_ANSWER' }])
    assert.deepEqual(silent.questions, [])
  })
})

describe('a service without DNS lists', () => {
  it('says nothing of them', async () => {
    const { email } = await answerOf(plain(), '/classify/diagnostic-stream', BAD)
    assert.equal('lists' in email, false)
    assert.equal('lists' in (await plain().inject('/ready')).json(), false)
  })
})
