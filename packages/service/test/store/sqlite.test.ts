/** The store on SQLite: the suite of both databases, and what is particular to a file. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { openStore, type StoreOptions } from '../../store/open.ts'
import * as reads from '../../store/reads.ts'
import { SqliteConnection } from '../../store/sqlite-connection.ts'
import type { Store } from '../../store/store.ts'
import type { Queries } from '../../store/tables.ts'
import { sharedByThreads } from '../helpers/shared.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { correction, key, rule } from './samples.ts'
import { type MakeDatabase, storeTests, TABLES, type TestDatabase } from './store-tests.ts'

/** A step of a plan that reads a table, and not rows that were read before, or that sorts. */
const READS_OR_SORTS =
  /^(?:(?:SEARCH|SCAN) (?:rules|corrections|history|changes)\b|USE TEMP B-TREE)/

type OnEnd = Parameters<MakeDatabase>[0]

const FILE = 'tamis.sqlite'

storeTests('SQLite', makeDatabase)

describe('SQLite file', () => {
  it('gives the data of a user without reading that of others, and corrections already in order', async (t) => {
    const plans = await plansOf(t, async (db) => {
      await reads.userProfile(db, 'ann', 2_000)
      await reads.correctedFeatures(db, 'ann', 'v1', 256)
    })
    const ofUser = 'INDEX corrections_active_of_user (user_id=? AND kind=?)'
    assert.deepEqual(plans, [
      'SEARCH rules USING INDEX rules_of_user (user_id=?)',
      'USE TEMP B-TREE FOR ORDER BY',
      ...Array(4).fill(`SEARCH corrections USING ${ofUser}`),
    ])
  })

  it('is made in a folder that is not there yet, read by its owner alone, and named by its whole path', async (t) => {
    const folder = join(temporaryFolder(), 'data')
    const store = await openStore({ dataDir: relative('', folder) })
    t.after(() => store.close())
    const owner = userInfo().username
    assert.deepEqual(store.place, { at: join(folder, FILE), owner, isNew: true })
    await store.recordCorrection(correction())
    const names = (await readdir(folder)).toSorted()
    assert.deepEqual(names, [FILE, `${FILE}-shm`, `${FILE}-wal`])
    for (const name of names) assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600)
  })

  it('that cannot be opened is named, and why', async () => {
    const folder = temporaryFolder()
    await mkdir(join(folder, FILE))
    await assert.rejects(openStore({ dataDir: folder }), {
      code: 'STORE_UNAVAILABLE',
      message: /^Cannot open \/.*\/tamis.sqlite: SQLite 14: unable/,
    })
  })

  it('made by a newer version is refused', async () => {
    const folder = temporaryFolder()
    await (await openStoreHere({ dataDir: folder })).close()
    execute(join(folder, FILE), "insert into kysely_migration values ('9999-newer', '')")
    await assert.rejects(openStore({ dataDir: folder }), {
      code: 'CONFIG_INVALID',
      message: /^A newer version of Tamis/,
    })
  })

  it('on a full disk takes nothing by halves, and goes on when there is room again', async (t) => {
    const store = await open(t, { pageCountMax: 100 })
    const write = (i: number) =>
      store.recordCorrection(correction({ messageKey: key(`m${i}`), features: randomBytes(3_000) }))
    const answers = await Promise.allSettled(Array.from({ length: 200 }, (_, i) => write(i)))
    const refused = answers.filter((answer) => answer.status === 'rejected')
    assert.ok(refused.length > 0 && refused.length < 200, `${refused.length} refused`)
    for (const { reason } of refused) assert.equal(reason.code, 'STORE_UNAVAILABLE')
    assert.deepEqual(await idsInLog(store), acknowledged(answers))
    await store.deleteUser('ann', 'all')
    assert.equal((await write(1)).status, 'recorded')
  })

  it('locked for too long is an unavailable store until it is let go', async (t) => {
    const folder = temporaryFolder()
    const store = await open(t, { busyTimeoutMs: 100 }, undefined, folder)
    const other = new DatabaseSync(join(folder, FILE))
    other.exec('begin immediate')
    await assert.rejects(store.recordCorrection(correction()), { code: 'STORE_UNAVAILABLE' })
    assert.deepEqual(await idsInLog(store), [])
    other.exec('rollback')
    other.close()
    assert.equal((await store.recordCorrection(correction())).status, 'recorded')
  })

  it('whose writer dies is an unavailable store to those who write, and the next call works', async (t) => {
    const workers = collectThreads(t)
    const store = await open(t, {}, sharedByThreads(1)[0]!)
    const first = await store.recordCorrection(correction({ messageKey: key('first') }))
    assert.equal(workers.length, 1)
    const writes = Array.from({ length: 20 }, (_, i) =>
      store.recordCorrection(correction({ messageKey: key(`m${i}`) })),
    )
    const settled = Promise.allSettled(writes)
    await workers[0]!.terminate()
    const answers = await settled
    for (const answer of answers) {
      if (answer.status === 'rejected') assert.equal(answer.reason.code, 'STORE_UNAVAILABLE')
    }
    const inLog = await idsInLog(store)
    for (const id of [first.feedbackId, ...acknowledged(answers)]) assert.ok(inLog.includes(id))
    const next = await store.recordCorrection(correction({ messageKey: key('x') }))
    assert.equal(next.status, 'recorded')
  })

  it('stays locked when other threads open it too, so that no other process removes its log', async (t) => {
    const dataDir = temporaryFolder()
    for (const shared of sharedByThreads(2)) {
      const store = await openStore({ dataDir }, { shared })
      t.after(() => store.close())
    }
    const { ino } = await stat(join(dataDir, FILE))
    assert.match(await readFile('/proc/locks', 'utf8'), new RegExp(` READ .*:${ino} `))
  })

  it('is read in steps, between which the thread does other work', async (t) => {
    const store = await open(t)
    for (let i = 0; i < 4; i++) {
      const records = Array.from({ length: 150 }, (_, at) =>
        store.recordCorrection(correction({ messageKey: key(`m${i}-${at}`) })),
      )
      await Promise.all(records)
    }
    let turns = 0
    const turn = () => {
      turns++
      next = setImmediate(turn)
    }
    let next = setImmediate(turn)
    const { spam } = await store.userProfile('ann', 599)
    clearImmediate(next)
    assert.equal(spam.length, 599)
    assert.ok(turns >= 2, `${turns} turns`)
    const log = await store.correctionsInOrder(0, 1_000)
    const newestFirst = log.toReversed().slice(0, 599)
    assert.deepEqual(
      spam.map(({ feedbackId }) => feedbackId),
      newestFirst.map(({ feedbackId }) => feedbackId),
    )
  })
})

