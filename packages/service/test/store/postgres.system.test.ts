/** The store on PostgreSQL: the suite of both databases, and what is particular to a server. */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/store.ts'
import { makeSchema, postgresAbsent, query, queryAt } from '../helpers/postgres.ts'
import { sharedByThreads } from '../helpers/shared.ts'
import { forgettingTests } from '../http/forgetting-tests.ts'
import { crowdTests } from '../learned-models/crowd-tests.ts'
import { correction, key, rule } from './samples.ts'
import { type MakeDatabase, storeTests, TABLES, type TestDatabase } from './store-tests.ts'

type OnEnd = Parameters<MakeDatabase>[0]

const skip = await postgresAbsent()

storeTests('PostgreSQL', makeDatabase, skip)

describe('PostgreSQL', { skip: skip ?? false }, async () => {
  if (skip !== undefined) return
  const place = async () => ({
    dataDir: temporaryFolder(),
    databaseUrl: await makeSchema((drop) => after(drop)),
  })
  forgettingTests('forgetting a user', await place(), 'operator')
  crowdTests('what a crowd taught', await place())
})

describe('PostgreSQL server', { skip: skip ?? false }, () => {
  it('that cuts all connections in the middle loses nothing acknowledged, and is found again', async (t) => {
    const { store, url } = await open(t)
    const answers: PromiseSettledResult<{ readonly feedbackId: string }>[] = []
    for (let round = 0; round < 5; round++) {
      const writes = Array.from({ length: 60 }, (_, i) =>
        store.recordCorrection(correction({ messageKey: key(`m${round}-${i}`) })),
      )
      const settled = Promise.allSettled(writes)
      await sleep(3 * round)
      await cutConnections(url)
      answers.push(...(await settled))
    }
    const failed = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer] : []))
    t.diagnostic(`${failed.length} of ${answers.length} failed`)
    for (const { reason } of failed) assert.equal(reason.code, 'STORE_UNAVAILABLE')
    await store.recordCorrection(correction({ messageKey: key('after') }))
    const log = await store.correctionsInOrder(0, 1_000)
    const inLog = log.map(({ feedbackId }) => feedbackId)
    assert.equal(new Set(log.map(({ messageKey }) => String(messageKey))).size, log.length)
    for (const answer of answers) {
      if (answer.status === 'fulfilled') assert.ok(inLog.includes(answer.value.feedbackId))
    }
  })

  it('that cuts all connections is followed again', async (t) => {
    const { store, url } = await open(t)
    const other = await openOther(t, url)
    const seen = new Set<number>()
    t.after(store.watch(({ seq }) => seen.add(seq)))
    await cutConnections(url)
    // Each connection of the pool that was cut fails once.
    const addRule = () => other.addRule(rule({ userId: 'bob' }))
    await eventually(
      () =>
        addRule().then(
          () => true,
          () => false,
        ),
      'Nothing is written',
    )
    await eventually(() => seen.size === 1, 'Nothing is seen')
  })

  it('that accepts and says nothing is an unavailable store after two seconds', async (t) => {
    const server = createServer(() => {}).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const databaseUrl = `postgres://tamis:x@127.0.0.1:${port}/tamis`
    await assert.rejects(openStore({ databaseUrl, dataDir: '' }), { code: 'STORE_UNAVAILABLE' })
  })
})

describe('PostgreSQL corrections', { skip: skip ?? false }, () => {
  it('are numbered in the order of commits, whoever writes', async (t) => {
    const { store, url } = await open(t)
    const other = await openOther(t, url)
    const write = async (writer: Store, i: number) => {
      const { feedbackId } = await writer.recordCorrection(correction({ messageKey: key(`m${i}`) }))
      const visible = await writer.correctionsInOrder(0, 1_000)
      const own = visible.findIndex((logged) => logged.feedbackId === feedbackId)
      return visible.slice(0, own + 1).map(({ seq }) => seq)
    }
    const seenBefore = await Promise.all(
      Array.from({ length: 60 }, (_, i) => write(i % 2 === 0 ? store : other, i)),
    )
    const all = (await store.correctionsInOrder(0, 1_000)).map(({ seq }) => seq)
    // Nobody who saw a correction sees an earlier one appear afterwards.
    for (const seqs of seenBefore) assert.deepEqual(seqs, all.slice(0, seqs.length))
  })
})

async function makeDatabase(onEnd: OnEnd): Promise<TestDatabase> {
  const databaseUrl = await makeSchema(onEnd)
  const shared = sharedByThreads(1)[0]!
  return {
    open: async (now, where) => {
      const store = await openStore(
        { databaseUrl, dataDir: '' },
        { ...(where === undefined && { shared }), ...(now && { now }) },
      )
      onEnd(() => store.close())
      return store
    },
    wipe: async () => {
      // Those who follow the changes go on from where they stand.
      const others = TABLES.filter((table) => table !== 'changes')
      await queryAt(databaseUrl, `truncate ${others.join(', ')} restart identity`)
      await queryAt(databaseUrl, 'truncate changes')
    },
    run: (statement) => queryAt(databaseUrl, statement),
    rowsOf: async (table) => (await queryAt(databaseUrl, `select * from ${table}`)).rows,
  }
}

async function open(t: TestContext): Promise<{ readonly store: Store; readonly url: string }> {
  const url = await makeSchema((drop) => t.after(drop))
  return { store: await openOther(t, url), url }
}

async function openOther(t: TestContext, url: string): Promise<Store> {
  const store = await openStore({ databaseUrl: url, dataDir: '' })
  t.after(() => store.close())
  return store
}

/** Ends every connection of the stores at `url`, and no others. */
async function cutConnections(url: string): Promise<void> {
  const application = new URL(url).searchParams.get('application_name')
  await query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [application],
  )
}
