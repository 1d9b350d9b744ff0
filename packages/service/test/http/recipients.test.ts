/** One message for several recipients, on a whole service. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { build, buildOnce, ORDER, post } from './service.ts'

const app = buildOnce({ config: { learning: 'off' } })

const PATH = '/classify-stream/recipients'

function ask(userIds: unknown, message = ORDER) {
  return post(app(), PATH, message, { 'x-user-ids': JSON.stringify(userIds) })
}

async function correct(userId: string, headers: Record<string, string>, path: string) {
  const response = await post(app(), path, ORDER, { 'x-user-id': userId, ...headers })
  assert.equal(response.statusCode, 200, response.body)
}

describe('POST /classify-stream/recipients', () => {
  it('answers for each user what /classify-stream answers for them, and what it answers for nobody', async () => {
    await correct('blocks-it', { 'x-is-spam': 'true' }, '/feedback-stream')
    await correct('allows-it', { 'x-is-spam': 'false' }, '/feedback-stream')
    await correct('files-it', { 'x-classification': 'updates' }, '/tabs/feedback-stream')
    const userIds = ['blocks-it', 'allows-it', 'files-it', 'learned-nothing', 'blocks-it']

    const { shared, recipients } = (await ask(userIds)).json()

    assert.deepEqual(shared, (await post(app(), '/classify-stream', ORDER)).json())
    const alone = userIds.map(async (userId) => ({
      userId,
      ...(await post(app(), '/classify-stream', ORDER, { 'x-user-id': userId })).json(),
    }))
    assert.deepEqual(recipients, await Promise.all(alone))
    assert.deepEqual(
      recipients.map((verdict: { isSpam: boolean }) => verdict.isSpam),
      [true, false, false, false, true],
    )
    assert.equal(recipients[2].classification, 'updates')
  })

  it('says in the summary when a rule of the recipient decided, and nothing where recipients differ', async () => {
    await correct('blocked-it', { 'x-is-spam': 'true' }, '/feedback-stream')
    const summaryFor = async (userIds: string) =>
      (await post(app(), PATH, ORDER, { 'x-user-ids': userIds, 'x-summary': 'true' })).json()
        .summary
    const { sentence, reasons } = await summaryFor('["blocked-it"]')
    assert.equal(sentence, 'Spam: decided by a rule of the recipient.')
    assert.deepEqual(reasons, [])
    assert.equal((await summaryFor('["blocked-it", "another"]')).sentence, undefined)
  })

  it('adds on request which message it is and why it was judged so, the same for all users', async () => {
    const headers = { 'x-user-ids': '["nobody-yet"]' }
    const plain = (await post(app(), PATH, ORDER, headers)).json()
    const asked = await post(app(), PATH, ORDER, { ...headers, 'x-summary': 'true' })
    const { summary, ...rest } = asked.json()
    assert.deepEqual(rest, plain)
    const { reasons, sentence, ...named } = summary
    assert.match(sentence, /^[A-Z][^:]+: .*\.$/)
    assert.deepEqual(named, {
      messageId: '4711@shop.example.com',
      senderDomain: 'shop.example.com',
    })
    assert.ok(reasons.length > 0 && reasons.length <= 5)
    assert.doesNotMatch(JSON.stringify(reasons), /USER|4711|shop|example/)
    for (const { points, description } of reasons) {
      assert.equal(typeof points, 'number')
      assert.match(description, /^[A-Z].*\.$/)
    }
    const without = await post(app(), PATH, ORDER, { ...headers, 'x-summary': 'false' })
    assert.deepEqual(without.json(), plain)
    const wrong = await post(app(), PATH, ORDER, { ...headers, 'x-summary': 'yes' })
    assert.deepEqual([wrong.statusCode, wrong.json().header], [400, 'X-Summary'])
  })

  it('decides once for a user who is named a hundred times, and answers a hundred times', async (t) => {
    const { app } = await build(t, { config: { learning: 'off' } })
    const correcting = { 'x-user-id': 'often', 'x-is-spam': 'true' }
    await post(app, '/feedback-stream', ORDER, correcting)
    const userIds = Array.from({ length: 100 }, (_, i) => (i === 50 ? 'seldom' : 'often'))
    const response = await post(app, PATH, ORDER, { 'x-user-ids': JSON.stringify(userIds) })
    const { recipients } = response.json()
    assert.deepEqual(
      recipients.map(({ userId }: { userId: string }) => userId),
      userIds,
    )
    assert.equal(recipients.filter(({ isSpam }: { isSpam: boolean }) => isSpam).length, 99)
    const { body } = await app.inject('/metrics')
    const decided = Array.from(body.matchAll(/^tamis_verdicts_total\{.*\} (\d+)$/gm))
    assert.deepEqual(
      decided.map(([, count]) => count),
      ['1', '1'],
    )
  })

  it('takes user ids of any script, in UTF-8 or escaped', async () => {
    for (const header of ['["bjørn@example.com"]', '["bj\\u00f8rn@example.com"]']) {
      const bytes = Buffer.from(header).toString('latin1')
      const response = await post(app(), PATH, ORDER, { 'x-user-ids': bytes })
      assert.equal(response.json().recipients[0].userId, 'bjørn@example.com')
    }
  })

  it('takes no user and a hundred', async () => {
    assert.deepEqual((await ask([])).json().recipients, [])
    const hundred = Array.from({ length: 100 }, (_, index) => `user-${index}@mail.example.com`)
    assert.equal((await ask(hundred)).json().recipients.length, 100)
  })

  for (const [what, userIds] of [
    ['101 users', Array.from({ length: 101 }, (_, index) => `${index}`)],
    ['a user id with white space', ['two words']],
    ['a number', [4711]],
    ['an object', { a: 1 }],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const response = await ask(userIds)
      assert.equal(response.statusCode, 400)
      assert.deepEqual(response.json(), {
        error:
          'X-User-IDs must be a JSON array of at most 100 user ids, each a text of 1 to 256 visible characters',
        code: 'HEADER_INVALID',
        header: 'X-User-IDs',
      })
    })
  }

  it('refuses what is no JSON, and a request without the header', async () => {
    const broken = await post(app(), PATH, ORDER, { 'x-user-ids': 'a, b' })
    assert.equal(broken.json().code, 'HEADER_INVALID')
    const missing = await post(app(), PATH, ORDER)
    assert.match(
      missing.json().error,
      /^X-User-IDs is missing; it must be a JSON array of at most 100 user ids, each a text/,
    )
  })
})
