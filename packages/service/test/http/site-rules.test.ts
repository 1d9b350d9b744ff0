/** Rules of a site over HTTP, on a whole service. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { build, ORDER, post } from './service.ts'

/** From orders@shop.example.com, as a list, by a server that the topmost Received field names. */
const NEWS = [
  'Received: from out.example.com (out-7.example.com [192.0.2.7])',
  '\tby mx.example.org with ESMTP; Fri, 20 Nov 2026 12:00:00 +0000',
  'List-Id: <news.shop.example.com>',
  ORDER,
].join('\r\n')

const CLIENT = { 'x-sender-ip': '192.0.2.7', 'x-sender-email': 'bounce@example.net' }

async function serviceWith(t: TestContext, lines: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'tamis-site-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'site.rules')
  await writeFile(path, `${lines.join('\n')}\n`)
  const { app } = await build(t, { config: { siteRules: [path], learning: 'off' } })
  const ask = async (url: string, userId?: string) =>
    (
      await post(app, url, NEWS, {
        ...CLIENT,
        ...(userId === undefined ? {} : { 'x-user-id': userId }),
      })
    ).json()
  return { app, ask, verdict: (userId?: string) => ask('/classify-stream', userId) }
}

describe('a rule of the site', () => {
  for (const block of [
    'sender orders@shop.example.com',
    'sender *@shop.example.com',
    'sender *.example.com',
    'sender bounce@example.net',
    'list news.shop.example.com',
    'host out-7.example.com',
    'network 192.0.2.0/24',
  ]) {
    it(`blocks by ${block}`, async (t) => {
      const { verdict } = await serviceWith(t, [`block ${block}`])
      const { isSpam, spamProbability, bypassReason, shouldEscalate } = await verdict()
      assert.deepEqual(
        { isSpam, spamProbability, bypassReason, shouldEscalate },
        { isSpam: true, spamProbability: 1, bypassReason: 'user_rule', shouldEscalate: false },
      )
    })
  }

  it('is about the recipients of its domain, whose user ids are addresses', async (t) => {
    const { app, verdict } = await serviceWith(t, ['block sender example.com for example.org'])
    assert.equal((await verdict('ann@Example.ORG')).isSpam, true)
    for (const other of [undefined, 'ann', 'ann@mail.example.org', 'ann@example.net']) {
      assert.equal((await verdict(other)).bypassReason, null, other)
    }
    const answer = await post(app, '/classify-stream/recipients', NEWS, {
      ...CLIENT,
      'x-user-ids': '["ann@example.org","bo@example.net"]',
    })
    const { shared, recipients } = answer.json()
    const spam = [shared, ...recipients].map(({ isSpam }: { isSpam: boolean }) => isSpam)
    assert.deepEqual(spam, [false, true, false])
  })

  it("gives way to the user's own, and comes before the memory", async (t) => {
    const { app, verdict } = await serviceWith(t, ['block sender example.com'])
    const ann = 'ann@example.org'
    await post(app, '/feedback-stream', NEWS, {
      'x-user-id': ann,
      'x-is-spam': 'false',
      'x-skip-rule-creation': 'true',
    })
    assert.equal((await verdict(ann)).isSpam, true)
    await app.inject({
      method: 'POST',
      url: '/personalization/rules',
      payload: { userId: ann, ruleType: 'Sender', label: 'ham', pattern: 'shop.example.com' },
    })
    assert.equal((await verdict(ann)).isSpam, false)
    assert.equal((await verdict('bo@example.org')).isSpam, true)
  })

  it('is shown in the diagnostic and among the reasons', async (t) => {
    const { ask } = await serviceWith(t, ['# Ours', 'block host *.example.com'])
    const { personalization, result } = await ask('/classify/diagnostic-stream')
    assert.equal(result.bypassReason, 'user_rule')
    assert.deepEqual(personalization.rule, {
      id: 'site.rules:2',
      ruleType: 'Host',
      pattern: '*.example.com',
      label: 'spam',
      verified: false,
      source: 'site',
      force: 'decides',
    })
    const { reasons, score } = await ask('/classify-stream/reasons')
    assert.equal(score, 25)
    const { points, ...reason } = reasons[0]
    assert.deepEqual(reason, {
      name: 'TAMIS_SITE_RULE',
      description: 'A rule of the site decided, and not the models.',
      evidence: 'Host *.example.com',
    })
    const sum = reasons.reduce((total: number, each: { points: number }) => total + each.points, 0)
    assert.ok(Math.abs(sum - score) < 0.5, `${sum}`)
    assert.ok(points > 0)
  })

  it('allows what comes from a network', async (t) => {
    const { verdict } = await serviceWith(t, ['allow network 192.0.2.7'])
    const { isSpam, bypassReason } = await verdict()
    assert.deepEqual({ isSpam, bypassReason }, { isSpam: false, bypassReason: 'user_rule' })
  })
})
