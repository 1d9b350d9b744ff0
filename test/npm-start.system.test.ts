/** What signals do to a service started by `npm start`, which has npm as its parent process. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from './eventually.ts'
import { temporaryFolder } from './temporary-folder.ts'

const ROOT = join(import.meta.dirname, '..')

/** A process that loads all modules on a busy machine. */
const PATIENCE_MS = 60_000

/** Requests that wait when the signal comes. */
const WAITING = 5

/** A message of 2.2 MB: it is analysed on a thread of its own, so that the service can meanwhile say how many wait. */
const LARGE_MESSAGE = `From: a@example.com\r\nContent-Type: text/html\r\n\r\n${'<p>A <b>word</b> and'.repeat(115_000)}`

describe('npm start', () => {
  for (const [name, send] of [
    ['SIGTERM to npm', (npm: ChildProcess) => npm.kill('SIGTERM')],
    ['SIGINT to npm', (npm: ChildProcess) => npm.kill('SIGINT')],
    // The terminal signals the whole group, and npm passes its signal on.
    ['Ctrl-C in a terminal', (npm: ChildProcess) => process.kill(-npm.pid!, 'SIGINT')],
  ] as const) {
    it(`ends on ${name} once all requests in progress are answered, with 0`, async (t) => {
      const { npm, url } = await npmStart(t)
      const answers = Array.from({ length: 12 }, () => classify(url))
      await eventually(async () => (await queueDepth(url)) >= WAITING)
      const exited = once(npm, 'exit')
      send(npm)
      const statuses = await Promise.all(answers)
      assert.ok(statuses.filter((status) => status === 200).length >= WAITING, `${statuses}`)
      assert.deepEqual(new Set([...statuses, 0, 200, 503]), new Set([0, 200, 503]))
      assert.deepEqual(await exited, [0, null])
      await assert.rejects(fetch(`${url}/health`))
    })
  }
})

async function npmStart(t: TestContext): Promise<{ npm: ChildProcess; url: string }> {
  const dataDir = temporaryFolder()
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    TAMIS_AUTH_DNS: 'off',
    TAMIS_DATA_DIR: dataDir,
    TAMIS_PORT: '0',
    TAMIS_WORKERS: '1',
    TAMIS_LOG_LEVEL: 'silent',
    TAMIS_QUEUE_TIMEOUT_MS: `${PATIENCE_MS}`,
    TAMIS_SHUTDOWN_MS: `${PATIENCE_MS}`,
  }
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: [...stdio], detached: true })
  t.after(async () => {
    // Ends what is left of the group if the test has failed.
    try {
      process.kill(-npm.pid!, 'SIGKILL')
    } catch {}
  })
  let output = ''
  for await (const text of npm.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text
    const [, url] = /^Tamis listens on (http:\S+) /m.exec(output) ?? []
    if (url !== undefined) {
      npm.stdout.resume()
      return { npm, url }
    }
  }
  throw new Error(`It does not listen: ${output}`)
}

/** The status of the answer to a large message; 0 where the service ended before it took the connection. */
async function classify(url: string): Promise<number> {
  const body = LARGE_MESSAGE
  const headers = { 'content-type': 'message/rfc822' }
  try {
    const response = await fetch(`${url}/classify-stream`, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

async function queueDepth(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^tamis_queue_depth (\d+)/m.exec(metrics)?.[1])
}
