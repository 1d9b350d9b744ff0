/**
 * What a message, a user who is not in the cache and a correction cost on PostgreSQL, measured with two services of one
 * server process each on one database, as two machines have; and what that comes to in services of up to 64
 * processes and in fleets of them behind a proxy: what breaks first.
 *
 * CPU times are of one kind of request at a time, as fast as it is answered, so that writes and notices are as many
 * at once as they are on a busy service. The database is on the same machine; what it takes is counted apart.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../../service/test/helpers/service-process.ts'
import { percent, table } from '../evaluation/markdown.ts'
import { type Given, type Measured, reportOf } from './benchmark.ts'
import { answered, closedLoop, requestOf } from './load/generator.ts'
import { shopMessage } from './load/messages.ts'
import { withTwoServices } from './load/two-services.ts'
import { pidsNamed, processCpuMs, treeCpuMs } from './machine/process-tree.ts'

/** Requests in flight. */
const CONNECTIONS = 32

/** How long code is warmed by each kind of request, in seconds. */
const WARM_UP_SECONDS = 8

/** How long after the last answer the history is still written, and the other service told, in milliseconds. */
const SETTLE_MS = 3_000

/** Different messages that are sent in turn, where all may be known. */
const MESSAGES = 500

/** Users who have corrected something: half of them warm the code. */
const USERS = 4_000

/** Users whose mail comes again and again: all are in the cache of their process. */
const KNOWN_USERS = 64

/** Corrections of each user: what is read of a user who is not in the cache. */
const CORRECTIONS_OF_USER = 5

/** Share of the messages that are corrections. Users correct fewer than one in a hundred. */
const CORRECTED_SHARE = 0.01

/** Share of a process's time that messages may take where 99 % are to be answered within 100 ms: kept connections (scaling.md). */
const USABLE_SHARE = 0.7

interface Fleet {
  readonly services: number
  readonly processes: number
}

const FLEETS: readonly Fleet[] = [
  { services: 1, processes: 16 },
  { services: 1, processes: 64 },
  { services: 4, processes: 16 },
  { services: 16, processes: 16 },
  { services: 16, processes: 64 },
]

interface Options extends Given {
  readonly seconds: number
}

/** CPU time of one request, in milliseconds. */
interface Cost {
  /** Of the service that is asked. */
  readonly askedMs: number
  /** Of the other, which is told what has changed. */
  readonly toldMs: number
  readonly databaseMs: number
}

interface Costs {
  /** A message of nobody in particular, with its entry in the history. */
  readonly message: Cost
  /** A message of a user who has corrected something and is in the cache. */
  readonly known: Cost
  /** A message of a user who has corrected something and is in no cache. */
  readonly unknown: Cost
  readonly correction: Cost
}

export async function measureFleet({ seconds, ...given }: Options): Promise<Measured> {
  const environment = { TAMIS_LOG_LEVEL: 'info', TAMIS_HISTORY_DAYS: '1' }
  const costs = await withTwoServices(environment, (here, there) => measure(here, there, seconds))
  return reportOf('fleet', { ...given, seconds, ...valuesOf(costs) }, true)
}

async function measure(
  here: ServiceProcess,
  there: ServiceProcess,
  seconds: number,
): Promise<Costs> {
  const messages = requests(MESSAGES, (i) => classify(i))
  const ofKnown = requests(MESSAGES, (i) => classify(i, nameOfKnown(i)))
  const corrections = requests(USERS * CORRECTIONS_OF_USER, (i) =>
    correct(i, `user-${Math.floor(i / CORRECTIONS_OF_USER)}`),
  )
  const ofUnknown = requests(USERS, (i) => classify(i, `user-${i}`))
  const ofKnownToCorrect = requests(KNOWN_USERS * CORRECTIONS_OF_USER, (i) =>
    correct(MESSAGES + i, nameOfKnown(i)),
  )
  await ask(here, there, ofKnownToCorrect)
  for (const each of [messages, ofKnown]) {
    await ask(here, there, each, WARM_UP_SECONDS)
    await ask(there, here, each, WARM_UP_SECONDS)
  }
  const correction = await askLaterHalf(here, there, corrections)
  // All users have corrected something here, and are in no cache there.
  const unknown = await askLaterHalf(there, here, ofUnknown)
  const message = await ask(here, there, messages, seconds)
  const known = await ask(here, there, ofKnown, seconds)
  return { correction, unknown, message, known }
}

