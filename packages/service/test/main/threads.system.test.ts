/** The service in a process of its own: its threads are replaced, also while it runs under load, and it ends without loss. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { BoundSocket, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
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

const ROOT = join(import.meta.dirname, '../../../..')

const START = join(import.meta.dirname, '../../start.ts')

const CLIENTS = 8

/** Far longer than a thread without a heartbeat is left, in milliseconds. */
const HUNG_MS_MAX = 60_000

/** Far longer than the service takes to end on a busy machine, in milliseconds. */
const END_MS_MAX = 60_000

/** Loaded into a service: its threads end or hang when a request says so. */
const FAULTS = `--import=${new URL('./thread-faults.ts', import.meta.url)}`

/** How a thread is replaced again and again, and with how many messages a second meanwhile. */
const REPLACEMENTS = 10
const MESSAGES_PER_S = 300

async function start(t: TestContext, options: ServiceProcessOptions = {}) {
  const environment = { TAMIS_WORKERS: '2', TAMIS_LOG_LEVEL: 'warn', ...options.environment }
  const service = await startService({ ...options, environment })
  t.after(() => service.stop())
  return service
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** Posts a message, on a connection of its own without an agent. Rejects when the connection breaks. */
function send(
  { port }: ServiceProcess,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  agent: Agent | false = false,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      ...{ host: '127.0.0.1', port, path, method: 'POST', agent },
      headers: { 'content-type': 'message/rfc822', ...headers },
    }
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (more: string) => {
        text += more
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode!, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Corrects and judges for `CLIENTS` users at once until told to stop; then gives what went wrong and what was acknowledged. */
function load(service: ServiceProcess) {
  let ended = false
  let answers = 0
  const broken: string[] = []
  let refused = 0
  const acknowledged = new Map<string, string[]>()
  const agent = new Agent({ keepAlive: true })
  const client = async (_: unknown, number: number) => {
    const userId = `user-${number}`
    acknowledged.set(userId, [])
    for (let i = 0; !ended; i++) {
      const message = ORDER.replace('<4711@', `<${number}.${i}@`)
      const user = { 'x-user-id': userId }
      try {
        const { status, text } =
          i % 2 === 0
            ? await send(service, '/classify-stream', message, user, agent)
            : await send(
                service,
                '/feedback-stream',
                message,
                { ...user, 'x-is-spam': 'true' },
                agent,
              )
        answers++
        if (status === 503) refused++
        else if (status !== 200) broken.push(text)
        else if (i % 2 === 1) acknowledged.get(userId)!.push(JSON.parse(text).feedbackId)
      } catch (error) {
        broken.push(String(error))
      }
    }
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
      agent.destroy()
      return { broken, refused, acknowledged }
    },
  }
}

async function metrics({ url }: ServiceProcess): Promise<string> {
  return await (await fetch(`${url}/metrics`)).text()
}

async function metric(service: ServiceProcess, pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await metrics(service))?.[1])
}

/** Sends SIGHUP, and resolves when all threads have been replaced. */
async function reload(service: ServiceProcess): Promise<void> {
  const last = () =>
    service
      .output()
      .match(/"time":\d+[^\n]*"Reloaded"/g)
      ?.at(-1)
  const before = last()
  service.signal('SIGHUP')
  await eventually(
    () => last() !== before && last(),
    'It does not replace its threads',
    HUNG_MS_MAX,
  )
}

async function memoryOf(service: ServiceProcess, userId: string): Promise<string[]> {
  const response = await fetch(`${service.url}/personalization/memory?userId=${userId}`)
  const { items } = (await response.json()) as { items: { feedbackId: string }[] }
  return items.map(({ feedbackId }) => feedbackId)
}

