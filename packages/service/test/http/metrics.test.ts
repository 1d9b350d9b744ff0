/** Numbers for Prometheus: what is counted, and who sees it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { build, buildTwo, ORDER, post } from './service.ts'

/** Samples by their name and labels, as they stand in the text. */
async function samplesOf(app: FastifyInstance, headers = {}): Promise<Record<string, number>> {
  const response = await app.inject({ url: '/metrics', headers })
  assert.equal(response.statusCode, 200)
  assert.match(String(response.headers['content-type']), /^text\/plain; version=0\.0\.4/)
  const lines = response.body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}

describe('GET /metrics', () => {
  it('counts requests, verdicts, classes, corrections and stages', async (t) => {
    const { app } = await build(t)
    const verdict = (await post(app, '/classify-stream', ORDER)).json()
    await post(app, '/tabs/classify-stream', ORDER)
    await post(app, '/classify/diagnostic-stream', ORDER)
    await post(app, '/classify-stream', '')
    const headers = { 'x-user-id': 'user-4711', 'x-is-spam': 'true' }
    await post(app, '/feedback-stream', ORDER, headers)
    await post(app, '/classify-stream', ORDER, headers)
    const samples = await samplesOf(app)
    const seconds = 'tamis_http_request_duration_seconds_count'
    assert.equal(samples[`${seconds}{route="/classify-stream",method="POST",status="200"}`], 2)
    assert.equal(samples[`${seconds}{route="/classify-stream",method="POST",status="400"}`], 1)
    const { isSpam, classification } = verdict
    const own = isSpam ? 'spam' : 'ham'
    assert.equal(samples[`tamis_verdicts_total{verdict="${own}",reason="none"}`], 1)
    const ruled = 'tamis_verdicts_total{verdict="spam",reason="user_rule"}'
    assert.equal(samples[ruled], 1)
    assert.equal(samples[`tamis_classes_total{class="${classification}"}`], 3)
    const corrected = 'tamis_corrections_total{kind="spam"'
    assert.equal(samples[`${corrected},status="personalization_only"}`], 1)
    assert.equal(samples['tamis_senders_total{result="unknown",source="none"}'], 5)
    for (const stage of ['queue', 'worker', 'parse', 'signals', 'features', 'models']) {
      assert.equal(samples[`tamis_stage_duration_seconds_count{stage="${stage}"}`], 1, stage)
    }
    assert.equal(samples['tamis_ready'], 1)
    assert.equal(samples['tamis_queue_depth'], 0)
    assert.equal(samples['tamis_buffered_bytes'], 0)
    assert.ok(Object.keys(samples).some((name) => name === 'tamis_event_loop_delay_p99_seconds'))
    assert.ok(Object.keys(samples).some((name) => /^tamis_info\{models="\d/.test(name)))
  })

  it('names no user, sender or message', async (t) => {
    const { app } = await build(t)
    const headers = { 'x-user-id': 'user-4711', 'x-is-spam': 'true' }
    await post(app, '/feedback-stream', ORDER, headers)
    await app.inject('/personalization/rules?userId=user-4711')
    await app.inject('/no/such/path/user-4711')
    const { body } = await app.inject('/metrics')
    for (const secret of ['user-4711', 'shop.example.com', '4711@', 'orders']) {
      assert.ok(!body.includes(secret), secret)
    }
  })

  it('tells of all threads together, whichever is asked', async (t) => {
    const [one, two] = await buildTwo(t)
    for (const app of [one, one, two]) await post(app, '/classify-stream', ORDER)
    const own = await samplesOf(one)
    const other = await samplesOf(two)
    const counted = [
      [
        'tamis_http_request_duration_seconds_count{route="/classify-stream",method="POST",status="200"}',
        3,
      ],
      ['tamis_verdicts_total{verdict="ham",reason="none"}', 3],
      ['tamis_stage_duration_seconds_count{stage="queue"}', 2],
      ['tamis_ready', 1],
      ['tamis_queue_depth', 0],
    ] as const
    for (const [name, value] of counted)
      assert.deepEqual([own[name], other[name]], [value, value], name)
    const info = Object.entries(own).filter(([name]) => name.startsWith('tamis_info'))
    assert.deepEqual(
      info.map(([, value]) => value),
      [1],
    )
  })
})
