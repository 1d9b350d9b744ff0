/**
 * Tamis beside Rspamd, SpamAssassin's spamd and bogofilter: the same messages from the same load
 * generator to each in turn, several rounds, the order turned round each time. What each costs in
 * CPU time, how much it gets through, how long it takes to answer, how much memory it holds.
 *
 *   npm run bench:peers -- --corpora DIR [--rounds 3] [--seconds 4] [--force]
 *
 * Prints the report and writes packages/lab/reports/speed/, unless the machine is busy with other things. Linux,
 * two cores or more. Servers start by themselves; programs have to be installed.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BOGOFILTER, runBogofilter, trainBogofilter } from './peers/bogofilter.ts'
import { runLoad } from './peers/load.ts'
import {
  type ColdResult,
  Cursors,
  measureCold,
  measureRound,
  type RoundResult,
  SHARES,
} from './peers/measure.ts'
import { type MessageSet, readMessageSets } from './peers/messages.ts'
import { pinProcess } from './peers/pin.ts'
import { treeMemoryMiB } from './peers/process-tree.ts'
import { RSPAMD } from './peers/rspamd.ts'
import type { Server, ServerKind } from './peers/server.ts'
import { SPAMD } from './peers/spamd.ts'
import { type Measured, speedReport } from './peers/speed-report.ts'
import { TAMIS } from './peers/tamis.ts'

const KINDS: readonly ServerKind[] = [TAMIS, RSPAMD, SPAMD]

/** Largest load average of the machine before the start: above it other processes disturb the measurement. */
const LOAD_AVERAGE_MAX = 1

/**
 * How long each set is sent to each server before the first round: some ten thousand messages for Tamis,
 * as many as V8 needs to compile hot code. A service runs for days; after 5 s a message still costs a
 * tenth more.
 */
const WARM_UP_SECONDS = 15

const REPORT_FOLDER = join(import.meta.dirname, '../reports/speed')

/** One way to give cores to server and generator. */
interface Layout {
  readonly serverCores: string
  readonly generatorCores: string
  readonly workers: number
  /** Shares of full throughput at which latencies are taken. */
  readonly shares: readonly number[]
}

const ALL_CORES = `0-${availableParallelism() - 1}`

/** Nothing that the generator does counts as the server's. */
const APART: Layout = { serverCores: '0', generatorCores: '1', workers: 1, shares: SHARES }

/** As on a mail host, where the program that hands over the messages needs the cores too. */
const TOGETHER: Layout = {
  serverCores: ALL_CORES,
  generatorCores: ALL_CORES,
  workers: availableParallelism(),
  shares: [],
}

interface Options {
  readonly rounds: number
  readonly seconds: number
}

const { values } = parseArgs({
  options: {
    corpora: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    force: { type: 'boolean', default: false },
  },
})
if (values.corpora === undefined) throw new TypeError('--corpora DIR is missing')
refuseMissingPrograms()
const loadAverage = loadavg()[0]!
const isQuiet = loadAverage <= LOAD_AVERAGE_MAX
console.log(`1-minute load average before the start: ${loadAverage.toFixed(2)}`)
if (!isQuiet && !values.force) {
  console.log(
    `Above ${LOAD_AVERAGE_MAX}: no report will be written (--force writes it all the same)`,
  )
}

const options = {
  rounds: positive('rounds', values.rounds),
  seconds: positive('seconds', values.seconds),
}
const sets = readMessageSets(values.corpora)
const [apart, together] = await measureAll(sets, options)
const report = speedReport({
  ...options,
  warmUpSeconds: WARM_UP_SECONDS,
  loadAverage,
  programs: [...KINDS, BOGOFILTER].map(({ name, version }) => ({ name, version: version()! })),
  sets,
  apart,
  together,
})
console.log(report.text)
if (isQuiet || values.force) writeReport()

function positive(name: string, text: string): number {
  const number = Number(text)
  if (number > 0) return number
  throw new RangeError(`--${name} is "${text}"; it has to be a number above 0`)
}

function refuseMissingPrograms(): void {
  const missing = [...KINDS, BOGOFILTER].filter(({ version }) => version() === undefined)
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name).join(', ')
  throw new Error(`Not installed: ${names}. apt-get install rspamd spamassassin bogofilter`)
}

