/** The service as a process of its own, started the way `npm start` does. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { localServer } from '../../../test/local-server.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { filesOf } from './helpers/open-files.ts'

const MAIN = new URL('../start.ts', import.meta.url).pathname

/** A process that loads all modules on a busy machine. */
const START_MS_MAX = 20_000

/** Longer than log lines are held back. */
const LOG_WAIT_MS = 300

describe('the service', () => {
  it('says where it listens, also without a log, answers there, and ends on SIGTERM', async (t) => {
    const { child, output } = await start(t, { TAMIS_PORT: '0', TAMIS_LOG_LEVEL: 'silent' })
    const url = await listeningUrl(child, output)
    const health = await fetch(`${url}/health`)
    assert.deepEqual(await health.json(), { status: 'ok' })
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
    await assert.rejects(fetch(`${url}/health`))
  })

  it('judges a message that is still arriving on SIGTERM, and leaves nothing behind', async (t) => {
    const { child, dataDir, sending } = await sendSlowly(t, {})
    const response = await sending
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('connection'), 'close')
    assert.deepEqual(await once(child, 'exit'), [0, null])
    assert.deepEqual(await filesOf(join(dataDir, 'tmp')), [])
  })

  it('cuts off a message that takes longer to arrive than there is time, and leaves nothing behind', async (t) => {
    const { child, dataDir, sending } = await sendSlowly(t, { TAMIS_SHUTDOWN_MS: '100' })
    await assert.rejects(sending)
    assert.deepEqual(await once(child, 'exit'), [0, null])
    assert.deepEqual(await filesOf(join(dataDir, 'tmp')), [])
  })

  for (const [name, environment, text] of [
    [
      'a setting that is not allowed',
      { TAMIS_PORT: 'x' },
      'tamis: TAMIS_PORT is "x"; allowed: a whole number from 0 to 65535\n',
    ],
    [
      'a public address without keys',
      { TAMIS_HOST: '0.0.0.0' },
      'tamis: TAMIS_HOST, or ListenStream of the socket unit, is "0.0.0.0"; allowed while no key is configured: localhost, 127.0.0.1 or ::1. Without keys, anyone who can reach the service can use it\n',
    ],
  ] as const) {
    it(`does not start with ${name}, and says why`, async (t) => {
      const { child, errors } = await start(t, environment)
      assert.deepEqual(await once(child, 'exit'), [78, null])
      assert.equal(errors.join(''), text)
    })
  }

  it('does not start on a port that another one has, and says so', async (t) => {
    const { port } = await localServer(t, createServer())
    const { child, errors } = await start(t, { TAMIS_PORT: `${port}` })
    assert.deepEqual(await once(child, 'exit'), [78, null])
    assert.match(errors.join(''), /^tamis: Cannot listen on TAMIS_HOST "127.0.0.1", TAMIS_PORT /)
  })

  it('goes on when nobody reads its log any more', async (t) => {
    const { child, output } = await start(t, { TAMIS_PORT: '0' })
    const url = await listeningUrl(child, output)
    child.stdout?.destroy()
    for (let i = 0; i < 3; i++) {
      assert.equal((await fetch(`${url}/health`)).status, 200)
      await sleep(LOG_WAIT_MS)
    }
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })

  it('does not start without models', async (t) => {
    const { child, errors } = await start(t, { TAMIS_MODELS: '/no/such/folder' })
    assert.deepEqual(await once(child, 'exit'), [78, null])
    assert.match(errors.join(''), /^tamis: Cannot read \/no\/such\/folder/)
  })
})

async function start(
  t: TestContext,
  environment: Record<string, string>,
): Promise<{ child: ChildProcess; output: string[]; errors: string[]; dataDir: string }> {
  const dataDir = temporaryFolder()
  const env = {
    TAMIS_DATA_DIR: dataDir,
    TAMIS_WORKERS: '1',
    TAMIS_AUTH_DNS: 'off',
    ...environment,
  }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors]: [string[], string[]] = [[], []]
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  t.after(() => void child.kill('SIGKILL'))
  return { child, output, errors, dataDir }
}

/** A service that is told to end while a message of 12 MB arrives, which takes it 0.4 s. */
async function sendSlowly(
  t: TestContext,
  environment: Record<string, string>,
): Promise<{ child: ChildProcess; dataDir: string; sending: Promise<Response> }> {
  const { child, output, dataDir } = await start(t, { TAMIS_PORT: '0', ...environment })
  const url = await listeningUrl(child, output)
  let more = 40
  const body = new ReadableStream({
    async pull(controller) {
      if (more === 40) controller.enqueue(Buffer.from('Subject: slow\r\n\r\n'))
      if (more === 39) child.kill('SIGTERM')
      await sleep(10)
      controller.enqueue(Buffer.alloc(300_000, 'a line of text\r\n'))
      if (--more === 0) controller.close()
    },
  })
  const headers = { 'content-type': 'message/rfc822' }
  const options = { method: 'POST', headers, body, duplex: 'half' } as const
  return { child, dataDir, sending: fetch(`${url}/classify-stream`, options) }
}

async function listeningUrl(child: ChildProcess, output: readonly string[]): Promise<string> {
  const end = performance.now() + START_MS_MAX
  while (child.exitCode === null && performance.now() < end) {
    const [, url] = /^Tamis listens on (http:\S+) with models \S+/m.exec(output.join('')) ?? []
    if (url !== undefined) return url
    await sleep(20)
  }
  throw new Error(`It does not listen: ${output.join('')}`)
}
