/**
 * Tamis beside Rspamd, SpamAssassin's spamd and bogofilter: the same messages to each in turn, several rounds, the order
 * turned round each time. The server has core 0 and the load core 1.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../service/test/helpers/service-process.ts'
import { type Column, page, tableOf } from '../evaluation/markdown.ts'
import { BOGOFILTER } from '../peers/bogofilter.ts'
import { versionOf } from '../peers/processes.ts'
import { startRspamd } from '../peers/rspamd.ts'
import { startSpamd } from '../peers/spamassassin.ts'
import { type Given, LOAD_BEFORE, type Measured, measuredOn } from './benchmark.ts'
import { answered, type LoadResult, load, quantile } from './load.ts'
import { type MessageSet, readMailAsItComes, readMessageSets } from './message-sets.ts'
import { pin, treeCpuMs, treeMemoryMiB } from './processes.ts'

const [SERVER_CORE, LOAD_CORE] = ['0', '1']

/** Above it other processes disturb the measurement. */
const LOAD_AVERAGE_MAX = 1

/** Until V8 has compiled the hot code. */
const WARM_UP_SECONDS = 15

/** Enough that a server never waits for the load. */
const IN_FLIGHT = 32

/** A server at rest uses less than this in a second. */
const REST_CPU_MS = 30

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

const START: readonly ((scratch: string) => Promise<Server>)[] = [
  async (dataDir) => {
    const environment = { TAMIS_WORKERS: '1', TAMIS_AUTH_DNS: 'off' }
    const { pid, url, stop } = await startService({ dataDir, environment })
    return { name: 'Tamis', pid, stop, run: overHttp(`${url}/classify-stream`) }
  },
  async (scratch) => {
    const { pid, port, stop } = await startRspamd({ scratch })
    return { name: 'Rspamd', pid, stop, run: overHttp(`http://127.0.0.1:${port}/checkv2`) }
  },
  async (scratch) => {
    const { pid, port, stop } = await startSpamd({ scratch })
    return { name: 'spamd', pid, stop, run: (set, ...at) => askSpamd(port, set, ...at) }
  },
]

/** @throws Error when a program is not installed. */
export async function measurePeers(given: Given): Promise<Measured> {
  const versions = ['rspamd', 'spamd', 'bogofilter'].map((program) => {
    const version = versionOf(program)
    if (version === undefined) throw new Error(`${program} is not installed`)
    return `${program} ${version}`
  })
  const sets = [...readMessageSets(given.corpora!), readMailAsItComes(given.corpora!)]
  const rows = await measureAll(sets, given)
  const text = page('peers', {
    ...measuredOn(given),
    programs: versions.join(', '),
    table: tableOf(groupedRows(rows, sets), COLUMNS),
    sets: sets
      .map(
        ({ name, messages }) => `${name}: ${messages.length} messages of ${kilobytes(messages)} kB`,
      )
      .join('; '),
  })
  if (LOAD_BEFORE <= LOAD_AVERAGE_MAX) return { text }
  return { text, refused: `the load average was above ${LOAD_AVERAGE_MAX}` }
}

