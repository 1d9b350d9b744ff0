/** Numbers for Prometheus: what is counted, and who sees it. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { keyHash } from '../../access/access.ts'
import { openStore } from '../../store/open.ts'
import { build, ORDER, post } from './service.ts'

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
    assert.equal(
      samples[`tamis_verdicts_total{tenant="default",verdict="${own}",reason="none"}`],
      1,
    )
    const ruled = 'tamis_verdicts_total{tenant="default",verdict="spam",reason="user_rule"}'
    assert.equal(samples[ruled], 1)
    assert.equal(samples[`tamis_classes_total{tenant="default",class="${classification}"}`], 3)
    const corrected = 'tamis_corrections_total{tenant="default",kind="spam"'
    assert.equal(samples[`${corrected},status="personalization_only"}`], 1)
    assert.equal(samples['tamis_senders_total{result="unknown",source="none"}'], 5)
    for (const stage of ['queue', 'worker', 'parse', 'signals', 'features', 'models']) {
      assert.equal(samples[`tamis_stage_duration_seconds_count{stage="${stage}"}`], 1, stage)
    }
    assert.equal(samples['tamis_ready'], 1)
    assert.equal(samples['tamis_queue_depth'], 0)
    assert.equal(samples['tamis_buffered_bytes'], 0)
    assert.ok(Object.keys(samples).some((name) => name.startsWith('nodejs_eventloop_lag_p99')))
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

  it('shows an administrator their own tenant, and the operator all', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tamis-metrics-'))
    t.after(() => rm(dataDir, { recursive: true, force: true }))
    const store = await openStore({ dataDir })
    for (const tenant of ['a', 'b']) {
      await store.addTenant(tenant, tenant)
      await store.addKey({
        tenant,
        name: tenant,
        hash: keyHash(`key-of-${tenant}`),
        scopes: tenant === 'a' ? ['classify', 'admin'] : ['operator'],
        entitlements: ['spam', 'classification'],
      })
    }
    await store.close()
    const { app } = await build(t, { config: { dataDir } })
    const as = (tenant: string) => ({ authorization: `Bearer key-of-${tenant}` })
    for (const tenant of ['a', 'b']) await post(app, '/classify-stream', ORDER, as(tenant))
    const namesOf = async (tenant: string) => Object.keys(await samplesOf(app, as(tenant)))
    const ofA = await namesOf('a')
    assert.ok(ofA.some((name) => name.startsWith('tamis_verdicts_total{tenant="a"')))
    assert.ok(ofA.every((name) => name.includes('tenant="a"')))
    const ofOperator = await namesOf('b')
    for (const start of [
      'tamis_verdicts_total{tenant="a"',
      'tamis_verdicts_total{tenant="b"',
      'process_',
    ]) {
      assert.ok(
        ofOperator.some((name) => name.startsWith(start)),
        start,
      )
    }
    assert.equal((await app.inject('/metrics')).statusCode, 401)
  })
})
