/** What is found out when the service starts. */
import assert from 'node:assert/strict'
import { closeSync, openSync, writeSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { HTTP_OPERATIONS } from '../../http/operations.ts'
import { openStore } from '../../store/open.ts'
import { type DnsServer, startDnsServer, type Zone } from '../helpers/dns-server.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { rule } from '../store/samples.ts'
import { build, buildOnce, ORDER, open, post, type TestService } from './service.ts'

/** TAMIS_AUTH_DNS: whether senders are checked by DNS, and where that is said. A server on loopback stands for those of the machine. */
describe('sender checks', () => {
  const ANSWERS: Zone = {
    'a.root-servers.net': { A: ['198.41.0.4'] },
    '_dmarc.shop.example.com': { TXT: ['v=DMARC1; p=reject'] },
  }

  const CLIENT = { 'x-sender-ip': '192.0.2.9', 'x-sender-email': 'a@unlisted.example' }

  interface Started {
    /** As /ready and /metrics have it. */
    readonly checks: readonly [ready: boolean, metric: string | undefined]
    /** The DMARC result of a message from a domain that asks to refuse it; undefined when nothing was checked. */
    readonly dmarc: string | undefined
    /** Log lines about it. */
    readonly lines: readonly string[]
    readonly questions: readonly string[]
  }

  async function started(t: TestContext, authDns: string, zone: Zone): Promise<Started> {
    const server = await startDnsServer(t, zone)
    return await startedWith(t, authDns, server)
  }

  async function startedWith(t: TestContext, authDns: string, server: DnsServer): Promise<Started> {
    const logged: { msg?: string }[] = []
    const stream = { write: (line: string) => void logged.push(JSON.parse(line)) }
    const { app } = await build(t, {
      config: { authDns },
      log: { level: 'info', stream },
      modules: { machineServers: [server.address] },
    })
    const questions = [...server.questions]
    const { senders } = (await app.inject('/ready')).json()
    const { body } = await app.inject('/metrics')
    const answer = await post(app, '/classify/diagnostic-stream', ORDER, CLIENT)
    return {
      checks: [senders.dns, /^tamis_sender_checks (\d)$/m.exec(body)?.[1]],
      dmarc: answer.json().email.authentication?.dmarc.result,
      lines: logged.map(({ msg = '' }) => msg).filter((msg) => msg.includes('TAMIS_AUTH_DNS')),
      questions,
    }
  }

  describe('TAMIS_AUTH_DNS', () => {
    it('auto is on where a server answers, after one question', async (t) => {
      const { checks, dmarc, lines, questions } = await started(t, 'auto', ANSWERS)
      assert.deepEqual(checks, [true, '1'])
      assert.equal(dmarc, 'fail')
      assert.deepEqual(lines, ['A DNS server answers: senders are checked (TAMIS_AUTH_DNS)'])
      assert.deepEqual(questions, ['A a.root-servers.net'])
    })

    for (const [name, zone] of [
      ['never answers', { 'a.root-servers.net': 'SILENT' }],
      ['fails', { 'a.root-servers.net': 'SERVFAIL' }],
      ['knows no names of the internet', {}],
    ] satisfies [string, Zone][]) {
      it(`auto is off where a server ${name}`, async (t) => {
        const { checks, dmarc, lines } = await started(t, 'auto', zone)
        assert.deepEqual(checks, [false, '0'])
        assert.equal(dmarc, undefined)
        assert.deepEqual(lines, [
          'No DNS server answers: senders are not checked until one does (TAMIS_AUTH_DNS)',
        ])
      })
    }

    it('auto asks again while no server answers, and opens the service anew when one does', async (t) => {
      const server = await startDnsServer(t, { 'a.root-servers.net': 'SERVFAIL' })
      const { promise: renewed, resolve: renew } = Promise.withResolvers<void>()
      const options = {
        config: { authDns: 'auto' },
        modules: { machineServers: [server.address], renew },
      }
      const metrics = async ({ app }: TestService) => {
        const { body } = await app.inject('/metrics')
        return body.match(/^tamis_sender_checks(?:_waiting)? \d$/gm)
      }
      const waiting = ['tamis_sender_checks 0', 'tamis_sender_checks_waiting 1']
      assert.deepEqual(await metrics(await build(t, options)), waiting)

      server.zone = ANSWERS
      await renewed
      const on = ['tamis_sender_checks 1', 'tamis_sender_checks_waiting 0']
      assert.deepEqual(await metrics(await build(t, options)), on)
    })
  })
})

/** A service on a SQLite file of which a part is malformed. */
describe('damaged store', () => {
  const DAMAGED = {
    error: 'The file of the store is malformed: restore a backup',
    code: 'STORE_DAMAGED',
  }

  /** A store with a rule of Ann, whose table is overwritten. */
  async function damagedStore(): Promise<string> {
    const dataDir = temporaryFolder()
    const store = await openStoreHere({ dataDir })
    await store.addRule(rule())
    await store.close()
    const file = join(dataDir, 'tamis.sqlite')
    const database = new DatabaseSync(file)
    const { rootpage } = database
      .prepare("select rootpage from sqlite_master where name = 'rules'")
      .get() as { rootpage: number }
    const { page_size } = database.prepare('pragma page_size').get() as { page_size: number }
    database.close()
    const descriptor = openSync(file, 'r+')
    writeSync(descriptor, Buffer.alloc(page_size, 0xa5), 0, page_size, (rootpage - 1) * page_size)
    closeSync(descriptor)
    return dataDir
  }

  function capture(t: TestContext) {
    const lines: string[] = []
    t.after(() => lines.splice(0))
    return {
      lines,
      log: { level: 'error', stream: { write: (line: string) => lines.push(line) } } as const,
    }
  }

  describe('a SQLite file that is malformed', () => {
    it('is found when the service starts: it is not ready, says why, and judges all the same', async (t) => {
      const dataDir = await damagedStore()
      const { lines, log } = capture(t)
      const { app } = await build(t, { config: { dataDir }, log, modules: { openStore } })
      const ready = await eventually(async () => {
        const answer = await app.inject('/ready')
        return answer.statusCode === 503 && answer
      })
      assert.deepEqual(ready.json(), DAMAGED)
      assert.match((await app.inject('/metrics')).body, /^tamis_ready 0$/m)
      assert.equal((await app.inject('/health')).statusCode, 200)
      const verdict = await post(app, '/classify-stream', ORDER, { 'x-user-id': 'ann' })
      assert.equal(verdict.statusCode, 200)
      assert.equal(lines.filter((line) => line.includes('STORE_DAMAGED')).length, 1)
    })
  })
})

/** What holds for every path. */
describe('server', () => {
  const app = buildOnce()

  it('answers that the process lives', async () => {
    const response = await app().inject('/health')
    assert.deepEqual([response.statusCode, response.json()], [200, { status: 'ok' }])
    const head = await app().inject({ method: 'HEAD', url: '/health' })
    assert.deepEqual([head.statusCode, head.body], [200, ''])
  })

  it('answers 404 at an unknown path, whatever the method and the Content-Type', async () => {
    for (const url of ['/nothing', '/classify-stream/', '/%zz']) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE'] as const) {
        const { statusCode, body } = await app().inject({ method, url, payload: '{' })
        assert.deepEqual([statusCode, JSON.parse(body).code], [404, 'PATH_UNKNOWN'], url)
      }
    }
  })

  it('lets browsers and proxies keep only what everybody may have', async () => {
    for (const { method, path, scope } of HTTP_OPERATIONS) {
      const { headers } = await app().inject({ method, url: path.replaceAll(/:\w+/g, '1') })
      assert.equal(headers['cache-control'], scope === 'none' ? undefined : 'no-store', path)
    }
  })

  it('refuses pages of others while no key is needed, also at an unknown path', async () => {
    const headers = { host: 'localhost:8025', 'sec-fetch-site': 'cross-site' }
    for (const [method, url] of [
      ['POST', '/models/rollback'],
      ['DELETE', '/personalization/data'],
      ['POST', '/nothing'],
    ] as const) {
      const { statusCode, body } = await app().inject({ method, url, headers })
      assert.deepEqual([statusCode, JSON.parse(body).code], [403, 'ORIGIN_FORBIDDEN'], url)
    }
  })

  describe('the log', () => {
    it('says at the start which store is used, whose it is, and whether it was made just now', async () => {
      const dataDir = temporaryFolder()
      const starts = []
      for (let start = 0; start < 2; start++) {
        const lines: string[] = []
        const stream = { write: (line: string) => void lines.push(line) }
        const service = await open({ config: { dataDir }, log: { level: 'info', stream } })
        await service.close()
        const { level, store, owner, isNew, msg } = JSON.parse(lines[0]!)
        starts.push({ level, store, owner, isNew, msg })
      }
      const place = { level: 30, store: join(dataDir, 'tamis.sqlite'), owner: userInfo().username }
      assert.deepEqual(starts, [
        { ...place, isNew: true, msg: 'A new store was made' },
        { ...place, isNew: false, msg: 'The store is open' },
      ])
    })

    it('says where a key is given, when the first comes from TAMIS_API_KEY_FILE', async () => {
      const dataDir = temporaryFolder()
      const apiKeyFile = join(dataDir, 'key')
      await writeFile(apiKeyFile, 'k'.repeat(40))
      const said: number[] = []
      for (let start = 0; start < 2; start++) {
        const lines: string[] = []
        const stream = { write: (line: string) => void lines.push(line) }
        const config = { dataDir, apiKeyFile }
        const service = await open({ config, log: { level: 'info', stream } })
        await service.close()
        said.push(lines.filter((line) => /This is the first key.*TAMIS_API_KEY/.test(line)).length)
      }
      assert.deepEqual(said, [1, 0])
    })

    it('says of a judged message which one it is, the verdict and why, and names no user and no address', async (t) => {
      const lines: string[] = []
      const stream = { write: (line: string) => void lines.push(line) }
      const { app } = await build(t, { log: { level: 'info', stream } })
      lines.length = 0
      const user = { 'x-user-id': 'private-user', 'x-sender-email': 'private@example.com' }
      await post(app, '/classify-stream', ORDER, user)
      await post(app, '/classify/diagnostic-stream', ORDER, user)
      await post(app, '/tabs/classify-stream', ORDER, user)
      const [first, ...others] = lines.map((line) => {
        const { level, time, pid, hostname, reqId, route, ms, ...said } = JSON.parse(line)
        return said
      })
      const { probability, escalate, sentence, reasons, ...named } = first
      assert.deepEqual(named, {
        method: 'POST',
        status: 200,
        messageId: '4711@shop.example.com',
        senderDomain: 'shop.example.com',
        verdict: 'ham',
        class: 'transactions',
        msg: 'request',
      })
      assert.ok(probability >= 0 && probability < 1)
      assert.equal(typeof escalate, 'boolean')
      assert.match(sentence, /^[A-Z][a-z ,\d.%]+: .+\.$/)
      assert.ok(reasons.length > 0 && reasons.length <= 5)
      for (const reason of reasons) assert.match(reason, /^[+-]\d+\.\d [A-Z][A-Z0-9_]+$/)
      const { verdict: _, ...classAlone } = named
      assert.deepEqual(others, [first, { ...classAlone, reasons }])
      assert.doesNotMatch(lines.join(''), /private|orders@|a@example|shipped|Total/)
    })

    it('has route, status and time of a request, and nothing of what it said', async (t) => {
      const lines: string[] = []
      const stream = { write: (line: string) => void lines.push(line) }
      const { app } = await build(t, { log: { level: 'info', stream } })
      lines.length = 0
      await post(app, '/classify-stream?userId=private-user', ORDER, {
        'x-user-id': 'private-user',
        'x-sender-email': 'private@example.com',
        'x-sender-ip': '192.0.2.25',
      })
      await post(app, '/classify-stream', ORDER, { 'x-sender-email': 'private person' })
      await post(app, '/private-path', ORDER)
      assert.deepEqual(
        lines.map((line) => {
          const { route, method, status } = JSON.parse(line)
          return { route, method, status }
        }),
        [
          { route: '/classify-stream', method: 'POST', status: 200 },
          { route: '/classify-stream', method: 'POST', status: 400 },
          { route: null, method: 'POST', status: 404 },
        ],
      )
      assert.ok(lines.every((line) => Number.isInteger(JSON.parse(line).ms)))
      assert.ok(lines.every((line) => /"reqId":"/.test(line)))
      assert.doesNotMatch(lines.join(''), /private|orders|192\.0\.2|shipped/)
    })
  })
})
