/**
 * Two services of two serving threads each, on one PostgreSQL behind a real nginx with deploy/nginx.conf:
 * what two machines would be. One is killed under load, and one is stopped:
 * every request for a verdict gets one, and nothing that was acknowledged is lost.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { freePort } from '../../../lab/peers/processes.ts'
import { makeSchema, postgresAbsent } from '../helpers/postgres.ts'
import { type ServiceProcess, startService } from '../helpers/service-process.ts'
import { MAILBAG } from './mailbag.ts'
import { ORDER } from './service.ts'

const CONFIGURATION = join(import.meta.dirname, '../../../../deploy/nginx.conf')

const skip =
  (await postgresAbsent()) ??
  (spawnSync('nginx', ['-v']).status === 0 ? false : 'nginx is not installed')

const KEY = 'a-key-of-the-mail-host-4711-and-longer'

/** Serving threads of each. */
const WORKERS = 2

const CLIENTS = 8

/** Load before and after each fault. */
const CALM_MS = 800

describe('two replicas behind nginx', { skip }, () => {
  let folder: string
  let databaseUrl: string
  let url: string
  let nginx: ChildProcess
  const replicas: ServiceProcess[] = []
  const ends: (() => Promise<unknown>)[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tamis-nginx-'))
    databaseUrl = await makeSchema((drop) => ends.push(drop))
    await writeFile(join(folder, 'key'), `${KEY}\n`)
    for (const name of ['one', 'other']) replicas.push(await startReplica(name))
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    nginx = await startNginx(port)
  })
  after(async () => {
    nginx?.kill('SIGTERM')
    for (const replica of replicas) await replica.stop()
    for (const end of ends) await end()
    await rm(folder, { recursive: true, force: true })
  })

  /** @param port of one that was there before */
  async function startReplica(name: string, port = 0): Promise<ServiceProcess> {
    const dataDir = join(folder, name)
    await mkdir(dataDir, { recursive: true })
    const environment = {
      DATABASE_URL: databaseUrl,
      TAMIS_API_KEY_FILE: join(folder, 'key'),
      TAMIS_WORKERS: `${WORKERS}`,
    }
    return await startService({ dataDir, environment, port })
  }

  async function startNginx(port: number): Promise<ChildProcess> {
    const site = (await readFile(CONFIGURATION, 'utf8'))
      .replace('127.0.0.1:8020', `127.0.0.1:${port}`)
      .replace('127.0.0.1:8025', `127.0.0.1:${replicas[0]!.port}`)
      .replace('127.0.0.1:8026', `127.0.0.1:${replicas[1]!.port}`)
    await writeFile(join(folder, 'site.conf'), site)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    )
    const main = `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'error.log')} warn;
events { worker_connections 512; }
http { access_log off; ${paths.join(' ')} include ${join(folder, 'site.conf')}; }`
    await writeFile(join(folder, 'nginx.conf'), main)
    const child = spawn(
      'nginx',
      ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')],
      {
        stdio: 'inherit',
      },
    )
    await eventually(
      async () => (await fetch(`${url}/health`).catch(() => undefined))?.status === 200,
    )
    return child
  }

  async function ask(path: string, body: string, headers: Record<string, string> = {}) {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        'content-type': 'message/rfc822',
        authorization: `Bearer ${KEY}`,
        ...headers,
      },
      body,
    })
    return { status: response.status, text: await response.text() }
  }

  /** Clients that ask without end while `what` happens; gives all answers but the good ones. */
  async function underLoad(what: () => Promise<unknown>): Promise<{
    readonly bad: readonly string[]
    readonly verdicts: number
    readonly acknowledged: ReadonlyMap<string, string>
  }> {
    let ended = false
    let verdicts = 0
    const bad: string[] = []
    const acknowledged = new Map<string, string>()
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let i = 0; !ended; i++) {
        const user = `user-${client}`
        const id = `${crypto.randomUUID()}@example.com`
        const text = MAILBAG[(client + i) % MAILBAG.length]!
        const message = text.replace(/^Message-ID: <.*>/m, `Message-ID: <${id}>`)
        const isCorrection = i % 4 === 3 && message.includes(id)
        const { status, text: answer } = isCorrection
          ? await ask('/feedback-stream', message, { 'x-user-id': user, 'x-is-spam': 'true' })
          : await ask('/classify-stream', message, { 'x-user-id': user })
        if (status !== 200)
          bad.push(`${isCorrection ? 'correction' : 'verdict'}: ${status} ${answer}`)
        else if (isCorrection) acknowledged.set(JSON.parse(answer).feedbackId, user)
        else verdicts++
      }
    })
    await sleep(CALM_MS)
    await what()
    await sleep(CALM_MS)
    ended = true
    await Promise.all(clients)
    return { bad, verdicts, acknowledged }
  }

  async function missing(acknowledged: ReadonlyMap<string, string>): Promise<string[]> {
    const there = new Set<string>()
    for (const user of new Set(acknowledged.values())) {
      const memory = await fetch(`${url}/personalization/memory?userId=${user}`, {
        headers: { authorization: `Bearer ${KEY}` },
      })
      const { items } = (await memory.json()) as { items: { feedbackId: string }[] }
      for (const { feedbackId } of items) there.add(feedbackId)
    }
    return [...acknowledged.keys()].filter((id) => !there.has(id))
  }

  async function verdictsOf({ url: own }: ServiceProcess): Promise<number> {
    const headers = { authorization: `Bearer ${KEY}` }
    const text = await (await fetch(`${own}/metrics`, { headers })).text()
    const counts = [...text.matchAll(/^tamis_verdicts_total\{.*\} (\d+)$/gm)]
    return counts.reduce((sum, [, count]) => sum + Number(count), 0)
  }

  it('share the load, and a correction given to one holds at the other', async () => {
    const { bad, acknowledged } = await underLoad(async () => {})
    assert.deepEqual(bad, [])
    assert.deepEqual(await missing(acknowledged), [])
    for (const replica of replicas) assert.ok((await verdictsOf(replica)) > 0)
    const user = { 'x-user-id': 'ann' }
    assert.equal(
      (await ask('/feedback-stream', ORDER, { ...user, 'x-is-spam': 'true' })).status,
      200,
    )
    await eventually(async () => {
      const answers = await Promise.all(
        [1, 2, 3, 4].map(() => ask('/classify-stream', ORDER, user)),
      )
      return answers.every(({ text }) => JSON.parse(text).bypassReason === 'user_rule')
    })
  })

  it('one killed under load, no verdict fails, and nothing acknowledged is lost', async (t) => {
    const { bad, verdicts, acknowledged } = await underLoad(() => replicas[0]!.end('SIGKILL'))
    t.diagnostic(`${verdicts} verdicts, ${acknowledged.size} corrections, ${bad.length} failed`)
    assert.deepEqual(bad, [])
    assert.deepEqual(await missing(acknowledged), [])
  })

  it('and started again, it takes its share again', async () => {
    replicas[0] = await startReplica('one', replicas[0]!.port)
    // nginx asks it again only after fail_timeout.
    const { bad } = await underLoad(() =>
      eventually(async () => (await verdictsOf(replicas[0]!)) > 0),
    )
    assert.deepEqual(bad, [])
  })

  it('one told to end under load, as for an upgrade, nobody notices', async () => {
    const { bad, acknowledged } = await underLoad(() => replicas[1]!.end('SIGTERM'))
    assert.deepEqual(bad, [])
    assert.deepEqual(await missing(acknowledged), [])
    replicas[1] = await startReplica('other', replicas[1]!.port)
  })

  it('a message of 12 MiB goes through', async () => {
    const large = `From: a@example.com\r\n\r\n${'so long and so on\r\n'.repeat(700_000)}`
    assert.equal((await ask('/classify-stream', large)).status, 200)
  })
})