function nameOfKnown(i: number): string {
  return `known-${i % KNOWN_USERS}`
}

function requests(length: number, request: (i: number) => Buffer): Buffer[] {
  return Array.from({ length }, (_, i) => request(i))
}

function classify(i: number, user?: string): Buffer {
  const headers = user === undefined ? {} : { 'X-User-ID': user }
  return requestOf('/classify-stream', Buffer.from(shopMessage(i)), headers)
}

function correct(i: number, user: string): Buffer {
  const headers = { 'X-User-ID': user, 'X-Is-Spam': i % 2 === 0 ? 'true' : 'false' }
  return requestOf('/feedback-stream', Buffer.from(shopMessage(i)), headers)
}

/** Each request once: the first half warms the code, and the other is measured. */
async function askLaterHalf(
  asked: ServiceProcess,
  other: ServiceProcess,
  all: readonly Buffer[],
): Promise<Cost> {
  const half = all.length / 2
  await ask(asked, other, all.slice(0, half))
  return await ask(asked, other, all.slice(half))
}

/** @param seconds for how long the requests are sent in turn; each once when absent. */
async function ask(
  asked: ServiceProcess,
  other: ServiceProcess,
  all: readonly Buffer[],
  seconds?: number,
): Promise<Cost> {
  const cpuMs = () => [
    treeCpuMs(asked.pid),
    treeCpuMs(other.pid),
    pidsNamed('postgres').reduce((sum, pid) => sum + processCpuMs(pid), 0),
  ]
  const before = cpuMs()
  const result = await closedLoop({
    port: asked.port,
    requests: all,
    connections: CONNECTIONS,
    ...(seconds === undefined
      ? { seconds: Number.POSITIVE_INFINITY, requestsMax: all.length }
      : { seconds }),
  })
  await sleep(SETTLE_MS)
  const count = answered(result)
  if (count < result.sent) throw new Error(`Not answered with 200: ${result.sent - count}`)
  const [askedMs, toldMs, databaseMs] = cpuMs().map((ms, i) => (ms - before[i]!) / count)
  return { askedMs: askedMs!, toldMs: toldMs!, databaseMs: databaseMs! }
}

function valuesOf(costs: Costs): object {
  const names = {
    message: 'a message of nobody in particular',
    known: 'a message of a user who has corrected mail, in the cache',
    unknown: 'a message of a user who has corrected mail, in no cache',
    correction: 'a correction',
  }
  const costRows = Object.entries(names).map(([kind, name]) => {
    const { askedMs, toldMs, databaseMs } = costs[kind as keyof Costs]
    return [name, ...[askedMs, toldMs, databaseMs].map((ms) => ms.toFixed(2))]
  })
  return {
    ...{ CONNECTIONS, CORRECTED_SHARE, CORRECTIONS_OF_USER, USABLE_SHARE },
    costs: table(['CPU ms', 'the service that is asked', 'the other one', 'PostgreSQL'], costRows),
    model: table(
      [
        'services of processes',
        'messages/s, all users cached',
        'of each process, what others tell it',
        'cores of PostgreSQL',
        'messages/s, no user cached',
        'cores of PostgreSQL',
      ],
      FLEETS.map((fleet) => rowOf(fleet, costs)),
    ),
  }
}

function rowOf({ services, processes }: Fleet, costs: Costs): string[] {
  const count = services * processes
  const cells = [costs.known, costs.unknown].flatMap((message, i) => {
    const { perSecond, toldShare } = rateOf(count, message, costs.correction)
    const databaseMs = message.databaseMs + CORRECTED_SHARE * costs.correction.databaseMs
    const cores = ((perSecond * databaseMs) / 1_000).toFixed(1)
    return i === 0
      ? [perSecond.toFixed(0), percent(toldShare), cores]
      : [perSecond.toFixed(0), cores]
  })
  return [`${services} of ${processes}`, ...cells]
}

/**
 * Messages a second of `count` processes, each busy for USABLE_SHARE of its time with its own messages and
 * corrections, and with what the others have changed.
 */
function rateOf(count: number, message: Cost, correction: Cost) {
  const ownMs = message.askedMs + CORRECTED_SHARE * correction.askedMs
  const toldMs = CORRECTED_SHARE * correction.toldMs * (count - 1)
  const perProcess = (USABLE_SHARE * 1_000) / (ownMs + toldMs)
  return { perSecond: count * perProcess, toldShare: (perProcess * toldMs) / 1_000 }
}
