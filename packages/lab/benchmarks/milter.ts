/**
 * What the milter costs Postfix: messages a second and the time from the last line of a message to
 * Postfix's 250, without a milter and with one, each in turn. Service, milter, Postfix and
 * generator share the machine; CPU time is that of all processes of each. Needs root and Debian's postfix and swaks.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostfix } from '../../service/test/integrations/milter/postfix.ts'
import { type Measured, ROOT } from './benchmark.ts'
import { treeCpuMs } from './machine/process-tree.ts'
import { quantile } from './spread.ts'

const ROUNDS = 3
const MESSAGES = 1_000

/** Messages sent at a time. */
const SENDERS = 10

/** Messages sent one at a time. */
const ALONE = 200

const processes: ChildProcess[] = []

export async function measureMilter(): Promise<Measured> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tamis-bench-'))
  try {
    const tamis = await start(['packages/service/start.ts'], {
      TAMIS_PORT: '0',
      TAMIS_DATA_DIR: dataDir,
    })
    const milter = await start(
      ['packages/service/cli/tamis.ts', 'milter', '--listen', 'inet:0@127.0.0.1'],
      { TAMIS_URL: /http:\/\/[\d.:]+/.exec(tamis)![0] },
    )
    const port = /inet:(\d+)@/.exec(milter)![1]
    return { text: await rounds(`inet:127.0.0.1:${port}`) }
  } finally {
    for (const child of processes) child.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function rounds(milter: string): Promise<string> {
  const servers = { 'without a milter': '', 'with the milter': milter }
  const runs = new Map<string, Run[]>(Object.keys(servers).map((name) => [name, []]))
  let before: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, milters] of Object.entries(servers)) {
      const run = await measure(milters)
      // The first round warms up.
      if (round > 0) runs.get(name)?.push(run)
    }
    if (round === 0) before = processes.map(({ pid }) => treeCpuMs(pid!))
  }
  const counted = ROUNDS * (MESSAGES + ALONE)
  const [ofTamis, ofMilter] = processes.map(({ pid }, i) =>
    ((treeCpuMs(pid!) - before[i]!) / counted).toFixed(2),
  )
  const lines = [...runs].map(([name, all]) => lineOf(name, all))
  return [...lines, `CPU a message: Tamis ${ofTamis} ms, the milter ${ofMilter} ms`].join('\n')
}

interface Run {
  readonly perSecond: number
  /** Milliseconds from the end of a message to the reply, one message at a time. */
  readonly p50: number
  readonly p99: number
}

async function measure(milters: string): Promise<Run> {
  const postfix = await startPostfix(milters)
  try {
    const started = performance.now()
    const each = MESSAGES / SENDERS
    await Promise.all(Array.from({ length: SENDERS }, () => send(postfix.port, each)))
    const perSecond = (MESSAGES / (performance.now() - started)) * 1_000
    const alone = await send(postfix.port, ALONE)
    return { perSecond, p50: quantile(alone, 0.5), p99: quantile(alone, 0.99) }
  } finally {
    await postfix.close()
  }
}

/** Sends the examples on one connection; resolves to the milliseconds that each took from its end on. */
async function send(port: number, count: number): Promise<number[]> {
  const messages = ['order', 'phishing', 'newsletter', 'sale', 'appointment'].map((name) =>
    readFileSync(join(ROOT, `examples/${name}.eml`), 'latin1').replace(/\r?\n\.?/g, '\r\n'),
  )
  const socket = connect({ host: '127.0.0.1', port })
  socket.setNoDelay(true)
  const times: number[] = []
  await reply(socket)
  await say(socket, 'EHLO client.example.net')
  for (let sent = 0; sent < count; sent += 1) {
    await say(socket, 'MAIL FROM:<bob@example.net>')
    await say(socket, `RCPT TO:<user-${sent % 100}@example.com>`)
    await say(socket, 'DATA')
    const started = performance.now()
    await say(socket, `${messages[sent % messages.length]}\r\n.`)
    times.push(performance.now() - started)
  }
  socket.end('QUIT\r\n')
  return times
}

async function say(socket: Socket, line: string): Promise<void> {
  socket.write(`${line}\r\n`, 'latin1')
  await reply(socket)
}

async function reply(socket: Socket): Promise<void> {
  for (;;) {
    const [chunk] = await once(socket, 'data')
    if (!/^[23]/.test(`${chunk}`)) throw new Error(`${chunk}`)
    if (/^\d{3} .*\r\n$/m.test(`${chunk}`)) return
  }
}

/** Starts one of our processes; resolves to what it has said when it is up. */
async function start(args: readonly string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, TAMIS_AUTH_DNS: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  processes.push(child)
  let output = ''
  while (!output.includes(' listens')) output += (await once(child.stdout, 'data'))[0]
  child.stdout.resume()
  return output
}

function lineOf(name: string, runs: readonly Run[]): string {
  const median = (of: (run: Run) => number) => quantile(runs.map(of), 0.5).toFixed(1)
  return (
    `${name}: ${median((run) => run.perSecond)} messages a second; from the end of a message to 250, ` +
    `alone: p50 ${median((run) => run.p50)} ms, p99 ${median((run) => run.p99)} ms`
  )
}
