/**
 * PostgreSQL goes away under a whole service, by way of a network of the test's own: mail is
 * judged all the same, nothing is acknowledged that is not kept, and nobody has to restart anything.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { openStore } from '../../store/open.ts'
import { makeSchema, postgresAbsent, queryAt } from '../helpers/postgres.ts'
import { TcpProxy } from '../helpers/tcp-proxy.ts'
import { MAILBAG } from './mailbag.ts'
import { build, ORDER, post } from './service.ts'

const skip = (await postgresAbsent()) ?? false

/** Statements are on their way, and attempts to connect again have failed. */
const MEANWHILE_MS = 500

const UNAVAILABLE = { statusCode: 503, code: 'STORE_UNAVAILABLE' }

interface Outage {
  readonly app: FastifyInstance
  readonly network: TcpProxy
  /** Leads past the network that fails. */
  readonly databaseUrl: string
}

describe('a database that stands still', { skip }, () => {
  it('delays no verdict by more than the lookup, and those who have corrected count as unknown', async (t) => {
    const { app, network } = await serviceOnNetwork(t)
    await correct(app, 'ann', ORDER)
    network.pause()
    const verdict = await classify(app, 'ann')
    assert.equal(verdict.bypassReason, null)
    const { result, personalization } = await diagnose(app, 'ann')
    assert.deepEqual(result, verdict)
    assert.deepEqual(personalization, {
      rule: null,
      memory: null,
      learned: [],
      classRule: null,
      classMemory: null,
      correspondent: null,
      available: false,
    })
    // The diagnostic counts as well.
    const { body } = await app.inject('/metrics')
    assert.match(body, /^tamis_users_unknown_total 2$/m)
  })

  it('and then breaks off acknowledges nothing of what waited for it, and has nothing of it', async (t) => {
    const { app, network, databaseUrl } = await serviceOnNetwork(t)
    await correct(app, 'ann', ORDER)
    const before = await contentOf(databaseUrl)
    network.pause()
    const writes = tryAllWrites(app)
    // They are on their way to a database that does not answer.
    await sleep(MEANWHILE_MS)
    await network.cut()
    for (const answer of await writes) assert.deepEqual(answer, UNAVAILABLE)
    assert.deepEqual(await contentOf(databaseUrl), before)
    await network.restore()
    await eventually(async () => (await correct(app, 'ann', MAILBAG[0]!)).statusCode === 200)
    assert.equal((await classify(app, 'ann')).bypassReason, 'user_rule')
  })

  it('is used again when it goes on', async (t) => {
    const { app, network } = await serviceOnNetwork(t)
    await correct(app, 'ann', ORDER)
    network.pause()
    await classify(app, 'ann')
    network.resume()
    await eventually(async () => (await classify(app, 'ann')).bypassReason === 'user_rule')
    assert.equal((await correct(app, 'ann', MAILBAG[0]!)).statusCode, 200)
  })
})

describe('a database that breaks off', { skip }, () => {
  it('delays no verdict, and those who have corrected count as unknown', async (t) => {
    const { app, network } = await serviceOnNetwork(t)
    await correct(app, 'ann', ORDER)
    await network.cut()
    assert.equal((await classify(app, 'ann')).bypassReason, null)
    assert.equal((await diagnose(app, 'ann')).personalization.available, false)
  })

  it('is found again: what was acknowledged is there, and all goes on without a restart', async (t) => {
    const { app, network } = await serviceOnNetwork(t)
    const scoreOf = async () => (await classify(app, 'bob')).textSpamScore
    const shipped = await scoreOf()
    await correct(app, 'ann', ORDER)
    await network.cut()
    await correct(app, 'ann', ORDER)
    await sleep(MEANWHILE_MS)
    await network.restore()
    await eventually(async () => (await classify(app, 'ann')).bypassReason === 'user_rule')
    const { items } = (await app.inject('/personalization/memory?userId=ann')).json()
    assert.equal(items.length, 1)

    // One message in sixteen is held out from learning; four are not.
    for (const i of [1, 2, 3, 4]) {
      const { statusCode } = await correct(app, 'ann', ORDER.replace('<4711@', `<${i}@`))
      assert.equal(statusCode, 200)
    }
    await eventually(async () => (await scoreOf()) > shipped)
    const payload = { userId: 'ann' }
    const data = { method: 'DELETE', url: '/personalization/data', payload } as const
    const { jobId } = (await app.inject(data)).json()
    await eventually(async () => (await app.inject(`/jobs/${jobId}`)).json().state === 'done')
    assert.equal(await scoreOf(), shipped)
    assert.equal((await classify(app, 'ann')).bypassReason, null)
  })
})

async function classify(app: FastifyInstance, userId: string) {
  const response = await post(app, '/classify-stream', ORDER, { 'x-user-id': userId })
  assert.equal(response.statusCode, 200)
  return response.json()
}

async function diagnose(app: FastifyInstance, userId: string | undefined) {
  const headers = userId === undefined ? {} : { 'x-user-id': userId }
  const response = await post(app, '/classify/diagnostic-stream', ORDER, headers)
  assert.equal(response.statusCode, 200)
  return response.json()
}

function correct(app: FastifyInstance, userId: string, message: string) {
  return post(app, '/feedback-stream', message, { 'x-user-id': userId, 'x-is-spam': 'true' })
}

/** All that would change the store, at the same time. */
async function tryAllWrites(app: FastifyInstance) {
  const user = { 'x-user-id': 'ann' }
  const rule = { userId: 'ann', ruleType: 'Sender', label: 'ham', pattern: 'bo@example.org' }
  const { userId, ruleType, pattern } = rule
  const undo = '/feedback/5f3a1c1e-0000-4000-8000-000000000000'
  const answers = await Promise.all([
    correct(app, 'ann', MAILBAG[0]!),
    post(app, '/tabs/feedback-stream', MAILBAG[1]!, { ...user, 'x-classification': 'updates' }),
    post(app, '/personalization/rules/create-stream', MAILBAG[2]!, {
      ...user,
      'x-rule-type': 'Sender',
      'x-label': 'spam',
    }),
    app.inject({ method: 'POST', url: '/personalization/rules', payload: rule }),
    app.inject({
      method: 'DELETE',
      url: '/personalization/rules/remove',
      payload: { userId, ruleType, pattern },
    }),
    app.inject({ method: 'DELETE', url: '/personalization/data', payload: { userId } }),
    app.inject({ method: 'DELETE', url: undo }),
  ])
  return answers.map((answer) => ({ statusCode: answer.statusCode, code: answer.json().code }))
}

/** All that Ann has in the database, seen past the network that fails. */
async function contentOf(databaseUrl: string): Promise<unknown> {
  const store = await openStore({ databaseUrl, dataDir: '' })
  try {
    const { rules, spam, tabs } = await store.userProfile('ann', 100)
    const { rows: tombstones } = await queryAt(databaseUrl, 'select * from tombstones')
    return { rules, spam, tabs, tombstones }
  } finally {
    await store.close()
  }
}

async function serviceOnNetwork(t: TestContext): Promise<Outage> {
  const databaseUrl = await makeSchema((drop) => t.after(drop))
  const network = await TcpProxy.open(databaseUrl)
  t.after(() => network.close())
  const { app } = await build(t, { config: { databaseUrl: network.url, learning: 'operator' } })
  return { app, network, databaseUrl }
}