async function measureAll(sets: readonly MessageSet[], { numbers }: Given): Promise<Row[]> {
  const { rounds = 3, seconds = 10 } = numbers
  const scratch = mkdtempSync(join(tmpdir(), 'tamis-speed-'))
  // spamd leaves root behind and still has to come in.
  chmodSync(scratch, 0o755)
  pin(process.pid, LOAD_CORE!)
  const servers: Server[] = []
  const rows: Row[] = []
  try {
    for (const [i, start] of START.entries()) {
      const folder = join(scratch, `${i}`)
      mkdirSync(folder)
      const server = await start(folder)
      servers.push(server)
      pin(server.pid, SERVER_CORE!)
      await atRest(server.pid)
      for (const set of sets) await server.run(set, WARM_UP_SECONDS)
    }
    const lists = await trainBogofilter(sets, join(scratch, 'bogofilter'))
    for (let round = 0; round < rounds; round++) {
      for (const set of sets) {
        for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
          rows.push(await measure(server, set, seconds))
        }
        rows.push(await runBogofilter(lists, set))
      }
    }
    return rows
  } finally {
    for (const { stop } of servers) await stop()
    rmSync(scratch, { recursive: true, force: true })
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

async function atRest(pid: number): Promise<void> {
  for (let before = -REST_CPU_MS; treeCpuMs(pid) - before >= REST_CPU_MS; ) {
    before = treeCpuMs(pid)
    await sleep(1_000)
  }
}

function overHttp(url: string): Server['run'] {
  return ({ messages }, seconds, rate) =>
    load({ url, messages, seconds, connections: IN_FLIGHT, ...(rate !== undefined && { rate }) })
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

/** Trained on what is not asked about: it would have nothing to look up otherwise. */
async function trainBogofilter(sets: readonly MessageSet[], scratch: string): Promise<string> {
  mkdirSync(scratch)
  const { learn } = await BOGOFILTER.start({ scratch })
  const others = sets.map((set) => set.others)
  await learn(
    others.flatMap(({ spam }) => spam),
    true,
  )
  await learn(
    others.flatMap(({ ham }) => ham),
    false,
  )
  return scratch
}

/** In bulk mode: one process that is told the names of files. */
async function runBogofilter(lists: string, { name, paths }: MessageSet): Promise<Row> {
  const asked = Array.from({ length: Math.ceil(2_000 / paths.length) }, () => paths).flat()
  const started = performance.now()
  const child = spawn('taskset', ['-c', SERVER_CORE!, 'bogofilter', '-d', lists, '-T', '-b'])
  child.stdin.end(asked.join('\n'))
  let [output, memoryMiB] = ['', 0]
  for await (const chunk of child.stdout) {
    output += String(chunk)
    memoryMiB = Math.max(memoryMiB, treeMemoryMiB(child.pid!))
  }
  const seconds = (performance.now() - started) / 1_000
  const verdicts = output.match(/ [SHU] [0-9.e+-]+$/gm)?.length ?? 0
  return {
    server: BOGOFILTER.name,
    set: name,
    perSecond: verdicts / seconds,
    // It has the core to itself and waits for nothing.
    cpuMs: (1_000 * seconds) / verdicts,
    p50: NaN,
    p99: NaN,
    memoryMiB,
    failed: asked.length - verdicts,
  }
}

interface Group extends Pick<Row, 'server' | 'set'> {
  readonly rounds: readonly Row[]
}

function groupedRows(rows: readonly Row[], sets: readonly MessageSet[]): Group[] {
  const servers = [...new Set(rows.map(({ server }) => server))]
  return sets.flatMap(({ name: set }) =>
    servers.map((server) => ({
      server,
      set,
      rounds: rows.filter((row) => row.server === server && row.set === set),
    })),
  )
}

/** The median over the rounds, lowest and highest in brackets. */
function spread(of: (row: Row) => number): Column<Group>[1] {
  return ({ rounds }) => {
    const values = rounds.map(of).sort((a, b) => a - b)
    const texts = [values[values.length >> 1], values[0], values.at(-1)].map((value = NaN) =>
      Number.isNaN(value) ? '–' : value < 100 ? value.toPrecision(3) : value.toFixed(0),
    )
    return texts[0] === '–' ? '–' : `${texts[0]} (${texts[1]}–${texts[2]})`
  }
}

const COLUMNS: readonly Column<Group>[] = [
  ['server, messages', ({ server, set }) => `${server}, ${set}`],
  ['CPU ms', spread(({ cpuMs }) => cpuMs)],
  ['messages/s', spread(({ perSecond }) => perSecond)],
  ['p50 at half load, ms', spread(({ p50 }) => p50)],
  ['p99 at half load, ms', spread(({ p99 }) => p99)],
  ['memory, MiB', spread(({ memoryMiB }) => memoryMiB)],
  ['no verdict', ({ rounds }) => String(rounds.reduce((sum, { failed }) => sum + failed, 0))],
]

function kilobytes(messages: readonly Buffer[]): string {
  const bytes = messages.reduce((sum, { length }) => sum + length, 0)
  return (bytes / messages.length / 1_000).toFixed(1)
}
