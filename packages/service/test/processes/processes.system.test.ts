/** The service in processes of its own: they are replaced, reloaded, handed sockets and ended without loss. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { BoundSocket, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { localServer } from '../../../../test/local-server.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { startDnsServer } from '../helpers/dns-server.ts'
import {
  PASS_SOCKETS,
  type ServiceProcess,
  type ServiceProcessOptions,
  startService,
} from '../helpers/service-process.ts'
import { ORDER } from '../http/service.ts'
import { Connection, connectionsTo, listeningPids } from './connections.ts'
import { running, statusOf } from './ending.ts'

const START = join(import.meta.dirname, '../../start.ts')

const CLIENTS = 8

/** After which a process without a heartbeat is replaced, and as much again. */
const HUNG_MS_MAX = 60_000

async function start(t: TestContext, options: ServiceProcessOptions = {}) {
  const environment = { TAMIS_WORKERS: '2', TAMIS_LOG_LEVEL: 'warn', ...options.environment }
  const service = await startService({ ...options, environment })
  t.after(() => service.stop())
  return service
}

/** Corrects and judges for `CLIENTS` users at once until told to stop; then gives what went wrong and what was acknowledged. */
function load(service: ServiceProcess) {
  let ended = false
  let answers = 0
  const broken: string[] = []
  const statuses = new Set<number>()
  const acknowledged = new Map<string, string[]>()
  const client = async (_: unknown, number: number) => {
    const userId = `user-${number}`
    acknowledged.set(userId, [])
    let connection = new Connection(service)
    for (let i = 0; !ended; i++) {
      const message = ORDER.replace('<4711@', `<${number}.${i}@`)
      const user = { 'x-user-id': userId }
      try {
        const { status, text } =
          i % 2 === 0
            ? await connection.post('/classify-stream', message, user)
            : await connection.post('/feedback-stream', message, { ...user, 'x-is-spam': 'true' })
        statuses.add(status)
        answers++
        if (i % 2 === 1) acknowledged.get(userId)!.push(JSON.parse(text).feedbackId)
      } catch (error) {
        broken.push(String(error))
        connection.close()
        connection = new Connection(service)
      }
    }
    connection.close()
  }
  const clients = Array.from({ length: CLIENTS }, client)
  return {
    /** Resolves after some more answers. */
    more: async () => {
      const before = answers
      await eventually(() => answers > before + 2 * CLIENTS)
    },
    end: async () => {
      ended = true
      await Promise.all(clients)
      return { broken, statuses: [...statuses], acknowledged }
    },
  }
}

async function memoryOf(service: ServiceProcess, userId: string): Promise<string[]> {
  const response = await fetch(`${service.url}/personalization/memory?userId=${userId}`)
  const { items } = (await response.json()) as { items: { feedbackId: string }[] }
  return items.map(({ feedbackId }) => feedbackId)
}

describe('a server process', () => {
  for (const [signal, what] of [
    ['SIGKILL', 'that is killed'],
    ['SIGSTOP', 'that hangs'],
  ] as const) {
    it(`${what} is replaced: others answer meanwhile, and no correction is lost`, async (t) => {
      const service = await start(t)
      const [ended, other] = await listeningPids(service, 2)
      const clients = load(service)
      await clients.more()
      process.kill(ended!, signal)
      await eventually(() => running([ended!]).length === 0, 'It is not ended', HUNG_MS_MAX)
      const pids = await listeningPids(service, 2)
      await clients.more()
      const { broken, statuses, acknowledged } = await clients.end()
      assert.ok(pids.includes(other!) && !pids.includes(ended!))
      assert.deepEqual(statuses, [200])
      // One request in progress for each of the connections that it had.
      assert.ok(broken.length <= CLIENTS, broken.join('\n'))
      for (const [userId, feedbackIds] of acknowledged) {
        const memory = await memoryOf(service, userId)
        assert.deepEqual(
          feedbackIds.filter((id) => !memory.includes(id)),
          [],
        )
      }
    })
  }

  it('whose thread ended on a message judges it by its header, and no other process tries it', async (t) => {
    const preload = `--import=${new URL('./deadly-worker.ts', import.meta.url)}`
    const service = await start(t, { environment: { NODE_OPTIONS: preload } })
    const connections = await connectionsTo(service, await listeningPids(service, 2))
    const [first, second] = connections
    // Long enough for the thread.
    const deadly = `X-Dies: exit\r\n${ORDER}${'A line of the body.\r\n'.repeat(100_000)}`
    const original = await first!.post('/classify-stream', deadly)
    assert.deepEqual(
      [original.status, JSON.parse(original.text).bypassReason],
      [200, 'parse_error'],
    )
    const replay = await second!.post('/classify-stream', deadly)
    assert.deepEqual([replay.status, replay.text], [200, original.text])
    const causes = () =>
      service
        .output()
        .split('\n')
        .filter((line) => line.includes('A thread ended; its message was judged by its header'))
        .map((line) => JSON.parse(line).err.message)
    await eventually(() => causes().length === 2)
    assert.deepEqual(causes(), [
      'The thread ended with 1',
      'A thread has ended on this message before',
    ])
    for (const connection of connections) connection.close()
  })
})

