/** Thresholds of users and of the recipients of a domain, over HTTP on a whole service. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildOnce, ORDER, post } from './service.ts'

const app = buildOnce({
  config: {
    threshold: 0.999,
    learning: 'operator',
    learningOffFor: ['example.org'],
    recipientThresholds: ['example.org=0.000000001', 'ann@example.org=0.998'],
  },
})

async function answer(url: string, userId?: string) {
  const headers = userId === undefined ? {} : { 'x-user-id': userId }
  return (await post(app(), url, ORDER, headers)).json()
}

describe('a threshold of a recipient', () => {
  it('decides for the recipients of its domain, but for a user with one of their own', async () => {
    const isSpam = async (userId?: string) => (await answer('/classify-stream', userId)).isSpam
    assert.equal(await isSpam(), false)
    assert.equal(await isSpam('bo@example.net'), false)
    assert.equal(await isSpam('bo@Example.org'), true)
    assert.equal(await isSpam('ann@example.org'), false)
  })

  it('decides for each of several recipients', async () => {
    const headers = { 'x-user-ids': '["bo@example.org","ann@example.org"]' }
    const { shared, recipients } = (
      await post(app(), '/classify-stream/recipients', ORDER, headers)
    ).json()
    const spam = [shared, ...recipients].map(({ isSpam }: { isSpam: boolean }) => isSpam)
    assert.deepEqual(spam, [false, true, false])
  })

  it('is that of the margin, the explanation and the score', async () => {
    const { result, explanation } = await answer('/classify/diagnostic-stream', 'bo@example.org')
    assert.equal(explanation.threshold, 1e-9)
    assert.ok(Math.abs(result.confidenceMargin - (result.spamProbability - 1e-9)) < 1e-12)
    assert.ok((await answer('/classify-stream/reasons', 'bo@example.org')).score >= 5)
    assert.ok((await answer('/classify-stream/reasons', 'ann@example.org')).score < 5)
  })
})

describe('a recipient from whom nothing is learned', () => {
  it('corrects rules and memory alone', async () => {
    const status = async (userId: string) => {
      const headers = { 'x-user-id': userId, 'x-is-spam': 'true' }
      return (await post(app(), '/feedback-stream', ORDER, headers)).json().status
    }
    assert.equal(await status('cleo@example.org'), 'personalization_only')
    assert.equal(await status('cleo@example.net'), 'success')
    assert.equal((await answer('/classify-stream', 'cleo@example.org')).bypassReason, 'user_rule')
    const { explanation } = await answer('/classify/diagnostic-stream', 'cleo@example.org')
    const kinds = [...explanation.for, ...explanation.against].map(({ kind }) => kind)
    assert.ok(!kinds.includes('personal'))
  })
})
