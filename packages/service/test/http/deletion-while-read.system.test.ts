/** Forgetting a user while another process reads the file of the store. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { build, ORDER, post } from './service.ts'

/** SQLite waits five seconds for a reader, when the user is deleted and when the job is done. */
const SCRUBBED_MS = 15_000

describe('the job of a deletion', () => {
  it('is not done while another process holds old pages of the file', async (t) => {
    const dataDir = temporaryFolder()
    const { app } = await build(t, { config: { dataDir, learning: 'off' } })
    await correct(app, ORDER)
    const reader = new DatabaseSync(join(dataDir, 'tamis.sqlite'))
    t.after(() => reader.close())
    reader.exec('begin; select count(*) from corrections')
    const payload = { userId: 'the-leaver' }
    const data = { method: 'DELETE', url: '/personalization/data', payload } as const
    const { jobId } = (await app.inject(data)).json()
    const isDone = async () => (await app.inject(`/jobs/${jobId}`)).json().state === 'done'
    const deadline = performance.now() + SCRUBBED_MS
    // That it is not done while the reader reads is what is tested.
    while (!(await isDone()) && performance.now() < deadline) await sleep(100)
    assert.ok(!(await isDone()) || !(await isInFiles(dataDir, 'the-leaver')))
  })
})

async function correct(app: FastifyInstance, message: string): Promise<void> {
  const headers = { 'x-user-id': 'the-leaver', 'x-is-spam': 'true' }
  assert.equal((await post(app, '/feedback-stream', message, headers)).statusCode, 200)
}

async function isInFiles(folder: string, text: string): Promise<boolean> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('tamis.sqlite'))
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name))))
  return contents.some((content) => content.includes(text))
}