describe('SIGHUP under load', () => {
  it('puts new settings into use in all processes, keeps the old where the new are wrong, and loses no request', async (t) => {
    const file = join(temporaryFolder(), 'tamis.json')
    await writeFile(file, JSON.stringify({ threshold: 0.999 }))
    const service = await start(t, { environment: { TAMIS_CONFIG: file } })
    const connections = await connectionsTo(service, await listeningPids(service, 2))
    const areSpam = async () => {
      const answers = await Promise.all(
        connections.map((connection) => connection.post('/classify-stream', ORDER)),
      )
      return answers.map(({ text }) => JSON.parse(text).isSpam)
    }
    const clients = load(service)
    await clients.more()
    await writeFile(file, JSON.stringify({ threshold: 'high' }))
    service.signal('SIGHUP')
    await eventually(() => service.output().includes('The configuration was not reloaded'))
    assert.deepEqual(await areSpam(), [false, false])
    await writeFile(file, JSON.stringify({ threshold: 1e-9 }))
    service.signal('SIGHUP')
    await eventually(async () => (await areSpam()).every(Boolean))
    await clients.more()
    const { broken, statuses } = await clients.end()
    assert.deepEqual([broken, statuses], [[], [200]])
    for (const connection of connections) connection.close()
  })
})

describe('a service that is told to end', () => {
  it('finishes the requests in progress, and exits with status 0', async (t) => {
    const domains = Array.from({ length: 10 }, (_, i) => `shop-${i}.example.com`)
    const record = { TXT: ['v=spf1 ip4:192.0.2.1 -all'] }
    const dns = await startDnsServer(t, Object.fromEntries(domains.map((name) => [name, record])))
    const { promise, resolve: answer } = Promise.withResolvers<void>()
    dns.until = promise
    const service = await start(t, { environment: { TAMIS_AUTH_DNS: dns.address } })
    const pids = await listeningPids(service, 2)
    const connections = domains.map(() => new Connection(service))
    const asked = connections.map((connection, i) => {
      const headers = { 'x-sender-ip': '192.0.2.1', 'x-sender-email': `orders@${domains[i]!}` }
      const message = ORDER.replaceAll('shop.example.com', domains[i]!)
      return connection.post('/classify-stream', message, headers)
    })
    await eventually(() => domains.every((domain) => dns.questions.includes(`TXT ${domain}`)))
    service.signal('SIGTERM')
    await eventually(async () => !(await isHealthy(service)), 'It accepts connections')
    answer()
    for (const { status } of await Promise.all(asked)) assert.equal(status, 200)
    assert.equal(await statusOf(service), 0)
    assert.deepEqual(running(pids), [])
    for (const connection of connections) connection.close()
  })

  it('by SIGKILL leaves no process behind, and the next one starts on the same port', async (t) => {
    const service = await start(t)
    const pids = await listeningPids(service, 2)
    await service.end('SIGKILL')
    const next = await start(t, { port: service.port, dataDir: service.dataDir })
    assert.deepEqual([running(pids), await isHealthy(next)], [[], true])
  })
})

describe('a service to which sockets are passed, as systemd does', () => {
  it('answers on all of them, and connections wait for the next service while it restarts', async (t) => {
    const [first, second] = [socketAt(t, '127.0.0.1'), socketAt(t, '127.0.0.2')]
    const options = { sockets: [first.fd, second.fd], port: first.port }
    const before = await start(t, options)
    assert.ok(await isHealthy(before))
    assert.ok(await isHealthy({ url: `http://127.0.0.2:${second.port}` }))
    await before.end('SIGTERM')
    const waiting = Array.from({ length: 50 }, () => isHealthy(before))
    await start(t, options)
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set([true]))
  })
})

describe('a service that cannot start says why, and exits with status 78', () => {
  for (const [name, environment, text] of [
    [
      'a setting is not allowed',
      { TAMIS_PORT: 'x' },
      /^tamis: TAMIS_PORT is "x"; allowed: a whole/,
    ],
    [
      'its address is public and it has no keys',
      { TAMIS_HOST: '0.0.0.0' },
      /^tamis: TAMIS_HOST, .*/,
    ],
    ['models are missing', { TAMIS_MODELS: '/no/such' }, /^tamis: Cannot read \/no\/such/],
  ] as const) {
    it(name, async () => {
      assert.match(await refusal(environment), text)
    })
  }

  it('its port is taken', async (t) => {
    const { port } = await localServer(t, createServer())
    assert.match(await refusal({ TAMIS_PORT: `${port}` }), /^tamis: Cannot listen on TAMIS_HOST/)
  })
})

async function isHealthy({ url }: { readonly url: string }): Promise<boolean> {
  const response = await fetch(`${url}/health`).catch(() => undefined)
  return response?.ok === true
}

/** A socket as systemd makes it, and its port. */
function socketAt(t: TestContext, host: string): { fd: number; port: number } {
  const socket = new BoundSocket({ host })
  t.after(() => socket.close())
  return { fd: socket.fd(), port: socket.address().port }
}

/** What a service says that ends with status 78. */
async function refusal(
  environment: Readonly<Record<string, string>>,
  socket: number | 'ignore' = 'ignore',
): Promise<string> {
  const child = spawn('sh', ['-c', PASS_SOCKETS, process.execPath, START], {
    env: {
      TAMIS_DATA_DIR: temporaryFolder(),
      TAMIS_WORKERS: '1',
      TAMIS_AUTH_DNS: 'off',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe', socket],
  })
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  assert.deepEqual(await once(child, 'close'), [78, null])
  return errors
}