function writeReport(): void {
  mkdirSync(REPORT_FOLDER, { recursive: true })
  writeFileSync(join(REPORT_FOLDER, 'README.md'), report.text)
  for (const [name, svg] of Object.entries(report.plots))
    writeFileSync(join(REPORT_FOLDER, name), svg)
}

async function measureAll(
  sets: readonly MessageSet[],
  options: Options,
): Promise<[apart: Measured, together: Measured]> {
  const scratch = mkdtempSync(join(tmpdir(), 'tamis-speed-'))
  // spamd leaves root behind and still has to come in.
  chmodSync(scratch, 0o755)
  for (const { name } of KINDS) mkdirSync(join(scratch, name))
  try {
    await startOnce(scratch)
    const lists = await trainBogofilter(sets, scratch)
    const apart = await measureLayout(APART, sets, options, scratch, lists)
    return [apart, await measureLayout(TOGETHER, sets, options, scratch, undefined)]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** What a first start compiles and keeps is part of no measurement: Rspamd's memory is twice as large after it. */
async function startOnce(scratch: string): Promise<void> {
  for (const kind of KINDS) {
    console.log(`starting ${kind.name} once, for what it compiles`)
    const place = { cores: ALL_CORES, workers: 1, scratch: join(scratch, kind.name) }
    const server = await kind.start(place)
    await server.stop()
  }
}

/** @param lists of bogofilter; it is left out when there are none. */
async function measureLayout(
  layout: Layout,
  sets: readonly MessageSet[],
  { rounds, seconds }: Options,
  scratch: string,
  lists: string | undefined,
): Promise<Measured> {
  pinProcess(process.pid, layout.generatorCores)
  const place = { cores: layout.serverCores, workers: layout.workers }
  const servers: Server[] = []
  try {
    for (const kind of KINDS) {
      console.log(`starting ${kind.name} with ${layout.workers} worker(s)`)
      servers.push(await kind.start({ ...place, scratch: join(scratch, kind.name) }))
    }
    const memory = new Map<string, number>()
    const results: RoundResult[] = []
    const cursors = new Cursors()
    const cold: ColdResult[] = []
    for (const server of servers) cold.push(await measureCold(server, sets[0]!))
    for (const server of servers) await warmUp(server, sets, cursors)
    for (let round = 0; round < rounds; round++) {
      console.log(`round ${round + 1} of ${rounds}`)
      for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
        for (const set of sets) {
          const { serverCores, generatorCores, shares } = layout
          const own = serverCores === generatorCores ? {} : { cores: serverCores }
          results.push(await measureRound(server, set, { seconds, ...own, shares, cursors }))
        }
      }
      if (lists !== undefined) results.push(...(await bogofilterRound(lists, sets, layout, memory)))
    }
    for (const { name, pid } of servers) memory.set(name, treeMemoryMiB(pid))
    return { workers: layout.workers, results, cold, memory }
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function warmUp(
  server: Server,
  sets: readonly MessageSet[],
  cursors: Cursors,
): Promise<void> {
  for (const set of sets) {
    const nextMessage = () => cursors.next(server.name, set)
    await runLoad({ ask: server.ask, nextMessage, seconds: WARM_UP_SECONDS })
  }
}

async function bogofilterRound(
  lists: string,
  sets: readonly MessageSet[],
  { serverCores }: Layout,
  memory: Map<string, number>,
): Promise<RoundResult[]> {
  const results: RoundResult[] = []
  for (const set of sets) {
    const run = await runBogofilter(lists, set, serverCores)
    memory.set(BOGOFILTER.name, Math.max(memory.get(BOGOFILTER.name) ?? 0, run.memoryMiB))
    const full = {
      answered: run.answered,
      unanswered: run.unanswered,
      perSecond: run.answered / run.seconds,
      cpuMsPerMessage: run.cpuMs / run.answered,
      p50: NaN,
      p95: NaN,
      p99: NaN,
    }
    results.push({ server: BOGOFILTER.name, set: set.name, full, shares: [] })
  }
  return results
}
