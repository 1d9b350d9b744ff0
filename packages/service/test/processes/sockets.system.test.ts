/** The port of the service belongs to it as long as it runs, and longer where systemd has passed the socket. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { BoundSocket, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import {
  PASS_SOCKETS,
  type ServiceProcess,
  type ServiceProcessOptions,
  startService,
} from '../helpers/service-process.ts'
import { acceptsOn, connectionsTo, descriptorsOn, listeningPids } from './connections.ts'
import { running } from './ending.ts'

const START = join(import.meta.dirname, '../../start.ts')

/** Connections that wait for a server process: more than one reads at a time. */
const WAITING = 50

/** Between two tries to take the port: a tighter loop would take the time in which the processes start. */
const PAUSE_MS = 5

async function start(t: TestContext, options: ServiceProcessOptions): Promise<ServiceProcess> {
  const service = await startService(options)
  t.after(() => service.stop())
  return service
}

/** A socket as systemd makes it, and its port. */
function socketAt(t: TestContext, host: string): { fd: number; port: number } {
  const socket = new BoundSocket({ host })
  t.after(() => socket.close())
  return { fd: socket.fd(), port: socket.address().port }
}

async function status(url: string): Promise<number> {
  return (await fetch(`${url}/health`)).status
}

/** Why another program cannot listen on `port`; undefined where it can. */
async function whyNot(port: number): Promise<string | undefined> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    server.close()
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

describe('the port of a service', () => {
  for (const workers of [1, 2]) {
    it(`stays its own while all of its ${workers} server processes are replaced, and connections wait`, async (t) => {
      const service = await start(t, { environment: { TAMIS_WORKERS: `${workers}` } })
      const pids = await listeningPids(service, workers)
      for (const pid of pids) process.kill(pid, 'SIGKILL')
      await eventually(() => running(pids).length === 0)
      const answers = Array.from({ length: WAITING }, () => status(service.url))
      const reasons = new Set<string | undefined>()
      let isBack = false
      const back = listeningPids(service, workers).then(() => {
        isBack = true
      })
      while (!isBack) {
        reasons.add(await whyNot(service.port))
        await sleep(PAUSE_MS)
      }
      await back
      assert.deepEqual([...reasons], ['EADDRINUSE'])
      assert.deepEqual(await Promise.all(answers), Array(WAITING).fill(200))
    })
  }

  it('is held by the supervisor, which accepts no connection', async (t) => {
    const service = await start(t, { environment: { TAMIS_WORKERS: '2' } })
    const pids = await listeningPids(service, 2)
    assert.equal((await descriptorsOn(service.pid, service.port)).length, 1)
    assert.equal(await acceptsOn(service.pid, service.port), false)
    for (const connection of await connectionsTo(service, pids)) connection.close()
  })
})

describe('a service to which sockets are passed', () => {
  it('answers on all of them, whatever the default address is', async (t) => {
    const [first, second] = [socketAt(t, '127.0.0.1'), socketAt(t, '127.0.0.2')]
    const options = { sockets: [first.fd, second.fd], port: first.port }
    const service = await start(t, options)
    assert.equal(service.port, first.port)
    assert.equal(await status(service.url), 200)
    assert.equal(await status(`http://127.0.0.2:${second.port}`), 200)
  })

  it('ends although a connection to the second is kept open', async (t) => {
    const [first, second] = [socketAt(t, '127.0.0.1'), socketAt(t, '127.0.0.2')]
    const options = { sockets: [first.fd, second.fd], port: first.port }
    const service = await start(t, options)
    assert.equal(await status(`http://127.0.0.2:${second.port}`), 200)
    service.signal('SIGTERM')
    assert.equal(await service.ended, 0)
  })

  it('loses no connection when it is restarted: they wait for the next one', async (t) => {
    const { fd, port } = socketAt(t, '127.0.0.1')
    const before = await start(t, { sockets: [fd], port })
    await before.end('SIGTERM')
    const answers = Array.from({ length: WAITING }, () => status(before.url))
    await start(t, { sockets: [fd], port })
    assert.deepEqual(await Promise.all(answers), Array(WAITING).fill(200))
  })

  for (const [name, host, environment, text] of [
    [
      'one that other machines reach, without keys',
      '0.0.0.0',
      {},
      /^tamis: TAMIS_HOST, or ListenStream of the socket unit, is "0\.0\.0\.0"; allowed while no key/,
    ],
    [
      'one at another address than the settings name',
      '127.0.0.1',
      { TAMIS_HOST: '127.0.0.2' },
      /^tamis: TAMIS_HOST is "127\.0\.0\.2", but the socket that was passed to the service \(LISTEN_FDS\) is 127\.0\.0\.1 port \d+\. Set the address in the socket unit/,
    ],
    [
      'one at another port than the settings name',
      '127.0.0.1',
      { TAMIS_PORT: '1' },
      /^tamis: TAMIS_PORT is "1", but the socket that was passed to the service \(LISTEN_FDS\) is 127\.0\.0\.1 port \d+\. Set the address in the socket unit/,
    ],
  ] as const) {
    it(`does not start with ${name}`, async (t) => {
      const { fd } = socketAt(t, host)
      assert.match(await refusal(fd, environment), text)
    })
  }

  it('does not start with what is no TCP socket', async () => {
    const text =
      'tamis: The descriptor 3 that was passed to the service (LISTEN_FDS) is not a TCP socket\n'
    assert.equal(await refusal('pipe', {}), text)
  })
})

/** What a service says that ends with status 78 when `socket` is passed to it. */
async function refusal(
  socket: number | 'pipe',
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const dataDir = temporaryFolder()
  const child = spawn('sh', ['-c', PASS_SOCKETS, process.execPath, START], {
    env: {
      ...environment,
      TAMIS_DATA_DIR: dataDir,
      TAMIS_WORKERS: '1',
      TAMIS_AUTH_DNS: 'off',
      LISTEN_FDS: '1',
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