describe('SQLite deletion', () => {
  /** What must not be found afterwards: every text of the user, and bytes of each blob. */
  const traces = ['ann-the-user', 'shop@ann.example', 'FEATURES', 'MEMORY', 'list.ann.example']

  it('leaves no byte of the user in any file, among the rows of many others', async (t) => {
    const folder = temporaryFolder()
    const store = await open(t, {}, undefined, folder)
    await fill(store)
    assert.ok((await tracesIn(folder)).length > 0)
    const { feedback } = await store.deleteUser('ann-the-user', 'all')
    assert.ok(feedback > 100)
    assert.ok(await store.scrub('overwrite'))
    assert.ok(await store.scrub('empty log'))
    assert.deepEqual(await tracesIn(folder), [])
  })

  it('says so when a reader still holds the log, writes no more into it, and ends when it has let go', async (t) => {
    const folder = temporaryFolder()
    const file = join(folder, FILE)
    const store = await open(t, { busyTimeoutMs: 100 }, undefined, folder)
    await store.recordCorrection(correction({ userId: 'ann-the-user' }))
    const reader = new DatabaseSync(file)
    reader.exec('begin; select count(*) from corrections')
    await store.deleteUser('ann-the-user', 'all')
    assert.equal((await idsInLog(store)).length, 0)
    assert.equal(await store.scrub('overwrite'), true)
    const { size } = await stat(`${file}-wal`)
    for (let i = 0; i < 3; i++) assert.equal(await store.scrub('empty log'), false)
    assert.equal((await stat(`${file}-wal`)).size, size)
    assert.ok((await tracesIn(folder)).length > 0)
    reader.exec('rollback')
    reader.close()
    assert.equal(await store.scrub('empty log'), true)
    assert.deepEqual(await tracesIn(folder), [])
  })

  /** Rows of uneven size in uneven order, so that SQLite has to move some between its pages. */
  async function fill(store: Store): Promise<void> {
    const writes = Array.from({ length: 1_000 }, (_, i) => {
      const anns = (i * 7) % 10 === 0
      const size = ((i * 37) % 100) + (i % 13 === 0 ? 500 : 1)
      return store.recordCorrection(
        correction({
          userId: anns ? 'ann-the-user' : `user${(i * 31) % 50}`,
          messageKey: randomBytes(32),
          ...(anns ? { rulePattern: 'shop@ann.example' } : {}),
          features: anns ? key('FEATURES'.repeat(size)) : randomBytes(8 * size),
          memory: anns ? key('MEMORY'.repeat(size)) : randomBytes(6 * size),
        }),
      )
    })
    const answers = await Promise.all(writes)
    for (const { feedbackId } of answers.filter((_, i) => i % 5 === 0)) {
      await store.endCorrection(feedbackId)
    }
    // More than the hundred of the modulus: another round of messages for the user.
    for (let i = 0; i < 20; i++) {
      await store.recordCorrection(
        correction({ userId: 'ann-the-user', messageKey: randomBytes(32), memory: key('MEMORY') }),
      )
    }
    await store.addRule(rule({ userId: 'ann-the-user', pattern: 'list.ann.example' }))
  }

  async function tracesIn(folder: string): Promise<string[]> {
    const found: string[] = []
    for (const name of await readdir(folder)) {
      const content = await readFile(join(folder, name))
      found.push(...traces.filter((trace) => content.includes(trace)).map((s) => `${name}: ${s}`))
    }
    return found
  }
})

