/** Forgetting a user while another process reads the file of the store. */
import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { build, ORDER, post } from './service.ts'

describe('the job of a deletion', () => {
  it('is not done while another process holds old pages of the file, and writes nothing meanwhile', async (t) => {
    const dataDir = temporaryFolder()
    const lines: string[] = []
    const log = { level: 'warn', stream: { write: (line: string) => lines.push(line) } } as const
    const { app } = await build(t, { config: { dataDir, learning: 'off' }, log })
    await correct(app, ORDER)
    const reader = new DatabaseSync(join(dataDir, 'tamis.sqlite'))
    t.after(() => reader.isOpen && reader.close())
    reader.exec('begin; select count(*) from corrections')
    const isDone = await deletion(app)
    await eventually(() => lines.some((line) => line.includes('Deletions are not done')))
    assert.match((await app.inject('/metrics')).body, /^tamis_deletions_waiting 1$/m)
    const { size } = await stat(join(dataDir, 'tamis.sqlite-wal'))
    // It is tried once more meanwhile.
    await sleep(6_000)
    assert.equal(await isDone(), false)
    assert.equal((await stat(join(dataDir, 'tamis.sqlite-wal'))).size, size)
    assert.ok(await isInFiles(dataDir, 'the-leaver'))
    assert.equal(lines.length, 1)
    reader.close()
    await eventually(isDone, 'The job is not done', 20_000)
    assert.ok(!(await isInFiles(dataDir, 'the-leaver')))
    assert.match((await app.inject('/metrics')).body, /^tamis_deletions_waiting 0$/m)
  })

  it('of a user with rules alone is done when no file names the user any more', async (t) => {
    const dataDir = temporaryFolder()
    const { app } = await build(t, { config: { dataDir, learning: 'off' } })
    for (let i = 0; i < 20; i++) {
      const payload = {
        ...{ userId: 'the-leaver', ruleType: 'Sender', label: 'ham' },
        pattern: `a${i}@example.com`,
      }
      await app.inject({ method: 'POST', url: '/personalization/rules', payload })
    }
    assert.ok(await isInFiles(dataDir, 'the-leaver'))
    await eventually(await deletion(app))
    assert.ok(!(await isInFiles(dataDir, 'the-leaver')))
  })
})

/** Deletes the user; whether the job is done. */
async function deletion(app: FastifyInstance): Promise<() => Promise<boolean>> {
  const payload = { userId: 'the-leaver' }
  const data = { method: 'DELETE', url: '/personalization/data', payload } as const
  const { jobId } = (await app.inject(data)).json()
  return async () => (await app.inject(`/jobs/${jobId}`)).json().state === 'done'
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
