/** SIGHUP reloads all processes of a service or none. */
import assert from 'node:assert/strict'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { type ServiceProcess, startService } from '../helpers/service-process.ts'
import { ORDER } from '../http/service.ts'
import { Connection, connectionsTo, listeningPids } from './connections.ts'

const ARTIFACTS = join(import.meta.dirname, '../../../../artifacts')

const WORKERS = 3

/** Reloads in which a process ends. */
const ROUNDS = 6

const NOT_RELOADED = /"msg":"The configuration was not reloaded"/g

/** The last of the pauses after which a process ends, as a multiple of what a reload took. */
const BEYOND = 1.3

/** Thresholds under which the message is spam, and is not. */
const SPAM = 1e-9
const HAM = 0.999

describe('a service that is told by SIGHUP to reload', () => {
  let service: ServiceProcess
  let folder: string
  const models = (name: string) => join(folder, name)

  before(async () => {
    folder = temporaryFolder()
    for (const version of ['2099.1.1', '2099.1.2', 'broken']) await copyModels(version)
    await rm(join(models('broken'), 'text', 'weights.bin'))
    await settings({ threshold: HAM, models: models('2099.1.1') })
    service = await startService({
      environment: {
        TAMIS_CONFIG: join(folder, 'tamis.json'),
        TAMIS_WORKERS: `${WORKERS}`,
        TAMIS_LOG_LEVEL: 'warn',
      },
    })
  })
  after(async () => {
    await service?.stop()
  })

  /** The shipped models under another version. */
  async function copyModels(version: string): Promise<void> {
    await cp(ARTIFACTS, models(version), { recursive: true })
    for (const model of ['text', 'meta', 'tabs', 'fusion']) {
      const path = join(models(version), model, 'manifest.json')
      const manifest = JSON.parse(await readFile(path, 'utf8'))
      await writeFile(path, JSON.stringify({ ...manifest, version }))
    }
  }

  async function settings(values: object): Promise<void> {
    await writeFile(join(folder, 'tamis.json'), JSON.stringify(values))
  }

  /** By which models and how each of the processes judges, once all of them listen: '2099.1.1 ham'. */
  async function states(): Promise<string[]> {
    const connections = await connectionsTo(service, await listeningPids(service, WORKERS))
    const all = connections.map(async (connection) => {
      const base = await modelsAt(connection)
      const { isSpam } = JSON.parse((await connection.post('/classify-stream', ORDER)).text)
      connection.close()
      return `${base} ${isSpam ? 'spam' : 'ham'}`
    })
    return await Promise.all(all)
  }

  /** How often something was not reloaded so far. */
  function failures(): number {
    return service.output().match(NOT_RELOADED)?.length ?? 0
  }

  /** The version of the models in the process that has accepted `connection`. */
  async function modelsAt(connection: Connection): Promise<string> {
    return JSON.parse((await connection.ask({ path: '/models' })).text).base
  }

  it('has the new settings and models in all processes', async () => {
    assert.deepEqual(await states(), Array(WORKERS).fill('2099.1.1 ham'))
    await settings({ threshold: SPAM, models: models('2099.1.2') })
    service.signal('SIGHUP')
    const all = Array(WORKERS).fill('2099.1.2 spam')
    await eventually(async () => `${await states()}` === `${all}`)
  })

  it('stays as it was in all processes where models cannot be read, and says so', async () => {
    const [one, ...others] = await states()
    const before = failures()
    await settings({ threshold: HAM, models: models('broken') })
    service.signal('SIGHUP')
    await eventually(() => failures() > before)
    assert.deepEqual(await states(), [one, ...others])
    assert.deepEqual(others, Array(WORKERS - 1).fill(one))
    assert.match(service.output(), /Cannot read .*broken/)
  })

  it('has the same settings in all processes although one ends meanwhile, and says whether', async (t) => {
    await settings({ threshold: HAM, models: models('2099.1.1') })
    const connection = new Connection(service)
    const started = performance.now()
    service.signal('SIGHUP')
    await eventually(async () => (await modelsAt(connection)) === '2099.1.1')
    const reloadMs = performance.now() - started
    connection.close()
    let old = '2099.1.1 ham'
    for (let round = 0; round < ROUNDS; round++) {
      const isSpam = old.endsWith('ham')
      const version = isSpam ? '2099.1.2' : '2099.1.1'
      const next = `${version} ${isSpam ? 'spam' : 'ham'}`
      await settings({ threshold: isSpam ? SPAM : HAM, models: models(version) })
      const pids = await service.serverPids()
      const before = failures()
      service.signal('SIGHUP')
      // From the beginning of a reload to beyond its end.
      const pauseMs = (BEYOND * reloadMs * round) / (ROUNDS - 1)
      await sleep(pauseMs)
      process.kill(pids[round % WORKERS]!, 'SIGKILL')
      await eventually(async () => {
        const now = await service.serverPids()
        return now.length === WORKERS && !now.includes(pids[round % WORKERS]!)
      })
      // The reload, which came first, is over when the process that takes the place has started.
      const [one, ...others] = await states()
      const said = failures() > before ? 'not reloaded' : 'reloaded'
      t.diagnostic(`ended after ${pauseMs.toFixed(0)} ms: ${said}, ${one}`)
      assert.deepEqual(others, Array(WORKERS - 1).fill(one))
      assert.equal(one, said === 'reloaded' ? next : old)
      old = one!
    }
  })
})