describe('a serving thread', () => {
  for (const fault of ['ends', 'hangs']) {
    it(`that ${fault} is replaced: its requests are answered by 503, others go on, nobody else gets the port, and no correction is lost`, async (t) => {
      const service = await start(t, { environment: { NODE_OPTIONS: FAULTS } })
      const clients = load(service)
      await clients.more()
      const refused = await send(service, '/classify-stream', ORDER, { 'x-fault': fault })
      assert.equal(refused.status, 503)
      assert.equal(JSON.parse(refused.text).code, 'QUEUE_TIMEOUT')
      await clients.more()
      assert.throws(() => new BoundSocket({ host: '127.0.0.1', port: service.port }))
      await eventually(
        async () =>
          (await metric(service, /^tamis_thread_ends_total (\d+)/m)) === 1 &&
          (await metric(service, /^tamis_threads (\d+)/m)) === 2,
        'It is not replaced',
        HUNG_MS_MAX,
      )
      const { broken, refused: others, acknowledged } = await clients.end()
      assert.deepEqual(broken, [])
      // One request in progress for each of the connections that it had.
      assert.ok(others <= CLIENTS, `${others} refused`)
      for (const [userId, feedbackIds] of acknowledged) {
        const memory = await memoryOf(service, userId)
        assert.deepEqual(
          feedbackIds.filter((id) => !memory.includes(id)),
          [],
        )
      }
    })
  }
})