async function makeDatabase(onEnd: OnEnd): Promise<TestDatabase> {
  const dataDir = temporaryFolder()
  const file = join(dataDir, FILE)
  const shared = sharedByThreads(1)[0]!
  return {
    open: async (now, where) => {
      const options = { ...(where === undefined && { shared }), ...(now && { now }) }
      const store = await openStore({ dataDir }, options)
      onEnd(() => store.close())
      return store
    },
    wipe: async () => {
      const deletions = TABLES.map((table) => `delete from ${table};`).join('')
      // Those who follow the changes go on from where they stand.
      execute(file, `${deletions} delete from sqlite_sequence where name <> 'changes'`)
    },
    run: async (statement) => execute(file, statement),
    rowsOf: async (table) => rowsIn(file, `select * from ${table}`),
  }
}

/** A store of the test's own, closed after it. */
async function open(
  t: TestContext,
  sqlite: StoreOptions['sqlite'] = {},
  shared?: StoreOptions['shared'],
  dataDir = temporaryFolder(),
): Promise<Store> {
  const store = await openStore({ dataDir }, { sqlite, shared })
  t.after(() => store.close())
  return store
}

function rowsIn(file: string, query: string): Record<string, unknown>[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare(query).all()
  database.close()
  return rows
}

function execute(file: string, statements: string): void {
  const database = new DatabaseSync(file)
  database.exec(statements)
  database.close()
}

async function idsInLog(store: Store): Promise<string[]> {
  const log = await store.correctionsInOrder(0, 100_000)
  return log.map(({ feedbackId }) => feedbackId)
}

function acknowledged(
  answers: readonly PromiseSettledResult<{ readonly feedbackId: string }>[],
): string[] {
  return answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? [answer.value.feedbackId] : [],
  )
}

/** The threads started while the test runs. */
function collectThreads(t: TestContext): Worker[] {
  const workers: Worker[] = []
  const collect = (message: unknown) => workers.push((message as { worker: Worker }).worker)
  subscribe('worker_threads', collect)
  t.after(() => unsubscribe('worker_threads', collect))
  return workers
}

/** How SQLite reads the tables of the statements of `action`, and whether it sorts (sqlite.org/eqp.html). */
async function plansOf(
  t: TestContext,
  action: (db: Queries) => Promise<unknown>,
): Promise<string[]> {
  const dataDir = temporaryFolder()
  const file = join(dataDir, FILE)
  await (await openStoreHere({ dataDir })).close()
  const connection = new SqliteConnection({ file, busyTimeoutMs: 1_000 })
  t.after(() => connection.close())
  const prepare = t.mock.method(DatabaseSync.prototype, 'prepare')
  await action(connection.db)
  const statements = prepare.mock.calls.map(({ arguments: [statement] }) => statement)
  prepare.mock.restore()
  return statements.flatMap((each) =>
    rowsIn(file, `explain query plan ${each}`)
      .map(({ detail }) => String(detail))
      .filter((detail) => READS_OR_SORTS.test(detail)),
  )
}
