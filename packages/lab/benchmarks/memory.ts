/**
 * Resident memory of the service: started with two workers, sent every message of the sets in
 * turn until MESSAGES have been answered, its VmRSS read on the way (Linux).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const SETS = ['spamassassin', 'household_2025', 'phishing_pot']

const MESSAGES = 20_000

/** Requests in flight at a time: enough to keep both workers busy. */
const CONCURRENCY = 8

const REPORT_EVERY = 2_000

const PORT = 18_025

const ROOT = join(import.meta.dirname, '../../..')

const { values } = parseArgs({ options: { corpora: { type: 'string' } } })
if (values.corpora === undefined) throw new TypeError('--corpora DIR is missing')
const messages = SETS.flatMap((set) => readSet(join(values.corpora!, set)))
const [, ...startArguments] = startCommand()
const service = spawn(process.execPath, startArguments, {
  cwd: ROOT,
  env: {
    ...process.env,
    TAMIS_PORT: String(PORT),
    TAMIS_WORKERS: '2',
    TAMIS_LOG_LEVEL: 'error',
    TAMIS_DATA_DIR: mkdtempSync(join(tmpdir(), 'tamis-bench-')),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
await once(service.stdout, 'data')

let sent = 0
console.log(`at start: ${residentMiB()} MiB`)
await Promise.all(Array.from({ length: CONCURRENCY }, sendUntilDone))
service.kill()

async function sendUntilDone(): Promise<void> {
  while (sent < MESSAGES) {
    const number = sent++
    const answer = await fetch(`http://127.0.0.1:${PORT}/classify-stream`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body: new Uint8Array(messages[number % messages.length]!),
    })
    await answer.arrayBuffer()
    if ((number + 1) % REPORT_EVERY === 0) console.log(`after ${number + 1}: ${residentMiB()} MiB`)
  }
}

/** What `npm start` runs: its flags bound the heap. */
function startCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return scripts.start.split(' ').slice(1)
}

function residentMiB(): number {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

function readSet(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => readFileSync(join(folder, name)))
}
