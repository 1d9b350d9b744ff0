/**
 * Tamis beside Rspamd and SpamAssassin's spamd: the same messages to each in turn, several rounds, the order
 * turned round each time. The server has core 0 and the load core 1.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Values } from '../evaluation/report.ts'
import { versionOf } from '../peers/processes.ts'
import { startRspamd } from '../peers/rspamd.ts'
import { startSpamd } from '../peers/spamassassin.ts'
import type { Given } from './bench.ts'
import { answered, type LoadResult, load, loadAtRate, quantile } from './load.ts'
import { type MessageSet, readMailAsItComes, readMessageSets } from './message-sets.ts'
import { measureProcess } from './process-phase.ts'
import { atRest, pin, startTamis, treeCpuMs, treeMemoryMiB } from './processes.ts'

const [SERVER_CORE, LOAD_CORE] = ['0', '1']

/** Until V8 has compiled the hot code. */
const WARM_UP_SECONDS = 15

/** Enough that a server never waits for the load. */
const IN_FLIGHT = 32

interface Server {
  readonly name: string
  readonly pid: number
  readonly stop: () => Promise<void>
  /** Asks about the messages of `set` for some seconds: at `rate` a second, or as fast as they are answered. */
  readonly run: (set: MessageSet, seconds: number, rate?: number) => Promise<LoadResult>
}

