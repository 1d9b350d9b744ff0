/** Backups of a store that another connection writes to all the time. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { backUpStore } from '../../store/backup.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { correction, key } from './samples.ts'

/** Commits a row after the other, as fast as the disk takes them, and counts those acknowledged. */
const WRITER = `
const { workerData: { file, counter } } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const database = new DatabaseSync(file)
database.exec('create table written (id text, body text)')
const insert = database.prepare('insert into written values (?, ?)')
for (let i = 1; ; i++) {
  insert.run('row-' + i, i + 'x'.repeat(2000))
  Atomics.store(counter, 0, i)
}
`

async function startWriter(t: TestContext, dataDir: string): Promise<() => number> {
  const counter = new Int32Array(new SharedArrayBuffer(4))
  const workerData = { file: join(dataDir, 'tamis.sqlite'), counter }
  const writer = new Worker(WRITER, { eval: true, workerData })
  t.after(() => writer.terminate())
  await once(writer, 'online')
  const written = () => Atomics.load(counter, 0)
  while (written() < 500) await new Promise((resolve) => setTimeout(resolve, 5))
  return written
}

function rowsIn(file: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare(query).all()
  database.close()
  return rows.map((row) => ({ ...row }))
}

describe('a backup', () => {
  it('ends while others write, is sound, and has all that was acknowledged before', async (t) => {
    const dataDir = temporaryFolder()
    const store = await openStoreHere({ dataDir })
    t.after(() => store.close())
    const { feedbackId } = await store.recordCorrection(correction())
    const written = await startWriter(t, dataDir)
    for (const name of ['one', 'two', 'three']) {
      const file = join(dataDir, `${name}.sqlite`)
      const before = written()
      assert.equal(backUpStore({ dataDir }, file), statSync(file).size)
      assert.ok(written() > before, 'nothing was written meanwhile')
      assert.deepEqual(rowsIn(file, 'pragma integrity_check'), [{ integrity_check: 'ok' }])
      const [{ last }] = rowsIn(
        file,
        'select max(cast(substr(id, 5) as integer)) as last from written',
      ) as [{ last: number }]
      assert.ok(last >= before, `${last} of ${before}`)
      assert.deepEqual(rowsIn(file, 'select feedback_id from corrections'), [
        { feedback_id: feedbackId },
      ])
    }
  })

  it('opens as a store, with its secret', async (t) => {
    const dataDir = temporaryFolder()
    const store = await openStoreHere({ dataDir })
    t.after(() => store.close())
    await store.recordCorrection(correction())
    const restored = temporaryFolder()
    backUpStore({ dataDir }, join(restored, 'tamis.sqlite'))
    const again = await openStoreHere({ dataDir: restored })
    t.after(() => again.close())
    assert.deepEqual(again.secret, store.secret)
    assert.deepEqual(await again.correctionsInOrder(0, 10), await store.correctionsInOrder(0, 10))
  })

  it('is for its owner alone, and has nothing of what was deleted', async (t) => {
    const dataDir = temporaryFolder()
    const store = await openStoreHere({ dataDir })
    t.after(() => store.close())
    await store.recordCorrection(correction({ userId: 'ann-the-user', memory: key('MEMORY') }))
    await store.deleteUser('ann-the-user', 'all')
    const file = join(dataDir, 'backup.sqlite')
    backUpStore({ dataDir }, file)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    for (const trace of ['ann-the-user', 'MEMORY']) assert.ok(!readFileSync(file).includes(trace))
  })

  it('replaces no file, and leaves nothing where it fails', async () => {
    const dataDir = temporaryFolder()
    await (await openStoreHere({ dataDir })).close()
    const folder = temporaryFolder()
    const file = join(folder, 'backup.sqlite')
    writeFileSync(file, 'the only backup')
    assert.throws(() => backUpStore({ dataDir }, file), {
      code: 'CONFIG_INVALID',
      message: `${file} exists: name a file that is not there yet`,
    })
    assert.equal(readFileSync(file, 'utf8'), 'the only backup')
    writeFileSync(join(dataDir, 'tamis.sqlite'), 'no database'.repeat(1_000))
    assert.throws(() => backUpStore({ dataDir }, join(folder, 'other.sqlite')), {
      code: 'STORE_UNAVAILABLE',
      message: /tamis\.sqlite cannot be backed up: file is not a database/,
    })
    assert.deepEqual(readdirSync(folder), ['backup.sqlite'])
  })
})
