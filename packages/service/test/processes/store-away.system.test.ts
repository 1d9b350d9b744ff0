/** PostgreSQL goes away while a service starts, or while its only server process is replaced. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { openStore } from '../../store/open.ts'
import { makeSchema, postgresAbsent } from '../helpers/postgres.ts'
import { startService } from '../helpers/service-process.ts'
import { TcpProxy } from '../helpers/tcp-proxy.ts'
import { listeningPids } from './connections.ts'

const skip = (await postgresAbsent()) ?? false

/** Several attempts to start fail. */
const AWAY_MS = 4_000

async function madeStore(t: TestContext): Promise<string> {
  const url = await makeSchema((drop) => t.after(drop))
  await (await openStore({ databaseUrl: url, dataDir: '' })).close()
  return url
}

async function healthOf({ url }: { readonly url: string }): Promise<number> {
  return (await fetch(`${url}/health`)).status
}

describe('a database that goes away', { skip }, () => {
  for (const workers of ['1', '2']) {
    it(`during the start of ${workers} server processes does not end the service, which listens once it is back`, async (t) => {
      let cuts = 0
      const network = await TcpProxy.open(await madeStore(t), (bytes) => {
        // The store is open by then, and the start goes on.
        if (!bytes.includes('from "api_keys"') || cuts++ > 0) return
        void network.cut().then(async () => {
          await sleep(AWAY_MS)
          await network.restore()
        })
      })
      t.after(() => network.close())
      const environment = { DATABASE_URL: network.url, TAMIS_WORKERS: workers }
      const service = await startService({
        environment: { ...environment, TAMIS_LOG_LEVEL: 'error' },
      })
      t.after(() => service.stop())
      assert.ok(cuts > 0)
      assert.match(service.output(), /The store went away during the start/)
      assert.equal(await healthOf(service), 200)
    })
  }

  it('while the only server process is replaced does not end the service either', async (t) => {
    const network = await TcpProxy.open(await madeStore(t))
    t.after(() => network.close())
    const service = await startService({
      environment: { DATABASE_URL: network.url, TAMIS_WORKERS: '1', TAMIS_LOG_LEVEL: 'error' },
    })
    t.after(() => service.stop())
    const [pid] = await listeningPids(service, 1)
    await network.cut()
    process.kill(pid!, 'SIGKILL')
    await sleep(AWAY_MS)
    await network.restore()
    await eventually(async () => (await service.serverPids()).some((each) => each !== pid))
    await listeningPids(service, 1)
    assert.equal(await healthOf(service), 200)
  })

  it('that cannot be reached when the service starts ends it', async () => {
    const environment = { DATABASE_URL: 'postgres://tamis@127.0.0.1:1/tamis' }
    await assert.rejects(startService({ environment }), /It does not listen/)
  })
})
