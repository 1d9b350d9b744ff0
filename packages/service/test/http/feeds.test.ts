/** URL feeds in a whole service: what a message with a listed link is told. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { build, buildOnce, ORDER, post } from './service.ts'

const FEED = [
  'http://login.example.com/verify?id=7',
  'http://evil.example.net/',
  'https://sites.google.com/view/prize',
  '',
].join('\n')

const folder = temporaryFolder()
const path = join(folder, 'feed.txt')
await writeFile(path, FEED)

const app = buildOnce({ config: { feeds: `file:${path}` } })

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

  for (const [name, href] of [
    [
      'in a link that leads there by way of google.com',
      'https://www.google.com/url?q=http%3A%2F%2Fevil.example.net%2Fa',
    ],
    ['anywhere on a host that the feed names bare', 'http://evil.example.net/other/page'],
    ['in another spelling', 'HTTP://LOGIN.example.com:80/a/../verify?id=7#here'],
  ] as const) {
    it(`is found ${name}`, async () => {
      assert.equal((await verdictOn(href)).bypassReason, 'phishtank_match')
    })
  }

  for (const [name, href] of [
    ['another page of a host of which one page is listed', 'http://login.example.com/other'],
    ['another page of a host that strangers share', 'https://sites.google.com/view/garden'],
    ['a link that is written so that nobody can follow it', 'hxxp://evil[.]example[.]net/'],
  ] as const) {
    it(`is not ${name}`, async () => {
      assert.equal((await verdictOn(href)).bypassReason, null)
    })
  }

  it('outranks an allow rule of the sender, and gives way to the word on this very message', async () => {
    const href = 'http://evil.example.net/'
    const headers = { 'x-user-id': 'user-4711' }
    const rule = {
      userId: 'user-4711',
      ruleType: 'Sender',
      label: 'ham',
      pattern: 'orders@shop.example.com',
    }
    await app().inject({ method: 'POST', url: '/personalization/rules', payload: rule })
    assert.equal((await verdictOn('http://example.org/', headers)).bypassReason, 'user_rule')
    assert.equal((await verdictOn(href, headers)).bypassReason, 'phishtank_match')

    const correction = { ...headers, 'x-is-spam': 'false' }
    assert.equal(
      (await post(app(), '/feedback-stream', withLink(href), correction)).statusCode,
      200,
    )
    assert.equal((await verdictOn(href, headers)).isSpam, false)
    assert.equal((await verdictOn(href)).isSpam, true)
  })
})

describe('feeds', () => {
  it('are none unless they are configured', async (t) => {
    assert.deepEqual(await feedsOf((await build(t)).app), [])
  })

  it('are refused at the start when they are none, without a word of their key', async (t) => {
    await assert.rejects(
      build(t, { config: { feeds: 'phishtank:a secret key' } }),
      (error: Error) => {
        assert.match(error.message, /Feed 1 of TAMIS_FEEDS is not allowed/)
        assert.ok(!error.message.includes('secret'))
        return true
      },
    )
  })
})
