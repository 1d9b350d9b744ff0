/** How the processes of a service end together, whoever is told to. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { startDnsServer } from '../helpers/dns-server.ts'
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startService,
} from '../helpers/service-process.ts'
import { ORDER } from '../http/service.ts'
import { type Connection, connectionsTo, listeningPids } from './connections.ts'
import { running, statusOf } from './ending.ts'

const START = join(import.meta.dirname, '../../start.ts')

const WORKERS = 3

/** Requests in progress in each process. */
const IN_PROGRESS = 5

/** Time in which a service that did not wait for its requests would have ended. */
const HOLD_MS = 1_000

async function start(t: TestContext, options: ServiceProcessOptions = {}) {
  const environment = { TAMIS_WORKERS: `${WORKERS}`, ...options.environment }
  const service = await startService({ ...options, environment })
  t.after(() => service.stop())
  return service
}

async function isHealthy({ url }: ServiceProcess): Promise<boolean> {
  return (await fetch(`${url}/health`)).ok
}

describe('a service whose supervisor is killed', () => {
  it('leaves no process behind, and the next one starts on the same port at once', async (t) => {
    const service = await start(t)
    const pids = await listeningPids(service, WORKERS)
    await service.end('SIGKILL')
    const next = await start(t, { port: service.port, dataDir: service.dataDir })
    assert.deepEqual(running(pids), [])
    assert.ok(await isHealthy(next))
    await next.stop()
  })

  it('leaves no process behind under load either', async (t) => {
    const service = await start(t)
    const pids = await listeningPids(service, WORKERS)
    const connections = await connectionsTo(service, pids)
    let ended = false
    t.after(() => {
      ended = true
    })
    const clients = connections.map(async (connection) => {
      while (!ended) await connection.post('/classify-stream', ORDER).catch(() => sleep(1))
      connection.close()
    })
    await sleep(200)
    await service.end('SIGKILL')
    const next = await start(t, { port: service.port, dataDir: service.dataDir })
    ended = true
    await Promise.all(clients)
    assert.deepEqual(running(pids), [])
    assert.ok(await isHealthy(next))
    await next.stop()
  })
})

describe('a service that is told to end', () => {
  it('finishes the requests in progress in all processes, and exits with status 0', async (t) => {
    const domains = Array.from({ length: WORKERS * IN_PROGRESS }, (_, i) => `shop-${i}.example.com`)
    const record = { TXT: ['v=spf1 ip4:192.0.2.1 -all'] }
    const dns = await startDnsServer(
      t,
      Object.fromEntries(domains.map((domain) => [domain, record])),
    )
    const { promise, resolve: answer } = Promise.withResolvers<void>()
    dns.until = promise
    const environment = {
      TAMIS_AUTH_DNS: dns.address,
      TAMIS_AUTH_TIMEOUT_MS: '60000',
      TAMIS_SHUTDOWN_MS: '60000',
    }
    const service = await start(t, { environment })
    const pids = await listeningPids(service, WORKERS)
    const sets: Connection[][] = []
    for (let i = 0; i < IN_PROGRESS; i++) sets.push(await connectionsTo(service, pids))
    const connections = sets.flat()
    const asked = connections.map((connection, i) => {
      const domain = domains[i]!
      const headers = { 'x-sender-ip': '192.0.2.1', 'x-sender-email': `orders@${domain}` }
      const message = ORDER.replaceAll('shop.example.com', domain)
      return connection.post('/classify-stream', message, headers)
    })
    await eventually(() => domains.every((domain) => dns.questions.includes(`TXT ${domain}`)))
    service.signal('SIGTERM')
    await sleep(HOLD_MS)
    assert.deepEqual(running(pids), pids)
    answer()
    const answers = await Promise.all(asked)
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(WORKERS * IN_PROGRESS).fill(200),
    )
    for (const { text } of answers) assert.equal(JSON.parse(text).senderAuthenticated, true)
    assert.equal(await statusOf(service), 0)
    assert.deepEqual(running(pids), [])
    for (const connection of connections) connection.close()
  })

  it('ends with status 0 although one of its processes is held up', async (t) => {
    const service = await start(t)
    const [held] = await listeningPids(service, WORKERS)
    process.kill(held!, 'SIGSTOP')
    service.signal('SIGTERM')
    assert.equal(await statusOf(service), 0)
    assert.deepEqual(running([held!]), [])
  })

  it('by Ctrl-C, which reaches all of its processes, ends with status 0 and in silence', async (t) => {
    const service = await start(t, { ownGroup: true, environment: { TAMIS_LOG_LEVEL: 'warn' } })
    const pids = await listeningPids(service, WORKERS)
    assert.ok(await isHealthy(service))
    process.kill(-service.pid, 'SIGINT')
    assert.equal(await statusOf(service), 0)
    assert.deepEqual(running(pids), [])
    assert.equal(service.errors(), '')
    assert.match(service.output(), /^Tamis listens on .*\n$/)
  })

  it('as soon as it has said where it listens, ends with status 0', async () => {
    const dataDir = temporaryFolder()
    const environment = { TAMIS_DATA_DIR: dataDir, TAMIS_PORT: '0', TAMIS_WORKERS: '2' }
    const child = spawn(process.execPath, [START], {
      env: { ...environment, TAMIS_LOG_LEVEL: 'silent', TAMIS_AUTH_DNS: 'off' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })
})
