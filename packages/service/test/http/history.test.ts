/** The history over HTTP: what is kept of a judged message, for whom it can be searched, and when it goes. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { usersOf } from '../../access/namespace.ts'
import type { HistoryResult } from '../../http/routes/history.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { build, judged, ORDER, PILLS, post } from './service.ts'

type Entry = HistoryResult['entries'][number]

/** Longest wait for an entry: it is written a second after the verdict. */
const WRITTEN_MS = 5_000

const KEPT = { config: { historyDays: 30 } } as const

async function search(
  app: FastifyInstance,
  query = '',
  headers: Record<string, string> = {},
): Promise<HistoryResult> {
  const answer = await app.inject({ url: `/history${query}`, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

/** The entries, as soon as there are `count` of them. */
async function entriesOf(app: FastifyInstance, count: number, query = ''): Promise<Entry[]> {
  let entries: Entry[] = []
  await eventually(
    async () => {
      entries = (await search(app, query)).entries
      return entries.length >= count
    },
    `There are no ${count} entries`,
    WRITTEN_MS,
  )
  assert.equal(entries.length, count)
  return entries
}

// Each has a service of its own, and waits for it to write.
describe('the history', { concurrency: 4 }, () => {
  it('names the correction that decided, which can be withdrawn', async (t) => {
    const { app } = await build(t, KEPT)
    const headers = { 'x-user-id': 'ann', 'x-is-spam': 'true', 'x-skip-rule-creation': 'true' }
    const { feedbackId } = (await post(app, '/feedback-stream', ORDER, headers)).json()
    await post(app, '/classify-stream', ORDER, { 'x-user-id': 'ann' })
    const [entry] = await entriesOf(app, 1)
    assert.equal(entry!.bypassReason, 'knn_memory')
    const { correction, description } = entry!.reasons[0]!
    const { createdAt, ...named } = correction!
    assert.deepEqual(named, { feedbackId, label: 'spam', claimedDomain: 'example.com' })
    const said = `on ${createdAt.slice(0, 10)} the recipient marked mail from example.com as spam, and this is like it.`
    assert.equal(description, `O${said.slice(1)}`)
    assert.equal(entry!.sentence, `Spam: ${said}`)
    const withdrawn = await app.inject({ method: 'DELETE', url: `/feedback/${feedbackId}` })
    assert.equal(withdrawn.statusCode, 200)
    const again = (await post(app, '/classify-stream', ORDER, { 'x-user-id': 'ann' })).json()
    assert.equal(again.bypassReason, null)
  })

  it('has of a judged message who wrote, to whom, the verdict and its reasons, and no text', async (t) => {
    const { app } = await build(t, KEPT)
    const verdict = (
      await post(app, '/classify-stream', ORDER, {
        'x-user-id': 'ann',
        'x-sender-email': 'Bounces@Mailer.example.net',
      })
    ).json()
    const [entry] = await entriesOf(app, 1)
    const { id, judgedAt, sentence, reasons, threshold, elapsedMs, ...rest } = entry!
    assert.deepEqual(rest, {
      messageId: '4711@shop.example.com',
      sender: 'orders@shop.example.com',
      senderDomain: 'shop.example.com',
      envelopeSender: 'bounces@mailer.example.net',
      userId: 'ann',
      isSpam: verdict.isSpam,
      spamProbability: verdict.spamProbability,
      bypassReason: null,
      classification: verdict.classification,
      shouldEscalate: verdict.shouldEscalate,
    })
    assert.ok(Date.now() - Date.parse(judgedAt) < 60_000)
    assert.ok(Math.abs(verdict.confidenceMargin - (threshold - rest.spamProbability)) < 1e-9)
    assert.ok(reasons.length > 0 && reasons.length <= 5)
    for (const { description } of reasons) assert.match(description!, /^[A-Z].*\.$/)
    const told = (await post(app, '/classify-stream', ORDER, { 'x-summary': 'true' })).json()
    assert.equal(sentence, told.summary.sentence)
    assert.ok(elapsedMs >= 1)
    assert.match(id, /^\d+-\d+$/)
    assert.doesNotMatch(JSON.stringify(entry), /shipped|order 4711/i)
  })

  it('has an entry for each recipient, and one for nobody where none is named', async (t) => {
    const { app } = await build(t, KEPT)
    await judged(app, PILLS, ['ann', 'bob'])
    await entriesOf(app, 2)
    await judged(app, PILLS)
    const entries = await entriesOf(app, 3)
    assert.deepEqual(
      entries.map(({ userId }) => userId),
      [undefined, 'bob', 'ann'],
    )
  })

  it('is fed by every route that judges mail, and not by the diagnostic or a class alone', async (t) => {
    const { app } = await build(t, { config: { historyDays: 30, rspamdEndpoints: 'on' } })
    await post(app, '/classify/diagnostic-stream', ORDER)
    await post(app, '/tabs/classify-stream', ORDER)
    await post(app, '/classify-stream', ORDER)
    await post(app, '/checkv2', ORDER, { 'deliver-to': 'ann@example.com', 'queue-id': '4F00' })
    const entries = await entriesOf(app, 2)
    const [ofRspamd] = entries
    assert.equal(ofRspamd!.queueId, '4F00')
    assert.deepEqual(
      entries.map(({ userId }) => userId),
      ['ann@example.com', undefined],
    )
  })

  it('refuses what it cannot search for, and names it', async (t) => {
    const { app } = await build(t, KEPT)
    const wrong = { messageId: '', recipient: 'a b' }
    for (const [field, value] of Object.entries(wrong)) {
      const answer = await app.inject(`/history?${field}=${encodeURIComponent(value)}`)
      const { code, field: named } = answer.json()
      assert.deepEqual([answer.statusCode, code, named], [400, 'FIELD_INVALID', field])
    }
  })

  it('says that it is off, and keeps nothing then', async (t) => {
    const { app } = await build(t)
    await post(app, '/classify-stream', ORDER)
    const answer = await app.inject('/history')
    assert.deepEqual([answer.statusCode, answer.json().code], [501, 'HISTORY_OFF'])
    assert.doesNotMatch((await app.inject('/metrics')).body, /tamis_history_entries_total\{/)
  })

  it('forgets a user, also what was judged of them just before', async (t) => {
    const { app } = await build(t, KEPT)
    await post(app, '/classify-stream', ORDER, { 'x-user-id': 'ann' })
    await entriesOf(app, 1)
    // This one is not written yet when the user is forgotten.
    await post(app, '/classify-stream', PILLS, { 'x-user-id': 'ann' })
    const url = '/personalization/data'
    const payload = { userId: 'ann' }
    const { deleted } = (await app.inject({ method: 'DELETE', url, payload })).json()
    assert.equal(deleted.history, 1)
    await post(app, '/classify-stream', ORDER, { 'x-user-id': 'bob' })
    const entries = await entriesOf(app, 1)
    assert.equal(entries[0]!.userId, 'bob')
    const again = (await app.inject({ method: 'DELETE', url, payload })).json()
    assert.deepEqual(again.deleted, { rules: 0, memory: 0, feedback: 0 })
    assert.match(
      (await app.inject('/metrics')).body,
      /tamis_history_entries_total\{outcome="kept"\} 2\n/,
    )
  })

  it('is written when the service ends, and gone after the next start without it', async (t) => {
    const dataDir = temporaryFolder()
    const first = await build(t, { config: { historyDays: 30, dataDir } })
    await post(first.app, '/classify-stream', ORDER)
    await first.close()
    const entries = async () => {
      const store = await openStoreHere({ dataDir })
      try {
        return (await store.historyOf({ users: usersOf({}) }, 10)).length
      } finally {
        await store.close()
      }
    }
    assert.equal(await entries(), 1)
    await build(t, { config: { dataDir } })
    await eventually(async () => (await entries()) === 0, 'It is still there', WRITTEN_MS)
  })
})
