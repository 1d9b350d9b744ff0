/**
 * Tamis beside Rspamd, SpamAssassin's spamd and bogofilter: the same messages from the same load
 * generator to each in turn, several rounds, the order turned round each time. What each costs in
 * CPU time, how much it gets through, how long it takes to answer, how much memory it holds.
 *
 * There is no report where the machine is busy with other things. Two cores or more. Servers start by
 * themselves; programs have to be installed.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { BOGOFILTER } from '../peers/bogofilter.ts'
import { type Given, LOAD_BEFORE, type Measured } from './benchmark.ts'
import { pinProcess } from './machine/pin.ts'
import { treeMemoryMiB } from './machine/process-tree.ts'
import { type MessageSet, readMailAsItComes, readMessageSets } from './message-sets.ts'
import { runBogofilter, trainBogofilter } from './peers/bulk-bogofilter.ts'
import {
  atFullSpeed,
  type ColdResult,
  Cursors,
  measureCold,
  measureRound,
  type RoundResult,
  SHARES,
} from './peers/measure.ts'
import { KINDS, type Server, startServer } from './peers/servers.ts'
import { type LayoutResults, speedReport } from './peers/speed-report.ts'

/** Largest load average of the machine before the start: above it other processes disturb the measurement. */
const LOAD_AVERAGE_MAX = 1

/**
 * How long each set is sent to each server before the first round: some ten thousand messages for Tamis,
 * as many as V8 needs to compile hot code. A service runs for days; after 5 s a message still costs a
 * tenth more.
 */
const WARM_UP_SECONDS = 15

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

interface Options extends Given {
  readonly rounds: number
  /** Length of each phase. */
  readonly seconds: number
}

/** @throws Error when a program is not installed, or a server left its cores idle. */
export async function measurePeers(options: Options): Promise<Measured> {
  refuseMissingPrograms()
  const corpora = options.corpora ?? ''
  const sets = [...readMessageSets(corpora), readMailAsItComes(corpora)]
  const [apart, together] = await measureAll(sets, options)
  const text = speedReport({
    ...options,
    warmUpSeconds: WARM_UP_SECONDS,
    programs: [...KINDS, BOGOFILTER].map(({ name, version }) => ({ name, version: version()! })),
    sets,
    apart,
    together,
  })
  if (LOAD_BEFORE > LOAD_AVERAGE_MAX) {
    return { text: `${text}\nThe load average was above ${LOAD_AVERAGE_MAX}: this is no report.` }
  }
  return { text, files: { 'reports/speed/README.md': text } }
}

function refuseMissingPrograms(): void {
  const missing = [...KINDS, BOGOFILTER].filter(({ version }) => version() === undefined)
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name).join(', ')
  throw new Error(`Not installed: ${names}. apt-get install rspamd spamassassin bogofilter`)
}

async function measureAll(
  sets: readonly MessageSet[],
  options: Options,
): Promise<[apart: LayoutResults, together: LayoutResults]> {
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
    console.error(`starting ${kind.name} once, for what it compiles`)
    const place = { cores: ALL_CORES, workers: 1, scratch: join(scratch, kind.name) }
    const server = await startServer(kind, place)
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
): Promise<LayoutResults> {
  pinProcess(process.pid, layout.generatorCores)
  const place = { cores: layout.serverCores, workers: layout.workers }
  const servers: Server[] = []
  try {
    for (const kind of KINDS) {
      console.error(`starting ${kind.name} with ${layout.workers} worker(s)`)
      servers.push(await startServer(kind, { ...place, scratch: join(scratch, kind.name) }))
    }
    const memory = new Map<string, number>()
    const results: RoundResult[] = []
    const cursors = new Cursors()
    const cold: ColdResult[] = []
    for (const server of servers) cold.push(await measureCold(server, sets[0]!))
    for (const server of servers) {
      for (const set of sets) await atFullSpeed(server, set, WARM_UP_SECONDS, cursors)
    }
    for (let round = 0; round < rounds; round++) {
      console.error(`round ${round + 1} of ${rounds}`)
      for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
        for (const set of sets) {
          const { serverCores, generatorCores, shares } = layout
          const own = serverCores === generatorCores ? {} : { cores: serverCores }
          results.push(await measureRound(server, set, { seconds, ...own, shares, cursors }))
        }
      }
      if (lists !== undefined) results.push(...(await bogofilterRound(lists, sets, layout, memory)))
    }
    for (const { kind, pid } of servers) memory.set(kind.name, treeMemoryMiB(pid))
    return { workers: layout.workers, results, cold, memory }
  } finally {
    for (const server of servers) await server.stop()
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
