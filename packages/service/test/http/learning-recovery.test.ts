/** Learning and forgetting after their process died in between, or while another reads the file. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { encodeDeltas, zeroDeltas } from '../../../mail/learning/deltas.ts'
import { emptyModels } from '../../../mail/learning/empty-models.ts'
import { openStore, SQLITE_FILE } from '../../store/open.ts'
import { build, ORDER, post } from './service.ts'

const LEARNED_MS = 5_000

/** SQLite waits five seconds for a reader, when the user is deleted and when the job is done. */
const SCRUBBED_MS = 15_000

describe('learning', () => {
  it('goes on from a version that a process of an earlier release died before promoting', async (t) => {
    const dataDir = await makeFolder(t)
    const store = await openStore({ dataDir })
    const model = {
      tenant: 'default',
      baseVersion: 'any',
      deltas: encodeDeltas(zeroDeltas(emptyModels())),
      learnedToSeq: 0,
      metrics: {},
    }
    await store.saveModel(model, 'rejected')
    await store.close()
    const database = new DatabaseSync(join(dataDir, SQLITE_FILE))
    database.exec(`update model_versions set state = 'candidate'`)
    database.close()
    const { app } = await build(t, { config: { dataDir, learning: 'operator' } })
    const before = await scoreOf(app)
    // One message in sixteen is held out from learning; four are not.
    for (const i of [1, 2, 3, 4]) await correct(app, ORDER.replace('<4711@', `<${i}@`))
    await until(async () => (await scoreOf(app)) > before, LEARNED_MS)
  })
})

describe('the job of a deletion', () => {
  it('is not done while another process holds old pages of the file', async (t) => {
    const dataDir = await makeFolder(t)
    const { app } = await build(t, { config: { dataDir, learning: 'off' } })
    await correct(app, ORDER)
    const reader = new DatabaseSync(join(dataDir, SQLITE_FILE))
    t.after(() => reader.close())
    reader.exec('begin; select count(*) from corrections')
    const payload = { userId: 'the-leaver' }
    const data = { method: 'DELETE', url: '/personalization/data', payload } as const
    const { jobId } = (await app.inject(data)).json()
    const isDone = async () => (await app.inject(`/jobs/${jobId}`)).json().state === 'done'
    const deadline = performance.now() + SCRUBBED_MS
    while (!(await isDone()) && performance.now() < deadline) await sleep(100)
    assert.ok(!(await isDone()) || !(await isInFiles(dataDir, 'the-leaver')))
  })
})

async function scoreOf(app: FastifyInstance): Promise<number> {
  return (await post(app, '/classify-stream', ORDER)).json().textSpamScore
}

async function correct(app: FastifyInstance, message: string): Promise<void> {
  const headers = { 'x-user-id': 'the-leaver', 'x-is-spam': 'true' }
  assert.equal((await post(app, '/feedback-stream', message, headers)).statusCode, 200)
}

async function isInFiles(folder: string, text: string): Promise<boolean> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('tamis.sqlite'))
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name))))
  return contents.some((content) => content.includes(text))
}

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tamis-recovery-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function until(condition: () => Promise<boolean>, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, 'it does not come true')
    await sleep(50)
  }
}
