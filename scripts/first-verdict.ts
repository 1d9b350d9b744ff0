/**
 * How long a newcomer takes from `git clone` to the first verdict in the console: the README's own
 * commands in a folder of their own, and a click on the first sample. The npm cache is as it is.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchChromium } from '../packages/console/test/chromium.ts'

const REPOSITORY = join(import.meta.dirname, '..')

const folder = mkdtempSync(join(tmpdir(), 'tamis-newcomer-'))
const clone = join(folder, 'tamis')
/** The environment of a plain shell, without the Node of this checkout. */
const environment = { ...process.env, PATH: outerPath(), TAMIS_PORT: '0' }
let service: ChildProcess | undefined
try {
  const started = performance.now()
  time('git clone', () => run('git', ['clone', '--quiet', REPOSITORY, clone], folder))
  time('npm ci', () => run('npm', ['ci', '--no-audit', '--no-fund'], clone))
  const url = await timeLater('npm start', start)
  await timeLater('first verdict', () => judge(url))
  report('all', performance.now() - started)
} finally {
  if (service?.pid !== undefined) process.kill(-service.pid)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function outerPath(): string {
  const path = process.env['PATH'] ?? ''
  return path
    .split(':')
    .filter((place) => !place.includes('node_modules') && !place.includes('node-gyp-bin'))
    .join(':')
}

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Starts the service; resolves to the address at which it listens. */
async function start(): Promise<string> {
  // In a process group of its own, since npm does not pass signals on to what it starts.
  service = spawn('npm', ['start'], { cwd: clone, env: environment, detached: true })
  let said = ''
  for await (const bytes of service.stdout!) {
    said += bytes
    const url = /listens on (http:\S+)/.exec(said)?.[1]
    if (url !== undefined) return url
  }
  const [status] = await once(service, 'exit')
  throw new Error(`npm start ended with ${status}: ${said}`)
}

async function judge(url: string): Promise<void> {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(url)
    await page.getByRole('button', { name: 'A parcel on hold' }).click()
    await page.locator('.verdict-sentence').waitFor()
  } finally {
    await browser.close()
  }
}

function time(what: string, work: () => void): void {
  const started = performance.now()
  work()
  report(what, performance.now() - started)
}

async function timeLater<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  const started = performance.now()
  const value = await work()
  report(what, performance.now() - started)
  return value
}

function report(what: string, ms: number): void {
  process.stdout.write(`${what.padEnd(14)} ${(ms / 1_000).toFixed(1).padStart(6)} s\n`)
}
