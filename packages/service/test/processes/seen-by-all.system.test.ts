/** What one server process has acknowledged is seen by the next request, whichever of them answers it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { openStore } from '../../store/open.ts'
import { addKey } from '../helpers/keys.ts'
import { makeSchema, postgresAbsent } from '../helpers/postgres.ts'
import { type ServiceProcess, startService } from '../helpers/service-process.ts'
import { ORDER } from '../http/service.ts'
import { type Connection, connectionsTo, listeningPids } from './connections.ts'

const WORKERS = 3

const USERS = 20

/** Connections to each process in the test under load. */
const CONNECTIONS = 4

const absent = await postgresAbsent()

describe('on SQLite', () => seenByAll(async () => ({})))

describe('on PostgreSQL', { skip: absent ?? false }, () =>
  seenByAll(async (after) => ({ DATABASE_URL: await makeSchema(after) })),
)

/** @param environmentOf the settings of the store; registers what is to be done in the end. */
function seenByAll(
  environmentOf: (after: (end: () => Promise<unknown>) => void) => Promise<Record<string, string>>,
): void {
  let service: ServiceProcess
  let connections: Connection[]
  let environment: Record<string, string>
  const ends: (() => Promise<unknown>)[] = []

  before(async () => {
    environment = await environmentOf((end) => ends.push(end))
    service = await startService({
      environment: { TAMIS_WORKERS: `${WORKERS}`, ...environment },
    })
    connections = await connectionsTo(service, await listeningPids(service, WORKERS))
  })
  after(async () => {
    for (const connection of connections ?? []) connection.close()
    await service?.stop()
    for (const end of ends) await end()
  })

  async function reasonAt(connection: Connection, user: string): Promise<string | null> {
    const { status, text } = await connection.post('/classify-stream', ORDER, { 'x-user-id': user })
    assert.equal(status, 200, text)
    return JSON.parse(text).bypassReason
  }

  /** What `user` gets from each of the processes. */
  function reasons(user: string, at = connections): Promise<(string | null)[]> {
    return Promise.all(at.map((connection) => reasonAt(connection, user)))
  }

  const ALL = Array(WORKERS).fill('user_rule')
  const NONE = Array(WORKERS).fill(null)

  it('a correction is, also by processes that have just answered without it', async () => {
    for (let i = 0; i < USERS; i++) {
      const user = `corrects-${i}`
      assert.deepEqual(await reasons(user), NONE)
      const headers = { 'x-user-id': user, 'x-is-spam': 'true' }
      const corrected = await connections[i % WORKERS]!.post('/feedback-stream', ORDER, headers)
      assert.equal(corrected.status, 200, corrected.text)
      assert.deepEqual(await reasons(user), ALL)
      const { feedbackId } = JSON.parse(corrected.text)
      const path = `/feedback/${feedbackId}`
      const undone = await connections[(i + 1) % WORKERS]!.ask({ method: 'DELETE', path })
      assert.equal(undone.status, 200, undone.text)
      assert.deepEqual(await reasons(user), NONE)
    }
  })

  it('a rule is, and its removal', async () => {
    for (let i = 0; i < USERS; i++) {
      const user = `rules-${i}`
      const rule = { userId: user, ruleType: 'Sender', pattern: 'orders@shop.example.com' }
      const write = async (method: string, path: string, at: number, more = {}) => {
        const headers = { 'content-type': 'application/json' }
        const body = JSON.stringify({ ...rule, ...more })
        const { status, text } = await connections[at % WORKERS]!.ask({
          method,
          path,
          headers,
          body,
        })
        assert.ok(status === 200 || status === 201, text)
      }
      assert.deepEqual(await reasons(user), NONE)
      await write('POST', '/personalization/rules', i, { label: 'spam' })
      assert.deepEqual(await reasons(user), ALL)
      await write('DELETE', '/personalization/rules/remove', i + 1)
      assert.deepEqual(await reasons(user), NONE)
    }
  })

  it('a correction is while many others come', async () => {
    const pids = await listeningPids(service, WORKERS)
    const sets = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => connectionsTo(service, pids)),
    )
    const unseen: string[] = []
    await Promise.all(
      sets.map(async (own, set) => {
        for (let i = 0; i < USERS; i++) {
          const user = `many-${set}-${i}`
          await reasons(user, own)
          const headers = { 'x-user-id': user, 'x-is-spam': 'true' }
          const { status } = await own[i % WORKERS]!.post('/feedback-stream', ORDER, headers)
          assert.equal(status, 200)
          const seen = await reasons(user, own)
          if (seen.some((reason) => reason !== 'user_rule')) unseen.push(`${user}: ${seen}`)
        }
        for (const connection of own) connection.close()
      }),
    )
    assert.deepEqual(unseen, [])
  })

  it('a key that tamis keys adds is soon, and its revocation', async () => {
    const databaseUrl = environment['DATABASE_URL']
    const store = await openStore({
      dataDir: service.dataDir,
      ...(databaseUrl !== undefined && { databaseUrl }),
    })
    const statuses = (key?: string) =>
      Promise.all(
        connections.map(async (connection) => {
          const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
          return (await connection.post('/classify-stream', ORDER, headers)).status
        }),
      )
    const become = async (status: number, key?: string) =>
      await eventually(
        async () => (await statuses(key)).every((each) => each === status),
        `Not all processes answer ${status}`,
      )
    try {
      const id = await addKey(store, 'webmail', { scopes: ['classify'] })
      await become(401)
      await become(200, 'webmail')
      await store.revokeKey(id)
      await become(401, 'webmail')
    } finally {
      await store.close()
    }
  })
}
