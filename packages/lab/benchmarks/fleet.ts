/**
 * What a message, a user who is not in the cache and a correction cost on PostgreSQL, measured with two services of one
 * server process each on one database, as two machines have; and what that comes to in services of up to 64
 * processes and in fleets of them behind a proxy: what breaks first.
 *
 * CPU times are of one kind of request at a time, as fast as it is answered, so that writes and notices are as many
 * at once as they are on a busy service. The database is on the same machine; what it takes is counted apart.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { makeSchema } from '../../service/test/helpers/postgres.ts'
import { type ServiceProcess, startService } from '../../service/test/helpers/service-process.ts'
import { percent, table } from '../evaluation/markdown.ts'
import { type Given, type Measured, reportOf } from './benchmark.ts'
import { answered, closedLoop, requestOf } from './load/generator.ts'
import { shopMessage } from './load/messages.ts'
import { pidsNamed, processCpuMs, treeCpuMs } from './machine/process-tree.ts'

/** Requests in flight. */
const CONNECTIONS = 32

/** How long code is warmed by each kind of request, in seconds. */
const WARM_UP_SECONDS = 8

/** How long after the last answer the history is still written, and the other service told, in milliseconds. */
const SETTLE_MS = 3_000

/** Users whose mail comes again and again: all are in the cache of their process. */
const KNOWN_USERS = 64

/** Corrections of each user before anything is measured: what is read of a user who is not in the cache. */
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
  /** A message of a user who is in the cache. */
  readonly known: Cost
  /** A message of a user who has corrected something and is in no cache. */
  readonly unknown: Cost
  readonly correction: Cost
}

export async function measureFleet({ seconds, ...given }: Options): Promise<Measured> {
  const ends: (() => Promise<unknown>)[] = []
  const environment = {
    DATABASE_URL: await makeSchema((drop) => ends.unshift(drop)),
    TAMIS_LOG_LEVEL: 'info',
    TAMIS_HISTORY_DAYS: '1',
  }
  try {
    const [asked, other] = (await Promise.all([1, 2].map(() => startService({ environment })))) as [
      ServiceProcess,
      ServiceProcess,
    ]
    ends.unshift(
      () => asked.stop(),
      () => other.stop(),
    )
    const costs = await measure(asked, other, seconds)
    return reportOf('fleet', { ...given, seconds, ...valuesOf(costs) }, true)
  } finally {
    for (const end of ends) await end()
  }
}

async function measure(
  asked: ServiceProcess,
  other: ServiceProcess,
  seconds: number,
): Promise<Costs> {
  const message = Array.from({ length: 500 }, (_, i) => classify(i))
  const known = Array.from({ length: 500 }, (_, i) => classify(i, `known-${i % KNOWN_USERS}`))
  const correction = Array.from({ length: 20_000 }, (_, i) =>
    correct(i, `user-${Math.floor(i / CORRECTIONS_OF_USER)}`),
  )
  const unknown = Array.from({ length: correction.length / CORRECTIONS_OF_USER }, (_, i) =>
    classify(i, `user-${i}`),
  )
  for (const requests of [message, known]) {
    await ask(asked, other, requests, WARM_UP_SECONDS)
    await ask(other, asked, requests, WARM_UP_SECONDS)
  }
  // Half of the corrections warm the code, and the users of all of them are in no cache of the other service.
  const half = correction.length / 2
  await ask(asked, other, correction.slice(0, half), Number.POSITIVE_INFINITY, half)
  const corrected = await ask(asked, other, correction.slice(half), Number.POSITIVE_INFINITY, half)
  const unknownHalf = unknown.length / 2
  await ask(other, asked, unknown.slice(0, unknownHalf), Number.POSITIVE_INFINITY, unknownHalf)
  return {
    correction: corrected,
    unknown: await ask(
      other,
      asked,
      unknown.slice(unknownHalf),
      Number.POSITIVE_INFINITY,
      unknownHalf,
    ),
    message: await ask(asked, other, message, seconds),
    known: await ask(asked, other, known, seconds),
  }
}

function classify(i: number, user?: string): Buffer {
  const headers = user === undefined ? {} : { 'X-User-ID': user }
  return requestOf('/classify-stream', Buffer.from(shopMessage(i)), headers)
}

function correct(i: number, user: string): Buffer {
  const headers = { 'X-User-ID': user, 'X-Is-Spam': i % 2 === 0 ? 'true' : 'false' }
  return requestOf('/feedback-stream', Buffer.from(shopMessage(i)), headers)
}

async function ask(
  asked: ServiceProcess,
  other: ServiceProcess,
  requests: readonly Buffer[],
  seconds: number,
  requestsMax = Number.POSITIVE_INFINITY,
): Promise<Cost> {
  const cpuMs = () => [
    treeCpuMs(asked.pid),
    treeCpuMs(other.pid),
    pidsNamed('postgres').reduce((sum, pid) => sum + processCpuMs(pid), 0),
  ]
  const before = cpuMs()
  const loop = { port: asked.port, requests, connections: CONNECTIONS, seconds }
  const result = await closedLoop({ ...loop, requestsMax })
  await sleep(SETTLE_MS)
  const count = answered(result)
  if (count < result.sent) throw new Error(`Not answered with 200: ${result.sent - count}`)
  const [askedMs, toldMs, databaseMs] = cpuMs().map((ms, i) => (ms - before[i]!) / count)
  return { askedMs: askedMs!, toldMs: toldMs!, databaseMs: databaseMs! }
}

function valuesOf(costs: Costs): object {
  const names = {
    message: 'a message of nobody in particular',
    known: 'a message of a user in the cache',
    unknown: 'a message of a user who is not',
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
