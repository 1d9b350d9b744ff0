/** What a user's corrections change in the models for that user, beside rules and memory. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { build, post } from './service.ts'

/** Messages of one kind from several senders, no two alike enough for the memory. */
const OFFERS = [
  [
    'Otto',
    'amber',
    'Two brothers came home from the sea in 1912 and planted a vineyard. Their great-grandchildren pour for you at a tasting on the terrace',
  ],
  [
    'Berta',
    'birch',
    'Parking behind the old mill costs nothing in winter. Bring boots, because the path through the vineyard is muddy, and the tasting is worth the mud',
  ],
  [
    'Carl',
    'cedar',
    'Members of the choir pay half this month. Ask for Hannah at the gate: she knows every barrel of the vineyard and leads each tasting herself',
  ],
  [
    'Dora',
    'delta',
    'A student of the art school drew our new label. A print comes with each order, and a voucher for one tasting in the vineyard of your choice',
  ],
  [
    'Emil',
    'ember',
    'Grapes ripened early, says the owner of the vineyard, so that the tasting moves to September, rain or shine, with soup from the kitchen',
  ],
] as const

function offer([name, host, text]: (typeof OFFERS)[number]): string {
  return [
    `From: ${name} <${name.toLowerCase()}@${host}.example.com>`,
    'To: you@example.org',
    `Subject: News from ${name}`,
    `Message-ID: <${host}@example.com>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `${text}.`,
    '',
  ].join('\r\n')
}

async function probabilityFor(app: FastifyInstance, userId: string, message: string) {
  const { spamProbability, bypassReason } = (
    await post(app, '/classify-stream', message, { 'x-user-id': userId })
  ).json()
  assert.equal(bypassReason, null)
  return spamProbability
}

async function correct(app: FastifyInstance, userId: string, message: string, isSpam: boolean) {
  const headers = { 'x-user-id': userId, 'x-is-spam': String(isSpam) }
  const answer = await post(app, '/feedback-stream', message, headers)
  assert.equal(answer.statusCode, 200)
  return answer.json().feedbackId
}

const [LAST, ...EARLIER] = OFFERS.map(offer).toReversed()

async function afterCorrections(t: TestContext, learning: 'users' | 'off') {
  const { app } = await build(t, { config: { learning } })
  const before = await probabilityFor(app, 'ann', LAST!)
  const ids: string[] = []
  for (const message of EARLIER) ids.push(await correct(app, 'ann', message, true))
  return { app, before, ids }
}

describe('what a user has corrected', () => {
  it('moves the verdicts on mail of the kind for that user, and for nobody else', async (t) => {
    const { app, before } = await afterCorrections(t, 'users')
    await eventually(async () => (await probabilityFor(app, 'ann', LAST!)) > before)
    assert.equal(await probabilityFor(app, 'ben', LAST!), before)
  })

  it('is unlearned to the last bit when it is taken back, and when the user is forgotten', async (t) => {
    const { app, before, ids } = await afterCorrections(t, 'users')
    await eventually(async () => (await probabilityFor(app, 'ann', LAST!)) > before)
    for (const id of ids) await app.inject({ method: 'DELETE', url: `/feedback/${id}` })
    assert.equal(await probabilityFor(app, 'ann', LAST!), before)
    for (const message of EARLIER) await correct(app, 'cleo', message, true)
    const payload = { userId: 'cleo' }
    await app.inject({ method: 'DELETE', url: '/personalization/data', payload })
    assert.equal(await probabilityFor(app, 'cleo', LAST!), before)
  })

  it('shows in the diagnostic as one term, and in the reasons as one symbol', async (t) => {
    const { app, before } = await afterCorrections(t, 'users')
    await eventually(async () => (await probabilityFor(app, 'ann', LAST!)) > before)
    const headers = { 'x-user-id': 'ann' }
    const answer = await post(app, '/classify/diagnostic-stream', LAST!, headers)
    const { explanation } = answer.json()
    const own = explanation.for.find(({ kind }: { kind: string }) => kind === 'personal')
    assert.ok(own.logit > 0)
    const terms: { logit: number }[] = [...explanation.for, ...explanation.against]
    const sum = terms.reduce((total, { logit }) => total + logit, 0)
    assert.ok(Math.abs(sum - explanation.logit) < 1e-6)
    const { reasons } = (await post(app, '/classify-stream/reasons', LAST!, headers)).json()
    assert.ok(reasons.some(({ name }: { name: string }) => name === 'TAMIS_USER_LEARNED'))
  })

  it('names in the diagnostic the corrections behind it, and where they are withdrawn', async (t) => {
    const { app, before, ids } = await afterCorrections(t, 'users')
    await eventually(async () => (await probabilityFor(app, 'ann', LAST!)) > before)
    const { personalization } = (
      await post(app, '/classify/diagnostic-stream', LAST!, { 'x-user-id': 'ann' })
    ).json()
    assert.ok(personalization.learned.length > 0 && personalization.learned.length <= 3)
    for (const { correction, logit, withdraw } of personalization.learned) {
      assert.ok(ids.includes(correction.feedbackId))
      assert.equal(withdraw, `/feedback/${correction.feedbackId}`)
      assert.deepEqual([correction.label, correction.claimedDomain], ['spam', 'example.com'])
      assert.ok(logit > 0)
    }
    const { statusCode } = await app.inject({
      method: 'DELETE',
      url: personalization.learned[0].withdraw,
    })
    assert.equal(statusCode, 200)
  })

  it('moves no model where learning is off', async (t) => {
    const { app, before } = await afterCorrections(t, 'off')
    assert.equal(await probabilityFor(app, 'ann', LAST!), before)
  })
})
