/**
 * How long a request waits behind those of others: embeddings while all server processes judge as fast as they can,
 * and small messages while one client keeps a hundred large ones in flight.
 *
 * Service and generators share the cores, one process for each generator. How long the service's main threads waited
 * for a processor is reported: on a busy machine that is most of what is measured.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServiceProcess, startService } from '../../service/test/helpers/service-process.ts'
import { percent, tableOf } from '../evaluation/markdown.ts'
import { type Given, type Measured, reportOf } from './benchmark.ts'
import { answered, type LoopResult, requestOf } from './load/generator.ts'
import { shopMessage, shopMessages } from './load/messages.ts'
import { generate } from './load/overload-run.ts'
import { quantile } from './spread.ts'

const WARM_UP_SECONDS = 6

/** How long the others ask before the first request that is measured, and after the last. */
const MARGIN_SECONDS = 2

/** Requests measured in a second: too few to be a load. */
const RATE = 20

/** An address of this machine that is not the generators': to a service without keys, another client. */
const OTHER_CLIENT = '127.0.0.2'

const LARGE_BYTES = 1_900_000
const LARGE_IN_FLIGHT = 100

const EMBED_BODY = JSON.stringify({ text: 'your parcel from the garden shop is on its way' })
const EMBED = requestOf('/classify/embed-text', Buffer.from(EMBED_BODY), {
  'Content-Type': 'application/json',
})
const SMALL = requestOf('/classify-stream', Buffer.from(shopMessage(0)))

interface Options extends Given {
  readonly seconds: number
  readonly workers: number
}

interface Case {
  readonly name: string
  readonly request: Buffer
  /** What the others send, and how many of their requests are in flight. */
  readonly others: readonly Buffer[]
  readonly inFlight: (workers: number) => number
  readonly p99MsMax: number
  /** Settings of the service. */
  readonly environment?: Readonly<Record<string, string>>
}

interface Waited {
  readonly of: Case
  /** From the start of a new connection to the answer, in milliseconds. */
  readonly latencies: readonly number[]
  /** How many had another answer than 200. */
  readonly refused: number
  readonly others: LoopResult
  /** How long a main thread of the service waited for a processor, as a share of the time. */
  readonly waitedForCore: number
}

const CASES: readonly Case[] = [
  {
    name: 'embedding by the encoder, which also reads; others send 5 KB, 32 in flight for each process',
    request: EMBED,
    others: shopMessages(200),
    inFlight: (workers) => 32 * workers,
    p99MsMax: 50,
    environment: { TAMIS_EMBEDDING: 'encoder', TAMIS_READER: 'doubtful' },
  },
  {
    name: 'embedding by the table; others send 5 KB, 32 in flight for each process',
    request: EMBED,
    others: shopMessages(200),
    inFlight: (workers) => 32 * workers,
    p99MsMax: 50,
  },
  {
    name: 'embedding by the table; others send 5 KB, 500 in flight for each process',
    request: EMBED,
    others: shopMessages(200),
    inFlight: (workers) => 500 * workers,
    p99MsMax: 100,
  },
  {
    name: `message of 5 KB; another client sends 1.9 MB, ${LARGE_IN_FLIGHT} in flight`,
    request: SMALL,
    others: largeMessages(10),
    inFlight: () => LARGE_IN_FLIGHT,
    p99MsMax: 1_000,
  },
]

export async function measureWaits(options: Options): Promise<Measured> {
  const waited: Waited[] = []
  for (const each of CASES) waited.push(await measure(each, options))
  const values = { ...options, RATE, figures: figures(waited) }
  return reportOf('waits', values, waited.every(isWithinLimit))
}

function largeMessages(count: number): Buffer[] {
  return Array.from({ length: count }, (_, i) => {
    const message = shopMessage(i)
    const [, body] = message.split('\r\n\r\n')
    return Buffer.from(message + `\r\n${body}`.repeat(LARGE_BYTES / body!.length))
  })
}

async function measure(of: Case, { seconds, workers }: Options): Promise<Waited> {
  const service = await startService({
    environment: { TAMIS_WORKERS: `${workers}`, TAMIS_LOG_LEVEL: 'info', ...of.environment },
  })
  try {
    const ask = (messages: readonly Buffer[], connections: number, length: number) =>
      generate({
        path: '/classify-stream',
        messages,
        closed: { port: service.port, connections, seconds: length },
      })
    await ask(shopMessages(200), 32 * workers, WARM_UP_SECONDS)
    const asking = ask(of.others, of.inFlight(workers), seconds + 2 * MARGIN_SECONDS)
    await sleep(MARGIN_SECONDS * 1_000)
    const [started, before] = [performance.now(), await waitedMs(service)]
    const answers = await atRate(service.port, of.request, seconds)
    const waitedForCore =
      ((await waitedMs(service)) - before) / (performance.now() - started) / workers
    return {
      of,
      latencies: answers.map(({ ms }) => ms),
      refused: answers.filter(({ status }) => status !== '200').length,
      others: await asking,
      waitedForCore,
    }
  } finally {
    await service.stop()
  }
}

/** Milliseconds that the main threads of the server processes have waited for a processor (proc_pid_schedstat). */
async function waitedMs(service: ServiceProcess): Promise<number> {
  const pids = await service.serverPids()
  const ns = pids.map((pid) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]))
  return ns.reduce((sum, each) => sum + each) / 1e6
}

async function atRate(port: number, request: Buffer, seconds: number) {
  const started = performance.now()
  const answers: Promise<{ readonly ms: number; readonly status: string }>[] = []
  for (let i = 0; i < RATE * seconds; i++) {
    const waitMs = started + (i * 1_000) / RATE - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    answers.push(onNewConnection(port, request))
  }
  return await Promise.all(answers)
}

async function onNewConnection(port: number, request: Buffer) {
  const started = performance.now()
  const socket = connect({ port, host: '127.0.0.1', localAddress: OTHER_CLIENT }).setNoDelay()
  socket.write(request)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  const ms = performance.now() - started
  socket.destroy()
  return { ms, status: answer.toString('latin1', 9, 12) }
}

function isWithinLimit(one: Waited): boolean {
  return one.refused === 0 && quantile(one.latencies, 0.99) <= one.of.p99MsMax
}

function figures(waited: readonly Waited[]): string {
  return tableOf(waited, [
    ['request', ({ of }) => of.name],
    [
      'p50 / p99 / latest',
      ({ latencies }) =>
        [0.5, 0.99, 1].map((share) => quantile(latencies, share).toFixed(1)).join(' / '),
    ],
    ['limit for p99', ({ of }) => `${of.p99MsMax}`],
    ['refused', ({ refused }) => `${refused}`],
    [
      'of others: verdicts a second',
      ({ others }) => (answered(others) / others.seconds).toFixed(0),
    ],
    ['refused', ({ others }) => `${others.sent - answered(others)}`],
    ['main threads waited for a core', ({ waitedForCore }) => percent(waitedForCore)],
  ])
}
