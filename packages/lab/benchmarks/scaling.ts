/**
 * How the throughput of the service grows with its server processes: measured for one and two, calculated
 * for up to 64.
 *
 * Measured are three layouts in turn, the order turned round each time: one server process on core 0; two
 * of one service on cores 0 and 1; and two services of one server process each on the same cores. A
 * generator needs a core too, and there are only two; so each core has a generator of its own, in all
 * layouts, and what it takes the service has not. Throughput is therefore that of one and of two cores with
 * everything on them. CPU time for a message is that of all processes of the service, and a core's time
 * over it is what a server process gets through on a core of its own.
 *
 * Two processes share the machine (memory bandwidth, caches, the host's other guests) and what the
 * service has once: the socket on which they accept, the store with its one writer, the supervisor. Two
 * services share the machine only: what lies between them and two processes is what the service costs.
 *
 * The calculation (scaling/queueing.ts) takes the times of single messages, one at a time, scaled to the
 * mean under full load. Its assumptions stand in the report. Two cores.
 */
import type { ServiceProcess } from '../../service/test/helpers/service-process.ts'
import { percent, table, tableOf } from '../evaluation/markdown.ts'
import { type Given, type Measured, reportOf } from './benchmark.ts'
import { messagesOf } from './message-sets.ts'
import {
  type CorrectionCost,
  correctionCost,
  type Layout,
  measureRound,
  type Round,
  type Running,
  serviceTimes,
  startLayout,
} from './scaling/measure.ts'
import { capacity, mean, rateWithin, type System } from './scaling/queueing.ts'
import { quantile, spreadOf, spreadText } from './spread.ts'

const TIMES_MIN = 1.9

const ONE: Layout = { name: 'one process', services: [{ workers: 1, cores: '0' }] }
const TWO: Layout = { name: 'two processes', services: [{ workers: 2, cores: '0,1' }] }
const APART: Layout = {
  name: 'two services of one',
  services: [
    { workers: 1, cores: '0' },
    { workers: 1, cores: '1' },
  ],
}
const LAYOUTS = [ONE, TWO, APART]

/** How long each layout is asked before the first round: until V8 has compiled the hot code. */
const WARM_UP_SECONDS = 10

const PROCESSES = [1, 2, 4, 16, 64]

const P99_MS_MAX = 100

/** Messages made up where there are no corpora. */
const MADE_UP = 500

/** Connections for each process where clients keep them: a mail server keeps some ten. */
const CONNECTIONS = 32

/** Share of the messages that are corrections. Users correct fewer than one in a hundred. */
const CORRECTED_SHARE = 0.01

interface Options extends Given {
  readonly rounds: number
  /** Length of a round. */
  readonly seconds: number
}

interface Figures {
  readonly rounds: readonly Round[]
  /** CPU time of a message, one at a time, in milliseconds. */
  readonly serviceMs: readonly number[]
  readonly cost: CorrectionCost
}

export async function measureScaling(options: Options): Promise<Measured> {
  const figures = await measure(options)
  const passed = timesDone(figures.rounds) >= TIMES_MIN
  return reportOf('scaling', valuesOf(options, figures), passed)
}

async function measure({ corpora, rounds, seconds }: Options): Promise<Figures> {
  const { messages } = messagesOf(corpora, MADE_UP)
  const started: ServiceProcess[] = []
  try {
    const all: Running[] = []
    for (const layout of LAYOUTS) all.push(await startLayout(layout, started))
    for (const running of all) await measureRound(running, messages, WARM_UP_SECONDS)
    const done: Round[] = []
    for (let round = 0; round < rounds; round++) {
      for (const running of round % 2 === 0 ? all : all.toReversed()) {
        done.push(await measureRound(running, messages, seconds))
      }
    }
    const [one, two] = all
    return {
      rounds: done,
      serviceMs: await serviceTimes(one!.services[0]!, messages),
      cost: await correctionCost(two!.services[0]!),
    }
  } finally {
    for (const service of started) await service.stop()
  }
}

function figuresOf({ name }: Layout, all: readonly Round[], of: (round: Round) => number) {
  return spreadOf(all.filter(({ layout }) => layout === name).map(of))
}

function cpuMs(layout: Layout, all: readonly Round[]): number {
  return figuresOf(layout, all, ({ cpuMsPerMessage }) => cpuMsPerMessage).median
}

/** How many times as much two processes with a core each do as one with one, by their CPU time for a message. */
function timesDone(all: readonly Round[], by = TWO): number {
  return (2 * cpuMs(ONE, all)) / cpuMs(by, all)
}

function valuesOf(options: Options, { rounds: all, serviceMs, cost }: Figures): object {
  const meanMs = cpuMs(TWO, all)
  return {
    ...options,
    ...cost,
    ...{ CONNECTIONS, CORRECTED_SHARE, P99_MS_MAX, TIMES_MIN },
    meanMs,
    messages: messagesOf(options.corpora, MADE_UP).text,
    measured: measuredTable(all),
    times: timesDone(all),
    timesApart: timesDone(all, APART),
    model: modelTable(serviceMs, meanMs, cost),
    serviceMsMean: mean(serviceMs),
    serviceMsP99: quantile(serviceMs, 0.99),
  }
}

function measuredTable(all: readonly Round[]): string {
  const of = (layout: Layout, figure: (round: Round) => number) =>
    spreadText(figuresOf(layout, all, figure))
  return tableOf(LAYOUTS, [
    ['', ({ name }) => name],
    ['messages/s', (layout) => of(layout, ({ perSecond }) => perSecond)],
    ['CPU ms', (layout) => of(layout, ({ cpuMsPerMessage }) => cpuMsPerMessage)],
    ['on a core of its own/s', (layout) => (1_000 / cpuMs(layout, all)).toFixed(0)],
    ['cores busy', (layout) => percent(figuresOf(layout, all, ({ busy }) => busy).min)],
    ['cores of generators', (layout) => of(layout, ({ generatorCores }) => generatorCores)],
  ])
}

function modelTable(serviceMs: readonly number[], meanMs: number, cost: CorrectionCost): string {
  const scale = meanMs / mean(serviceMs)
  const rows = PROCESSES.map((processes) => {
    const toldMs = cost.toldMs * Math.min(1, CORRECTED_SHARE * (processes - 1))
    const system: Omit<System, 'discipline'> = {
      processes,
      serviceMs: serviceMs.map((ms) => scale * ms + toldMs),
      connections: CONNECTIONS,
    }
    const cells = (['shared', 'bound'] as const).flatMap((discipline) => {
      const rate = rateWithin({ ...system, discipline }, P99_MS_MAX)
      return [rate.toFixed(0), percent(rate / capacity({ ...system, discipline }))]
    })
    const most = rateWithin({ ...system, discipline: 'shared' }, P99_MS_MAX)
    return [`${processes}`, ...cells, percent((most * CORRECTED_SHARE * cost.writerMs) / 1_000)]
  })
  return table(
    [
      'processes',
      'connection for each message',
      'of capacity',
      'kept connections',
      'of capacity',
      'writer busy',
    ],
    rows,
  )
}
