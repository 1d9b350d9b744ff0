/** Two serving threads of one service: what is acknowledged on one holds on the other, and one learns for both. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { buildTwo, ORDER, post } from './service.ts'

describe('two serving threads of one service', () => {
  it('say once what holds for the service, and show the same feeds and the same mail', async (t) => {
    const folder = temporaryFolder()
    const path = join(folder, 'feed.txt')
    await writeFile(path, 'http://login.example.com/verify?id=7\n')
    const written: string[] = []
    const log = {
      level: 'info' as const,
      stream: { write: (line: string) => void written.push(line) },
    }
    const [first, second] = await buildTwo(t, { config: { feeds: [`file:${path}`] }, log })
    const both = [first, second] as const
    const message = ORDER.replace(
      'Thank you',
      'See http://login.example.com/verify?id=7\nThank you',
    )
    for (const app of both) {
      await eventually(
        async () => (await post(app, '/classify-stream', message)).json().bypassReason !== null,
      )
    }
    const shown = (url: string) =>
      Promise.all(both.map(async (app) => (await app.inject(url)).json()))
    for (const { feeds } of await shown('/ready')) {
      const [{ ageSeconds, ...feed }] = feeds
      assert.deepEqual(feed, { feed: 'file:feed.txt', entries: 1, lastFailure: null })
      assert.ok(ageSeconds < 60, `${ageSeconds}`)
    }
    const [stats, sameStats] = await shown('/stats')
    assert.ok(stats.judged.messages >= 2)
    assert.deepEqual(sameStats.judged, stats.judged)
    const lines = written.map((line) => JSON.parse(line).msg)
    for (const once of ['A new store was made', 'Feed in use']) {
      assert.equal(lines.filter((line) => line === once).length, 1, once)
    }
    assert.ok(!lines.includes('The store is open'))
  })

  it('judge by what the first has learned from corrections at either, and go back together', async (t) => {
    const [first, second] = await buildTwo(t, { config: { learning: 'operator' } })
    const both = [first, second] as const
    const before = await scoreAt(second)
    const statuses = []
    for (const id of ['1', '2', '3']) statuses.push(await correct(second, id))
    assert.deepEqual(statuses, ['success', 'success', 'success'])
    await second.inject({ method: 'POST', url: '/models/promote' })
    await eventually(async () => {
      const models = await Promise.all(both.map(modelsAt))
      return models.every(({ versions }) => versions[0]?.metrics.corrections === 3)
    })
    await eventually(async () => {
      const [atFirst, atSecond] = await Promise.all(both.map(scoreAt))
      return atFirst! > before && atFirst === atSecond
    })
    const learned = await scoreAt(first)

    const rollback = await second.inject({ method: 'POST', url: '/models/rollback' })
    const rolledBack = await scoreAt(second)
    assert.ok(rolledBack < learned)
    assert.equal(rolledBack === before, rollback.json().version === null)
    await eventually(async () => (await scoreAt(first)) === rolledBack)
    await second.inject({ method: 'POST', url: '/models/promote' })
    assert.equal(await scoreAt(second), learned)
    await eventually(async () => (await scoreAt(first)) === learned)

    const payload = { userId: 'u' }
    const url = '/personalization/data'
    const { jobId } = (await second.inject({ method: 'DELETE', url, payload })).json()
    await eventually(async () => (await second.inject(`/jobs/${jobId}`)).json().state === 'done')
    await eventually(async () => {
      const scores = await Promise.all(both.map(scoreAt))
      return scores.every((score) => score === before)
    })
  })
})

async function scoreAt(app: FastifyInstance): Promise<number> {
  return (await post(app, '/classify-stream', ORDER)).json().textSpamScore
}

async function modelsAt(app: FastifyInstance) {
  return (await app.inject('/models')).json()
}

async function correct(app: FastifyInstance, id: string): Promise<string> {
  const headers = { 'x-user-id': 'u', 'x-is-spam': 'true' }
  const message = ORDER.replace('<4711@', `<${id}@`)
  return (await post(app, '/feedback-stream', message, headers)).json().status
}