interface Row {
  readonly server: string
  readonly set: string
  readonly perSecond: number
  readonly cpuMs: number
  /** At half of its own full load, in milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly memoryMiB: number
  readonly failed: number
}

const OTHERS: readonly ((scratch: string) => Promise<Server>)[] = [
  async (scratch) => {
    const { pid, port, stop } = await startRspamd(scratch)
    return { name: 'Rspamd', pid, stop, run: overHttp(`http://127.0.0.1:${port}/checkv2`) }
  },
  async (scratch) => {
    const { pid, port, stop } = await startSpamd(scratch)
    return { name: 'spamd', pid, stop, run: (set, ...at) => askSpamd(port, set, ...at) }
  },
]

/** @throws Error when a program is not installed. */
export async function measurePeers(given: Given): Promise<Values> {
  const versions = ['rspamd', 'spamd'].map((program) => {
    const version = versionOf(program)
    if (version === undefined) throw new Error(`${program} is not installed`)
    return `${program} ${version}`
  })
  const mail = readMailAsItComes(given.corpora!)
  const sets = [...readMessageSets(given.corpora!), mail]
  const tamis = checkouts(given.base)
  const scratch = mkdtempSync(join(tmpdir(), 'tamis-speed-'))
  try {
    const taken: Values[] = []
    for (const { folder, commit } of tamis) {
      taken.push({ commit, ...(await measureProcess(folder, join(scratch, commit), mail)) })
    }
    const rows = await measureAll(sets, tamis, scratch, given.numbers)
    return {
      programs: versions.join(', '),
      sets: sets
        .map(
          ({ name, messages }) =>
            `${name}: ${messages.length} messages of ${kilobytes(messages)} kB`,
        )
        .join('; '),
      servers: sets.flatMap(({ name }) => overRounds(rows.filter(({ set }) => set === name))),
      process: taken,
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

interface Checkout {
  readonly name: string
  readonly folder: string
  readonly commit: string
}

/** This checkout; before it `base`, another one to compare it with. */
function checkouts(base: string | undefined): Checkout[] {
  const commitOf = (cwd: string) =>
    execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd, encoding: 'utf8' }).trim()
  const here = join(import.meta.dirname, '../../..')
  return [...(base ? [base] : []), here].map((folder) => {
    const commit = commitOf(folder)
    return { name: folder === here ? 'Tamis' : `Tamis at ${commit}`, folder, commit }
  })
}

async function measureAll(
  sets: readonly MessageSet[],
  tamis: readonly Checkout[],
  scratch: string,
  { rounds = 3, seconds = 10 }: Given['numbers'],
): Promise<Row[]> {
  // spamd leaves root behind and still has to come in.
  chmodSync(scratch, 0o755)
  pin(process.pid, LOAD_CORE!)
  const servers: Server[] = []
  const rows: Row[] = []
  try {
    const ours = tamis.map(({ name, folder }) => async (dataDir: string): Promise<Server> => {
      const { pid, url, stop } = await startTamis(folder, dataDir, { TAMIS_WORKERS: '1' })
      return { name, pid, stop, run: overHttp(`${url}/classify-stream`) }
    })
    for (const [i, start] of [...ours, ...OTHERS].entries()) {
      const folder = join(scratch, `${i}`)
      mkdirSync(folder)
      const server = await start(folder)
      servers.push(server)
      pin(server.pid, SERVER_CORE!)
      await atRest(server.pid)
      for (const set of sets) await server.run(set, WARM_UP_SECONDS)
    }
    for (let round = 0; round < rounds; round++) {
      for (const set of sets) {
        for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
          rows.push(await measure(server, set, seconds))
        }
      }
    }
    return rows
  } finally {
    for (const { stop } of servers) await stop()
  }
}

async function measure(server: Server, set: MessageSet, seconds: number): Promise<Row> {
  const before = treeCpuMs(server.pid)
  const full = await server.run(set, seconds)
  const cpuMs = (treeCpuMs(server.pid) - before) / answered(full)
  const perSecond = answered(full) / full.seconds
  const half = (await server.run(set, seconds, perSecond / 2)).latencies.get(200)
  return {
    server: server.name,
    set: set.name,
    perSecond,
    cpuMs,
    p50: half === undefined ? NaN : quantile(half, 0.5),
    p99: half === undefined || half.length < 100 ? NaN : quantile(half, 0.99),
    memoryMiB: treeMemoryMiB(server.pid),
    failed: full.failed,
  }
}

function overHttp(url: string): Server['run'] {
  return ({ messages }, seconds, rate) => {
    if (rate !== undefined) return loadAtRate({ url, messages }, rate, seconds)
    return load({ url, messages, seconds, connections: IN_FLIGHT })
  }
}

/** SpamAssassin's own protocol, a connection for each message (spamd/PROTOCOL); at a rate at equal gaps. */
async function askSpamd(
  port: number,
  { messages }: MessageSet,
  seconds: number,
  rate?: number,
): Promise<LoadResult> {
  const started = performance.now()
  const end = started + 1_000 * seconds
  const times: number[] = []
  let [sent, failed] = [0, 0]
  const client = async () => {
    for (;;) {
      const due = rate === undefined ? performance.now() : started + (1_000 * sent) / rate
      if (due >= end) return
      const message = messages[sent++ % messages.length]!
      await sleep(Math.max(0, due - performance.now()))
      const from = performance.now()
      if (/^Spam: (?:True|False) ; /m.test(await spamdAnswer(port, message))) {
        times.push(performance.now() - from)
      } else failed++
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, client))
  const latencies = new Map([[200, Float64Array.from(times).sort()]])
  return { sent, failed, latencies, seconds: (performance.now() - started) / 1_000 }
}

async function spamdAnswer(port: number, message: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`CHECK SPAMC/1.2\r\nContent-length: ${message.length}\r\n\r\n`)
  socket.write(message)
  let answer = ''
  for await (const chunk of socket.setEncoding('latin1')) answer += chunk
  return answer
}

/** By server the median over the rounds, the lowest and the highest. */
function overRounds(rows: readonly Row[]): Values[] {
  return [...Map.groupBy(rows, ({ server }) => server)].map(([server, rounds]) => {
    const spread = (of: (row: Row) => number) => {
      const values = rounds.map(of).sort((a, b) => a - b)
      return Number.isNaN(values[0]) ? NaN : [values[values.length >> 1], values[0], values.at(-1)]
    }
    return {
      server,
      set: rounds[0]!.set,
      cpuMs: spread(({ cpuMs }) => cpuMs),
      perSecond: spread(({ perSecond }) => perSecond),
      p50: spread(({ p50 }) => p50),
      p99: spread(({ p99 }) => p99),
      memoryMiB: spread(({ memoryMiB }) => memoryMiB),
      failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
    }
  })
}

function kilobytes(messages: readonly Buffer[]): string {
  const bytes = messages.reduce((sum, { length }) => sum + length, 0)
  return (bytes / messages.length / 1_000).toFixed(1)
}
