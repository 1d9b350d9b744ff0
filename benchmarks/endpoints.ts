/**
 * Answers a second and latencies over HTTP: embeddings, embeddings while the classification queue
 * is full, and corrections at 200 a second on SQLite. For the first, service and generator have a
 * core each where `taskset` is there to give them one; for the others both have two.
 *
 *   npm run bench:http
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LoadResult, quantile, runLoad } from './http-load.ts'

const SECONDS = 10

const WORDS =
  'your parcel from the garden shop is on its way and will be there on friday before noon thank you'

const dataDir = mkdtempSync(join(tmpdir(), 'tamis-bench-'))
const service = startService()
try {
  const url = await listeningUrl(service)
  pin(service.pid!, '0')
  pin(process.pid, '1')
  const embed = {
    url: `${url}/classify/embed-text`,
    headers: () => ({ 'content-type': 'application/json' }),
    body: (i: number) => JSON.stringify({ text: `${WORDS} ${i}` }),
  }
  await runLoad({ ...embed, connections: 16, seconds: 3 })
  print('embed 20 words', await runLoad({ ...embed, connections: 16, seconds: SECONDS }))

  pin(service.pid!, '0,1')
  pin(process.pid, '0,1')
  const classify = {
    url: `${url}/classify-stream`,
    headers: () => ({ 'content-type': 'message/rfc822' }),
    body: message,
  }
  const full = runLoad({ ...classify, connections: 1_200, seconds: SECONDS })
  print(
    'embed at 20/s, queue full',
    await runLoad({ ...embed, connections: 16, seconds: SECONDS - 2, rate: 20 }),
  )
  print('classify, 1,200 connections', await full)

  const correct = {
    url: `${url}/feedback-stream`,
    headers: (i: number) => ({
      'content-type': 'message/rfc822',
      'x-user-id': `user-${i % 500}`,
      'x-is-spam': 'true',
    }),
    body: message,
  }
  print(
    'correct at 200/s',
    await runLoad({ ...correct, connections: 64, seconds: SECONDS, rate: 200 }),
  )
} finally {
  service.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}

/** A message of 5 KB, each one different. */
function message(i: number): string {
  const lines = Array.from({ length: 60 }, (_, line) => `${WORDS.slice(line % 40)} ${i * line}`)
  return [
    `From: Shop <orders-${i}@shop-${i % 50}.example.com>`,
    `Subject: Your order ${i}`,
    `Message-ID: <${i}@shop.example.com>`,
    '',
    ...lines,
  ].join('\r\n')
}

/** All threads of a process, those to come too, on `cores`. */
function pin(pid: number, cores: string): void {
  spawnSync('taskset', ['-acp', cores, `${pid}`])
}

function startService(): ChildProcess {
  return spawn(process.execPath, ['--max-semi-space-size=4', 'src/main.ts'], {
    env: { ...process.env, TAMIS_PORT: '0', TAMIS_DATA_DIR: dataDir, TAMIS_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function listeningUrl(child: ChildProcess): Promise<string> {
  let output = ''
  for await (const chunk of child.stdout!) {
    output += String(chunk)
    const url = /http:\/\/[\d.:]+/.exec(output)?.[0]
    if (url !== undefined) return url
  }
  throw new Error(`The service ended without listening: ${output}`)
}

function print(name: string, result: LoadResult): void {
  const statuses = [...result.statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
  const at = (share: number) => `${quantile(result, share).toFixed(1)} ms`
  process.stdout.write(
    `${name}: ${result.perSecond.toFixed(0)}/s, p50 ${at(0.5)}, p99 ${at(0.99)} (${statuses})\n`,
  )
}