describe('SIGHUP', () => {
  it(`${REPLACEMENTS} times at ${MESSAGES_PER_S} messages a second replaces all threads, and each message is answered once`, async (t) => {
    const service = await start(t, { environment: { TAMIS_LOG_LEVEL: 'info' } })
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    t.after(() => agent.destroy())
    let sent = 0
    const answers: Promise<string>[] = []
    const sending = setInterval(() => {
      for (let i = 0; i < MESSAGES_PER_S / 50; i++) {
        const kept = sent++ % 2 === 0 && agent
        const answer = send(service, '/classify-stream', ORDER, {}, kept)
        answers.push(
          answer.then(
            ({ status }) => `${status}`,
            (error: Error) => error.message,
          ),
        )
      }
    }, 1_000 / 50)
    t.after(() => clearInterval(sending))
    for (let i = 0; i < REPLACEMENTS; i++) await reload(service)
    clearInterval(sending)
    assert.deepEqual(new Set(await Promise.all(answers)), new Set(['200']))
    const judged = /^tamis_verdicts_total\{verdict="ham",reason="none"\} (\d+)/m
    await eventually(async () => (await metric(service, judged)) === sent)
    assert.equal(await metric(service, /^tamis_threads (\d+)/m), 2)
  })

  it('replaces a thread that ends meanwhile once', async (t) => {
    const environment = { NODE_OPTIONS: FAULTS, TAMIS_LOG_LEVEL: 'info' }
    const service = await start(t, { environment })
    service.signal('SIGHUP')
    const refused = await send(service, '/classify-stream', ORDER, { 'x-fault': 'ends' })
    assert.equal(refused.status, 503)
    // The second comes after whatever the first and the end have led to.
    await reload(service)
    await reload(service)
    assert.equal(await metric(service, /^tamis_threads (\d+)/m), 2)
    service.signal('SIGTERM')
    assert.equal(await statusOf(service), 0)
  })

  it('again and again replaces the threads once more', async (t) => {
    const file = join(temporaryFolder(), 'tamis.json')
    const TAMIS_CONFIG = await written(file, {})
    const service = await start(t, { environment: { TAMIS_CONFIG, TAMIS_LOG_LEVEL: 'info' } })
    for (let i = 0; i < 10; i++) {
      service.signal('SIGHUP')
      // Signals that come together are one.
      await sleep(20)
    }
    await written(file, { threshold: 0.5 })
    service.signal('SIGHUP')
    await eventually(
      () => service.output().includes('"changed":["threshold"]'),
      'It does not replace its threads',
      HUNG_MS_MAX,
    )
    const times = service.output().split('"Reloaded"').length - 1
    assert.ok(times <= 3, `${times} times`)
  })

  it('puts new settings, rules and models into use, and keeps the old where the new are wrong', async (t) => {
    const folder = temporaryFolder()
    const [file, rules] = [join(folder, 'tamis.json'), join(folder, 'rules')]
    const TAMIS_CONFIG = await written(file, { threshold: 0.999 })
    const service = await start(t, { environment: { TAMIS_CONFIG, TAMIS_LOG_LEVEL: 'info' } })
    const verdict = async () => JSON.parse((await send(service, '/classify-stream', ORDER)).text)
    const reloaded = async (settings: object): Promise<FullVerdict> => {
      await written(file, settings)
      await reload(service)
      return await verdict()
    }
    const refused = async (count: number) => {
      service.signal('SIGHUP')
      const refusal = 'The configuration was not reloaded'
      await eventually(() => service.output().split(refusal).length - 1 === count)
    }
    assert.equal((await reloaded({ threshold: 1e-9 })).isSpam, true)
    await written(file, { threshold: 'high' })
    await refused(1)
    assert.equal((await verdict()).isSpam, true)
    await writeFile(rules, 'block from shop.example.com\n')
    assert.equal((await reloaded({ rules })).bypassReason, 'user_rule')
    await writeFile(rules, 'block everybody\n')
    await refused(2)
    assert.match(service.output(), /line 1, column 7: \\"everybody\\"/)
    assert.equal((await verdict()).bypassReason, 'user_rule')
    assert.equal((await reloaded({ models: await otherModels() })).bypassReason, null)
    assert.match(await metrics(service), /^tamis_info\{models="2099\.1\.1"/m)
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
    const asked = domains.map((domain) => {
      const headers = { 'x-sender-ip': '192.0.2.1', 'x-sender-email': `orders@${domain}` }
      const message = ORDER.replaceAll('shop.example.com', domain)
      return send(service, '/classify-stream', message, headers)
    })
    await eventually(() => domains.every((domain) => dns.questions.includes(`TXT ${domain}`)))
    service.signal('SIGTERM')
    await eventually(async () => !(await isHealthy(service)), 'It accepts connections')
    answer()
    for (const { status } of await Promise.all(asked)) assert.equal(status, 200)
    assert.equal(await statusOf(service), 0)
  })

  for (const passed of [false, true]) {
    it(`ends while it replaces its threads, on ${passed ? 'a socket that was passed to it' : 'its own socket'}`, async (t) => {
      const sockets = passed ? [socketAt(t, '127.0.0.1')] : []
      const options = { sockets: sockets.map(({ fd }) => fd), port: sockets[0]?.port ?? 0 }
      const service = await start(t, options)
      service.signal('SIGHUP')
      // Long enough to have begun, and not to have ended.
      await sleep(100)
      service.signal('SIGTERM')
      assert.equal(await statusOf(service), 0)
    })
  }

  it('by SIGKILL starts again on the same port', async (t) => {
    const service = await start(t)
    await service.end('SIGKILL')
    const next = await start(t, { port: service.port, dataDir: service.dataDir })
    assert.ok(await isHealthy(next))
    // Before the folder of the first is removed, in which it writes.
    await next.stop()
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

/** The status of the service, or the signal that ended it. */
async function statusOf({ ended }: ServiceProcess): Promise<number | string> {
  return await Promise.race([ended, sleep(END_MS_MAX, 'it does not end', { ref: false })])
}

interface FullVerdict {
  readonly isSpam: boolean
  readonly bypassReason: string | null
}

async function written(file: string, settings: object): Promise<string> {
  await writeFile(file, JSON.stringify(settings))
  return file
}

/** The shipped models under another version. */
async function otherModels(): Promise<string> {
  const folder = temporaryFolder()
  await cp(join(ROOT, 'artifacts'), folder, { recursive: true })
  for (const model of ['text', 'meta', 'tabs', 'fusion']) {
    const path = join(folder, model, 'manifest.json')
    const manifest = JSON.parse(await readFile(path, 'utf8'))
    await writeFile(path, JSON.stringify({ ...manifest, version: '2099.1.1' }))
  }
  return folder
}

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
