/** What counts beside the models: feeds, DNS lists, the rules of the operator, the time of arrival. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import type { Config } from '../../config.ts'
import { reasonsResult } from '../../http/results.ts'
import { startDnsServer, type Zone } from '../helpers/dns-server.ts'
import { build, buildOnce, judged, ORDER, post } from './service.ts'

/** URL feeds in a whole service: what a message with a listed link is told. */
describe('feeds', async () => {
  const FEED = [
    'http://login.example.com/verify?id=7',
    'http://evil.example.net/',
    'https://sites.google.com/view/prize',
    '',
  ].join('\n')

  const folder = temporaryFolder()
  const path = join(folder, 'feed.txt')
  await writeFile(path, FEED)

  const app = buildOnce({ config: { feeds: [`file:${path}`] } })

  async function feedsOf(app: FastifyInstance) {
    return (await app.inject('/ready')).json().feeds
  }

  function withLink(href: string): string {
    return `${ORDER}\r\nSee ${href} for the parcel.\r\n`
  }

  async function verdictOn(href: string, headers = {}) {
    const response = await post(app(), '/classify-stream', withLink(href), headers)
    assert.equal(response.statusCode, 200)
    return response.json()
  }

  describe('a link that stands in a feed', () => {
    before(async () => {
      await eventually(async () => (await feedsOf(app()))[0]?.entries === 3)
    })

    it('makes a message spam, and is named by the diagnostic alone', async () => {
      const href = 'http://login.example.com/verify?id=7'
      const verdict = await verdictOn(href)
      assert.equal(verdict.bypassReason, 'phishtank_match')
      assert.equal(verdict.isSpam, true)
      assert.equal(verdict.spamProbability, 1)
      assert.equal(verdict.shouldEscalate, false)

      const response = await post(app(), '/classify/diagnostic-stream', withLink(href))
      const { match, links } = response.json().urlScanner
      const { feed, ...hit } = match
      assert.match(feed, /^file:/)
      assert.deepEqual(hit, { href, entry: 1, expression: 'login.example.com/verify?id=7' })
      assert.equal(links[0].host, 'login.example.com')
      assert.equal(links[0].registrableDomain, 'example.com')
      assert.equal(links[0].match.expression, 'login.example.com/verify?id=7')
    })

    it('is found behind a wrapper, and not on a host that strangers share', async () => {
      const wrapped = 'https://www.google.com/url?q=http%3A%2F%2Fevil.example.net%2Fa'
      assert.equal((await verdictOn(wrapped)).bypassReason, 'phishtank_match')
      const other = 'https://sites.google.com/view/garden'
      assert.equal((await verdictOn(other)).bypassReason, null)
    })
  })
})

/** DNS lists in a whole service, asked at a DNS server on loopback that plays their zones. */
describe('DNS lists', async () => {
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
  })
})

