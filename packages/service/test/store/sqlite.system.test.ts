/** The store on SQLite in processes that are killed, or may not write. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { openStore } from '../../store/open.ts'
import { killRounds } from './kill-rounds.ts'

const FILE = 'tamis.sqlite'

describe('SQLite file', () => {
  it('that may not grow takes nothing by halves', async (t) => {
    if (process.platform !== 'linux') return t.skip('ulimit -f counts differently elsewhere')
    const folder = temporaryFolder()
    const child = join(import.meta.dirname, 'kill-child.ts')
    // 1,000 blocks of 512 or 1,024 bytes, for any file: the log cannot grow beyond it.
    const { status, stdout, stderr } = spawnSync(
      'sh',
      ['-c', `ulimit -f 1000; exec "${process.execPath}" "${child}" 0 sqlite "${folder}"`],
      { encoding: 'utf8', timeout: 60_000 },
    )
    assert.equal(status, 1)
    assert.match(stderr, /STORE_UNAVAILABLE/)
    const store = await openStore({ dataDir: folder })
    t.after(() => store.close())
    const ham = stdout.split('\n').filter((line) => line.includes(' ham '))
    const log = await store.correctionsInOrder(0, 100_000)
    const inLog = new Set(log.map(({ feedbackId }) => feedbackId))
    assert.ok(ham.length > 0)
    for (const line of ham) assert.ok(inLog.has(line.split(' ')[2]!), line)
  })
})

describe('SQLite and kill -9', () => {
  it('loses nothing acknowledged and doubles nothing in 5 rounds', async (t) => {
    const folder = temporaryFolder()
    const figures = await killRounds({ kind: 'sqlite', place: folder }, 5)
    t.diagnostic(JSON.stringify(figures))
    assert.deepEqual([figures.lost, figures.duplicated], [0, 0])
    assert.ok(figures.acknowledged > 5)
    const database = new DatabaseSync(join(folder, FILE))
    assert.deepEqual(
      { ...database.prepare('pragma integrity_check').get() },
      {
        integrity_check: 'ok',
      },
    )
    database.close()
  })
})
