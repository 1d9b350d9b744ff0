/** Server processes that end: another one takes the place of each, and the others go on meanwhile. */
import assert from 'node:assert/strict'
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { type ServiceProcess, startService } from '../helpers/service-process.ts'
import { ORDER } from '../http/service.ts'
import { Connection, listeningPids } from './connections.ts'
import { running, statusOf } from './ending.ts'

const ARTIFACTS = join(import.meta.dirname, '../../../../artifacts')

const CLIENTS = 8

/** Many times the shortest pause before another start. */
const SOME_STARTS_MS = 3_000

async function start(t: TestContext, environment: Record<string, string>): Promise<ServiceProcess> {
  const service = await startService({ environment: { TAMIS_LOG_LEVEL: 'error', ...environment } })
  t.after(() => service.stop())
  return service
}

/** A copy of the models that can be taken away. */
async function copyOfModels(): Promise<string> {
  const folder = temporaryFolder()
  await cp(ARTIFACTS, join(folder, 'models'), { recursive: true })
  return join(folder, 'models')
}

async function classify(service: ServiceProcess): Promise<number> {
  const connection = new Connection(service)
  try {
    return (await connection.post('/classify-stream', ORDER)).status
  } finally {
    connection.close()
  }
}

describe('a server process that is killed', () => {
  it('is replaced, and nobody else’s requests fail meanwhile', async (t) => {
    const service = await start(t, { TAMIS_WORKERS: '2' })
    const [killed, other] = await listeningPids(service, 2)
    const broken: string[] = []
    const statuses = new Set<number>()
    let replaced = false
    t.after(() => {
      replaced = true
    })
    let meanwhile = 0
    const client = async () => {
      let connection = new Connection(service)
      while (!replaced) {
        try {
          const { status } = await connection.post('/classify-stream', ORDER)
          statuses.add(status)
          meanwhile++
        } catch (error) {
          broken.push(String(error))
          connection.close()
          connection = new Connection(service)
        }
      }
      connection.close()
    }
    const clients = Array.from({ length: CLIENTS }, client)
    await eventually(() => meanwhile > CLIENTS)
    process.kill(killed!, 'SIGKILL')
    await eventually(() => running([killed!]).length === 0)
    meanwhile = 0
    const pids = await listeningPids(service, 2)
    replaced = true
    await Promise.all(clients)
    assert.deepEqual([...statuses], [200])
    // One request in progress for each of the connections that it had.
    assert.ok(broken.length <= CLIENTS, broken.join('\n'))
    assert.ok(meanwhile > 0)
    assert.ok(pids.includes(other!) && !pids.includes(killed!))
    assert.match(service.output(), /"how":"SIGKILL","msg":"A server process ended; another one is/)
  })
})

describe('a server process that cannot start', () => {
  it('leaves the others to answer, and starts once it can', async (t) => {
    const models = await copyOfModels()
    const service = await start(t, { TAMIS_WORKERS: '2', TAMIS_MODELS: models })
    const [killed] = await listeningPids(service, 2)
    await rename(models, `${models}-away`)
    process.kill(killed!, 'SIGKILL')
    await eventually(() => service.output().includes('Cannot read'), 'Nothing in the log')
    await sleep(SOME_STARTS_MS)
    assert.equal(await classify(service), 200)
    const left = await service.serverPids()
    assert.ok(left.length <= 2, `${left.length} processes: those that did not start are left`)
    await rename(`${models}-away`, models)
    await listeningPids(service, 2)
    assert.equal(await classify(service), 200)
  })

  it('ends the service with a message and the status of its error when no other is left', async (t) => {
    const models = await copyOfModels()
    const service = await start(t, { TAMIS_WORKERS: '2', TAMIS_MODELS: models })
    const pids = await listeningPids(service, 2)
    await rm(models, { recursive: true })
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    assert.equal(await statusOf(service), 78)
    assert.match(service.errors(), /^tamis: Cannot read /m)
    assert.deepEqual(running(pids), [])
    await assert.rejects(fetch(`${service.url}/health`))
  })
})
