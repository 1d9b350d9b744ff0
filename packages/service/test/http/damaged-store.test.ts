/** A service on a SQLite file of which a part is malformed. */
import assert from 'node:assert/strict'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { openStore } from '../../store/open.ts'
import { siblings } from '../helpers/siblings.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { rule } from '../store/samples.ts'
import { build, ORDER, post } from './service.ts'

const DAMAGED = {
  error: 'The file of the store is malformed: restore a backup',
  code: 'STORE_DAMAGED',
}

/** A store with a rule of Ann, whose table is overwritten. */
async function damagedStore(): Promise<string> {
  const dataDir = temporaryFolder()
  const store = await openStoreHere({ dataDir })
  await store.addRule(rule())
  await store.close()
  const file = join(dataDir, 'tamis.sqlite')
  const database = new DatabaseSync(file)
  const { rootpage } = database
    .prepare("select rootpage from sqlite_master where name = 'rules'")
    .get() as { rootpage: number }
  const { page_size } = database.prepare('pragma page_size').get() as { page_size: number }
  database.close()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(page_size, 0xa5), 0, page_size, (rootpage - 1) * page_size)
  closeSync(descriptor)
  return dataDir
}

function capture(t: TestContext) {
  const lines: string[] = []
  t.after(() => lines.splice(0))
  return {
    lines,
    log: { level: 'error', stream: { write: (line: string) => lines.push(line) } } as const,
  }
}

describe('a SQLite file that is malformed', () => {
  it('is found when the service starts: it is not ready, says why, and judges all the same', async (t) => {
    const dataDir = await damagedStore()
    const { lines, log } = capture(t)
    const { app } = await build(t, { config: { dataDir }, log, modules: { openStore } })
    const ready = await eventually(async () => {
      const answer = await app.inject('/ready')
      return answer.statusCode === 503 && answer
    })
    assert.deepEqual(ready.json(), DAMAGED)
    assert.match((await app.inject('/metrics')).body, /^tamis_ready 0$/m)
    assert.equal((await app.inject('/health')).statusCode, 200)
    const verdict = await post(app, '/classify-stream', ORDER, { 'x-user-id': 'ann' })
    assert.equal(verdict.statusCode, 200)
    assert.equal(lines.filter((line) => line.includes('STORE_DAMAGED')).length, 1)
  })

  it('is found when it is read, by one process for all', async (t) => {
    const dataDir = await damagedStore()
    const [one, two] = siblings(2)
    const apps = []
    for (const each of [one!, two!]) {
      const modules = { siblings: each, hasOffice: each === one }
      apps.push((await build(t, { config: { dataDir }, modules })).app)
    }
    for (const app of apps) assert.equal((await app.inject('/ready')).statusCode, 200)
    const verdict = await post(apps[0]!, '/classify-stream', ORDER, { 'x-user-id': 'ann' })
    assert.equal(verdict.statusCode, 200)
    const listed = await apps[0]!.inject('/personalization/rules?userId=ann')
    assert.deepEqual([listed.statusCode, listed.json().code], [503, 'STORE_UNAVAILABLE'])
    for (const app of apps) {
      await eventually(async () => (await app.inject('/ready')).statusCode === 503)
      assert.deepEqual((await app.inject('/ready')).json(), DAMAGED)
    }
  })

  it('that is sound is ready', async (t) => {
    const { app } = await build(t, { modules: { openStore } })
    await post(app, '/classify-stream', ORDER, { 'x-user-id': 'ann' })
    assert.equal((await app.inject('/ready')).statusCode, 200)
  })
})
