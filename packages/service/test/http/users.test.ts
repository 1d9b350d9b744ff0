/** What is listed and counted for whoever looks after users: users, corrections, verdicts; page by page, and for whom. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { build, buildOnce, buildTwo, judged, ORDER, PILLS, post } from './service.ts'

/** Spam whatever the models say. */
const TEST_SPAM = `${PILLS}XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X\r\n`

const AUTHENTICATED = [
  'Authentication-Results: mx.example.com; dmarc=pass header.from=shop.example.com',
  ORDER,
].join('\r\n')

async function correct(
  app: FastifyInstance,
  userId: string,
  message: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await post(app, '/feedback-stream', message, {
    'x-user-id': encodeUtf8(userId),
    'x-is-spam': 'true',
    ...headers,
  })
  assert.equal(response.statusCode, 200)
  return response.json().feedbackId
}

/** Headers are bytes, one character each. */
function encodeUtf8(text: string): string {
  return Buffer.from(text).toString('latin1')
}

async function get(app: FastifyInstance, url: string, headers: Record<string, string> = {}) {
  const response = await app.inject({ url, headers })
  return { status: response.statusCode, answer: response.json() }
}

describe('GET /users', () => {
  it('lists who has something stored, with search, page by page', async (t) => {
    const { app } = await build(t)
    for (const userId of ['ann@example.com', 'bob', 'annika', 'zoë/%']) {
      await correct(app, userId, ORDER)
    }
    await correct(app, 'bob', PILLS)
    const rule = { userId: 'rulesalone', ruleType: 'Sender', pattern: 'a.example', label: 'ham' }
    await app.inject({ method: 'POST', url: '/personalization/rules', payload: rule })

    const { answer } = await get(app, '/users')
    const counts = answer.users.map((user: Record<string, unknown>) =>
      [user['userId'], user['rules'], user['corrections'], 'lastCorrection' in user].join(' '),
    )
    assert.deepEqual(counts, [
      'ann@example.com 0 1 true',
      'annika 0 1 true',
      'bob 0 2 true',
      'rulesalone 1 0 false',
      'zoë/% 0 1 true',
    ])
    assert.equal(answer.cursor, undefined)
    assert.ok(Date.now() - Date.parse(answer.users[0].lastCorrection) < 60_000)

    const ids = ({ answer }: { answer: { users: { userId: string }[]; cursor?: string } }) => [
      ...answer.users.map(({ userId }) => userId),
      answer.cursor,
    ]
    assert.deepEqual(ids(await get(app, '/users?search=ann')), [
      'ann@example.com',
      'annika',
      undefined,
    ])
    const second = await get(app, '/users?limit=2&cursor=annika')
    assert.deepEqual(ids(second), ['bob', 'rulesalone', 'rulesalone'])

    const payload = { userId: 'bob' }
    await app.inject({ method: 'DELETE', url: '/personalization/data', payload })
    assert.deepEqual(ids(await get(app, '/users?search=b')), [undefined])
  })
})

describe('GET /personalization/memory', () => {
  it('lists what holds, newest first, with the domain of the sender, authenticated or claimed', async (t) => {
    const { app } = await build(t, { config: { trustedAuthservIds: ['mx.example.com'] } })
    const first = await correct(app, 'ann', AUTHENTICATED)
    const second = await correct(app, 'ann', PILLS)
    const third = (
      await post(app, '/tabs/feedback-stream', ORDER, {
        'x-user-id': 'ann',
        'x-classification': 'updates',
      })
    ).json().feedbackId
    const { answer } = await get(app, '/personalization/memory?userId=ann')
    assert.doesNotMatch(JSON.stringify(answer), /pills|shipped|orders@/i)
    const shown = answer.items.map((item: Record<string, unknown>) => [
      item['feedbackId'],
      item['label'],
      item['authenticatedDomain'] ?? item['claimedDomain'],
    ])
    assert.deepEqual(shown, [
      [third, 'updates', 'example.com'],
      [second, 'spam', 'example.net'],
      [first, 'spam', 'shop.example.com'],
    ])
    await app.inject({ method: 'DELETE', url: `/feedback/${second}` })
    const left = (await get(app, '/personalization/memory?userId=ann')).answer.items
    assert.deepEqual(
      left.map(({ feedbackId }: { feedbackId: string }) => feedbackId),
      [third, first],
    )
  })
})

describe('a list of what is stored', () => {
  const app = buildOnce()

  for (const [url, field] of [
    ['/users?limit=201', 'limit'],
    ['/users?search=a%20b', 'search'],
    ['/users?cursor=a%20b', 'cursor'],
    ['/personalization/memory?userId=a%20b', 'userId'],
  ] as const) {
    it(`names the field ${field} of ${url.slice(0, 60)}`, async () => {
      const { status, answer } = await get(app(), url)
      assert.deepEqual([status, answer.code, answer.field], [400, 'FIELD_INVALID', field])
    })
  }
})

describe('GET /stats', () => {
  it('counts judged mail and no other, on all threads', async (t) => {
    const [app, other] = await buildTwo(t)
    await post(app, '/classify-stream', ORDER)
    await post(other, '/tabs/classify-stream', ORDER)
    await judged(app, TEST_SPAM, ['ben', 'cleo'])
    // Neither the diagnostic nor a message that is refused counts.
    await post(app, '/classify/diagnostic-stream', ORDER)
    await post(app, '/classify-stream', ORDER, { 'x-sender-ip': 'nowhere' })
    const { judged: counts } = (await app.inject('/stats')).json()
    assert.deepEqual([counts.messages, counts.verdicts], [3, { spam: 2, ham: 1 }])
    const sum = (Object.values(counts.classes) as number[]).reduce((all, each) => all + each)
    assert.equal(sum, 4)
    assert.deepEqual(counts.latency.at(-1), { seconds: null, messages: 3 })
  })
})
