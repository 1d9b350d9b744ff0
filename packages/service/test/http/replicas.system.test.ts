/** Two services on one PostgreSQL: what one is told, the other honours within a second. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import type { Config } from '../../config.ts'
import { makeSchema, postgresAbsent } from '../helpers/postgres.ts'
import { build, ORDER, post } from './service.ts'

/** The promise is a second; a loaded machine gets the fallback's two more. */
const HONOURED_MS = 3_000

const skip = await postgresAbsent()

async function bypassReason(app: FastifyInstance, userId: string): Promise<string | null> {
  const response = await post(app, '/classify-stream', ORDER, { 'x-user-id': userId })
  return response.json().bypassReason
}

/** Two services on a schema that is dropped after they are closed. */
async function replicas(t: TestContext, learning: Config['learning']) {
  const dropping: (() => Promise<unknown>)[] = []
  const databaseUrl = await makeSchema((drop) => dropping.push(drop))
  const config = { databaseUrl, learning }
  const apps = [(await build(t, { config })).app, (await build(t, { config })).app] as const
  for (const drop of dropping) t.after(async () => void (await drop()))
  return apps
}

describe('two services on one PostgreSQL', { skip }, () => {
  it('honour corrections, rules and deletions of each other', async (t) => {
    const [one, other] = await replicas(t, 'off')
    // Both have looked the user up: an answer from a cache would be an old one.
    assert.equal(await bypassReason(one, 'u'), null)
    assert.equal(await bypassReason(other, 'u'), null)

    await post(one, '/feedback-stream', ORDER, { 'x-user-id': 'u', 'x-is-spam': 'true' })
    await eventually(
      async () => (await bypassReason(other, 'u')) === 'user_rule',
      'It is not honoured',
      HONOURED_MS,
    )

    const payload = { userId: 'u', ruleType: 'Sender', pattern: 'orders@shop.example.com' }
    await other.inject({ method: 'DELETE', url: '/personalization/rules/remove', payload })
    await eventually(
      async () => (await bypassReason(one, 'u')) === 'knn_memory',
      'It is not honoured',
      HONOURED_MS,
    )

    await one.inject({ method: 'DELETE', url: '/personalization/data', payload: { userId: 'u' } })
    await eventually(
      async () => (await bypassReason(other, 'u')) === null,
      'It is not honoured',
      HONOURED_MS,
    )
  })

  it('honour rules that are stored at the other', async (t) => {
    const [one, other] = await replicas(t, 'off')
    const isSpam = async () => (await post(other, '/classify-stream', ORDER)).json().isSpam
    const store = (text: string) => one.inject({ method: 'PUT', url: '/rules', payload: { text } })
    assert.equal(await isSpam(), false)
    await store('block from shop.example.com')
    await eventually(isSpam, 'The rule is not honoured', HONOURED_MS)
    await store('')
    await eventually(async () => !(await isSpam()), 'The rule is honoured still', HONOURED_MS)
  })

  it('learn the same from one log', async (t) => {
    const [one, other] = await replicas(t, 'operator')
    const scoreAt = async (app: FastifyInstance) =>
      (await post(app, '/classify-stream', ORDER)).json().textSpamScore
    const before = await scoreAt(other)
    // One message in sixteen is held out from learning; three are not.
    for (const id of ['<1@', '<2@', '<3@']) {
      const message = ORDER.replace('<4711@', id)
      await post(one, '/feedback-stream', message, { 'x-user-id': 'v', 'x-is-spam': 'true' })
    }
    await eventually(async () => (await scoreAt(one)) > before, 'It is not honoured', HONOURED_MS)
    await eventually(
      async () => {
        const [atOne, atOther] = [await scoreAt(one), await scoreAt(other)]
        return atOther > before && atOther === atOne
      },
      'It is not honoured',
      HONOURED_MS,
    )
  })
})