/** The operator's rules over HTTP, on one whole service with a file: each test stores a text of its own. */
describe('operator rules', async () => {
  const FOLDER = temporaryFolder()
  const FILE = join(FOLDER, 'rules')
  writeFileSync(FILE, '# Ours\nthreshold 0.97 for ann@example.org\n')

  /** A message from this length on is analysed on a thread. */
  const THREAD_BYTES_MIN = 50_000

  const app = buildOnce({
    config: { dataDir: FOLDER, rules: FILE, learning: 'off' },
    modules: { smallBytesMax: THREAD_BYTES_MIN - 1 },
  })

  async function put(text: string, to: FastifyInstance = app()) {
    const answer = await to.inject({ method: 'PUT', url: '/rules', payload: { text } })
    return { status: answer.statusCode, body: answer.json() }
  }

  const rules = async () => (await app().inject('/rules')).json()

  async function verdict(headers: Record<string, string> = {}, message = ORDER) {
    return (await post(app(), '/classify-stream', message, headers)).json()
  }

  describe('the rules of the operator', () => {
    it('apply once stored, and are shown after those of the file with their hits', async () => {
      const text = 'block from shop.example.com for example.org\n'
      const { status, body } = await put(text)
      assert.equal(status, 200)
      assert.deepEqual(body, {
        file: { text: '# Ours\nthreshold 0.97 for ann@example.org\n', faults: [] },
        stored: { text, faults: [] },
        rules: [
          { id: 'file:2', text: 'threshold 0.97 for ann@example.org', hits: 0 },
          { id: 'stored:1', text: text.trim(), hits: 0 },
        ],
      })
      assert.equal((await verdict()).bypassReason, null)
      assert.equal((await verdict({ 'x-user-id': 'bo@example.org' })).bypassReason, 'user_rule')
      assert.equal((await verdict({ 'x-user-id': 'ann@example.org' })).isSpam, true)
      const hits = (await rules()).rules.map((rule: { hits: number }) => rule.hits)
      assert.deepEqual(hits, [1, 2])
      await put('')
      assert.equal((await verdict({ 'x-user-id': 'bo@example.org' })).isSpam, false)
    })

    it('stay as they are where a line is wrong, which the answer names', async () => {
      await put('block from example.net')
      const { status, body } = await put('# Ours\nblock from example.net to bo')
      assert.equal(status, 400)
      assert.deepEqual(body, {
        error:
          'text, line 2, column 24: "to" is not expected; allowed here: and, for or if authenticated',
        code: 'FIELD_INVALID',
        field: 'text',
        line: 2,
        column: 24,
      })
      assert.equal((await rules()).stored.text, 'block from example.net')
    })

    it('score, and are a term of the diagnostic and a reason', async () => {
      await put('score +6 ORDERS subject "order" and body /^thank you/')
      const { explanation } = (await post(app(), '/classify/diagnostic-stream', ORDER)).json()
      const term = explanation.for.find(({ kind }: { kind: string }) => kind === 'rule')
      assert.deepEqual([term.name, term.logit], ['ORDERS', 6])
      const { reasons } = reasonsResult(await judged(app(), ORDER))
      assert.ok(reasons.some(({ name }) => name === 'TAMIS_RULE_ORDERS'))
    })

    it('tell a mail server from when to refuse and hold the mail of each recipient', async () => {
      await put('reject-at 0.999 for example.org\nquarantine-at never for bo@example.org')
      const users = ['bo@example.org', 'cy@example.org', 'eve']
      const judgedForAll = await judged(app(), ORDER, users)
      assert.deepEqual(
        judgedForAll.users.map(({ rules }) => [rules.rejectAt, rules.quarantineAt]),
        [
          [0.999, 'never'],
          [0.999, undefined],
          [undefined, undefined],
        ],
      )
    })
  })
})

/** Old mail, asked about at every endpoint: judged as on the day it arrived, and learned as judged. */
describe('arrival', () => {
  const app = buildOnce({ config: { rspamdEndpoints: 'on' } })

  const RECEIVED =
    'Received: from a.example.net by mx.example.com; Thu, 6 Jun 2019 12:00:30 +0000\r\n'

  const UNDELIVERED = [
    'From: Anna <anna@example.net>',
    'To: ben@example.com',
    'Subject: Friday',
    'Date: Thu, 6 Jun 2019 12:00:00 +0000',
    'Message-ID: <friday@example.net>',
    '',
    'Shall we meet on Friday at noon?',
    '',
  ].join('\r\n')

  const BY_DATE = { 'x-arrival-fallback': 'date' }

  async function diagnose(message: string, headers: Record<string, string> = {}) {
    const answer = (await post(app(), '/classify/diagnostic-stream', message, headers)).json()
    const names: string[] = answer.explanation.signals.map(({ name }: { name: string }) => name)
    return { isOld: names.includes('DATE_IN_PAST'), receivedAt: answer.email.receivedAt as string }
  }

  it('is the time of the topmost Received field, so that old mail is not late', async () => {
    const receivedAt = '2019-06-06T12:00:30.000Z'
    const received = RECEIVED + UNDELIVERED
    for (const headers of [{}, BY_DATE]) {
      assert.deepEqual(await diagnose(received, headers), { isOld: false, receivedAt })
    }
    assert.ok(!('DATE_IN_PAST' in (await post(app(), '/checkv2', received)).json().symbols))
  })

  it('is now without a Received field, or the Date where X-Arrival-Fallback says so', async () => {
    const before = new Date().toISOString()
    for (const headers of [{}, { 'x-arrival-fallback': 'now' }, { 'x-arrival-fallback': '' }]) {
      const { isOld, receivedAt } = await diagnose(UNDELIVERED, headers)
      assert.ok(isOld && receivedAt >= before)
    }
    const receivedAt = '2019-06-06T12:00:00.000Z'
    assert.deepEqual(await diagnose(UNDELIVERED, BY_DATE), { isOld: false, receivedAt })
  })
})
