/** Rules of a site over HTTP, on one whole service: each test has a domain of recipients of its own. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { buildOnce, ORDER, post } from './service.ts'

/** Of orders@shop.example.com to a list, from a client that the topmost Received field names. */
const NEWS = [
  'Received: from out.example.com (out-7.example.com [192.0.2.7])',
  '\tby mx.example.org with ESMTP; Fri, 20 Nov 2026 12:00:00 +0000',
  'List-Id: <news.shop.example.com>',
  ORDER,
].join('\r\n')

const CLIENT = { 'x-sender-ip': '192.0.2.7', 'x-sender-email': 'bounce@example.net' }

/** Rules that block NEWS, each for a domain of its own. */
const BLOCKS = {
  'address.example': 'sender orders@shop.example.com',
  'at.example': 'sender *@shop.example.com',
  'below.example': 'sender *.example.com',
  'envelope.example': 'sender bounce@example.net',
  'list.example': 'list news.shop.example.com',
  'host.example': 'host out-7.example.com',
  'network.example': 'network 192.0.2.0/24',
}

const LINES = [
  '# Ours',
  'block host *.example.com for shown.example',
  'allow network 192.0.2.7 for allowed.example',
  'block attachment script for attachment.example',
  ...Object.entries(BLOCKS).map(([domain, rule]) => `block ${rule} for ${domain}`),
]

const FOLDER = temporaryFolder()
const FILE = join(FOLDER, 'site.rules')
writeFileSync(FILE, `${LINES.join('\n')}\n`)

const app = buildOnce({ config: { siteRules: [FILE], learning: 'off' } })

async function ask(url: string, userId?: string) {
  const headers = { ...CLIENT, ...(userId === undefined ? {} : { 'x-user-id': userId }) }
  return (await post(app(), url, NEWS, headers)).json()
}

const verdict = (userId?: string) => ask('/classify-stream', userId)

describe('a rule of the site', () => {
  for (const [domain, rule] of Object.entries(BLOCKS)) {
    it(`blocks by ${rule}`, async () => {
      const { isSpam, spamProbability, bypassReason, shouldEscalate } = await verdict(
        `ann@${domain}`,
      )
      assert.deepEqual(
        { isSpam, spamProbability, bypassReason, shouldEscalate },
        { isSpam: true, spamProbability: 1, bypassReason: 'user_rule', shouldEscalate: false },
      )
    })
  }

  it('is about the recipients of its domain, whose user ids are addresses', async () => {
    assert.equal((await verdict('ann@Address.EXAMPLE')).isSpam, true)
    for (const other of [undefined, 'ann', 'ann@mail.address.example', 'ann@example.net']) {
      assert.equal((await verdict(other)).bypassReason, null, other)
    }
    const answer = await post(app(), '/classify-stream/recipients', NEWS, {
      ...CLIENT,
      'x-user-ids': '["ann@address.example","bo@example.net"]',
    })
    const { shared, recipients } = answer.json()
    const spam = [shared, ...recipients].map(({ isSpam }: { isSpam: boolean }) => isSpam)
    assert.deepEqual(spam, [false, true, false])
  })

  it('is shown in the diagnostic and among the reasons', async () => {
    const ann = 'ann@shown.example'
    const { personalization, result } = await ask('/classify/diagnostic-stream', ann)
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
    const { reasons, score } = await ask('/classify-stream/reasons', ann)
    assert.equal(score, 25)
    const { points, ...reason } = reasons[0]
    assert.deepEqual(reason, {
      name: 'TAMIS_SITE_RULE',
      description: 'A site rule decided, not the models.',
      evidence: 'Host *.example.com',
    })
    const sum = reasons.reduce((total: number, each: { points: number }) => total + each.points, 0)
    assert.ok(Math.abs(sum - score) < 0.5, `${sum}`)
    assert.ok(points > 0)
  })

  it('blocks a kind of attachment', async () => {
    // A file in the text, as mail programs of old sent it.
    const withFile = `${NEWS}begin 644 build.sh\r\n#0V%T\r\n\`\r\nend\r\n`
    const headers = { ...CLIENT, 'x-user-id': 'ann@attachment.example' }
    const reasonOf = async (message: string) =>
      (await post(app(), '/classify-stream', message, headers)).json().bypassReason
    assert.deepEqual([await reasonOf(withFile), await reasonOf(NEWS)], ['user_rule', null])
  })

  it('allows what comes from a network', async () => {
    const { isSpam, bypassReason } = await verdict('ann@allowed.example')
    assert.deepEqual({ isSpam, bypassReason }, { isSpam: false, bypassReason: 'user_rule' })
  })
})
