/**
 * A service that is restarted under load, in two ways: ended and started again while the socket stays open, as systemd
 * holds it; and with another service that starts on the same socket and the same PostgreSQL before the first ends. How many
 * messages are lost, how late the others are answered, and what is left of the throughput in the worst second.
 *
 * Each message has a connection of its own and is sent when it is due, whether or not earlier ones are answered.
 * Service and generator share the cores. Each data folder has the code that an earlier start has compiled.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { BoundSocket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeSchema } from '../../service/test/helpers/postgres.ts'
import { type ServiceProcess, startService } from '../../service/test/helpers/service-process.ts'
import { percent, tableOf } from '../evaluation/markdown.ts'
import { type Given, type Measured, reportOf } from './benchmark.ts'
import { closedLoop, requestOf } from './load/generator.ts'
import { shopMessages } from './load/messages.ts'
import { quantile } from './spread.ts'

/** As fast as they are answered, before the messages that are measured. */
const WARM_UP_SECONDS = 15

/** Messages before the restart that show what is usual, in seconds. */
const BEFORE_SECONDS = 5

const MS_PER_SECOND = 1_000

/** Messages due so shortly before the restart may be answered after its beginning. */
const MARGIN_MS = 1_000

/** An answer that is later is counted. */
const LATE_MS = 100

/** Share of the messages of a second that may be missing among its answers. */
const MISSING_SHARE_MAX = 0.1

interface Options extends Given {
  /** Messages a second. */
  readonly rate: number
  /** From the beginning of the restart to the last message. */
  readonly seconds: number
  readonly workers: number
}

interface Way {
  readonly name: string
  /** Whether the next service starts before the last ends, which takes a store that both may write. */
  readonly overlaps: boolean
}

const WAYS: readonly Way[] = [
  { name: 'ended, then started', overlaps: false },
  { name: 'another started, then ended', overlaps: true },
]

interface Answer {
  /** When it was due, and when it came, in milliseconds since the restart began. */
  readonly due: number
  readonly came: number
  /** The status; 'broken' for a connection that ended without an answer. */
  readonly kind: string
}

interface Restarted {
  readonly way: Way
  /** From the beginning to when the next service serves and the last has ended. */
  readonly tookMs: number
  readonly answers: readonly Answer[]
}

/** @throws Error where there is no PostgreSQL. */
export async function measureRestart(options: Options): Promise<Measured> {
  const restarted: Restarted[] = []
  for (const way of WAYS) restarted.push(await restartUnderLoad(way, options))
  const values = {
    ...options,
    BEFORE_SECONDS,
    LATE_MS,
    MISSING_SHARE_MAX,
    figures: figures(restarted, options.rate),
  }
  // Without another service there are seconds without any verdict.
  const passed = restarted
    .filter(({ way }) => way.overlaps)
    .every((one) => lostOf(one) === 0 && lowestShare(one, options.rate) >= 1 - MISSING_SHARE_MAX)
  return reportOf('restart', values, passed)
}

async function restartUnderLoad(way: Way, { rate, seconds, workers }: Options): Promise<Restarted> {
  const ends: (() => unknown)[] = []
  try {
    const socket = new BoundSocket({ host: '127.0.0.1' })
    ends.unshift(() => socket.close())
    const { port } = socket.address()
    const store = way.overlaps
      ? { DATABASE_URL: await makeSchema((drop) => ends.unshift(drop)) }
      : {}
    const start = async (dataDir: string): Promise<ServiceProcess> => {
      const environment = { TAMIS_WORKERS: `${workers}`, TAMIS_SHUTDOWN_MS: '10000', ...store }
      return await startService({ dataDir, environment, port, sockets: [socket.fd()] })
    }
    const folder = await mkdtemp(join(tmpdir(), 'tamis-restart-'))
    ends.unshift(() => rm(folder, { recursive: true }))
    const [dataDir, nextDataDir] = [join(folder, 'one'), join(folder, way.overlaps ? 'two' : 'one')]
    for (const each of new Set([dataDir, nextDataDir])) await (await start(each)).stop()
    const last = await start(dataDir)
    ends.unshift(() => last.stop())
    const requests = shopMessages(200).map((message) =>
      requestOf('/classify-stream', Buffer.from(message)),
    )
    await closedLoop({ port, requests, connections: 32 * workers, seconds: WARM_UP_SECONDS })
    const begins = performance.now() + BEFORE_SECONDS * MS_PER_SECOND
    const asking = atRate({
      port,
      requests,
      rate,
      from: performance.now(),
      to: begins + seconds * MS_PER_SECOND,
      begins,
    })
    await sleep(begins - performance.now())
    if (!way.overlaps) await last.stop()
    const next = await start(nextDataDir)
    ends.unshift(() => next.stop())
    if (way.overlaps) await last.stop()
    const tookMs = performance.now() - begins
    return { way, tookMs, answers: await asking }
  } finally {
    for (const end of ends) await end()
  }
}

interface Load {
  readonly port: number
  readonly requests: readonly Buffer[]
  readonly rate: number
  /** On the clock of performance.now(), as `begins`: when the restart does. */
  readonly from: number
  readonly to: number
  readonly begins: number
}

async function atRate({ port, requests, rate, from, to, begins }: Load): Promise<Answer[]> {
  const answers: Promise<Answer>[] = []
  for (let due = from; due < to; due += MS_PER_SECOND / rate) {
    if (due > performance.now()) await sleep(due - performance.now())
    const request = requests[answers.length % requests.length]!
    answers.push(
      ask(port, request).then((kind) => ({
        due: due - begins,
        came: performance.now() - begins,
        kind,
      })),
    )
  }
  return await Promise.all(answers)
}

/** The status of the answer. */
async function ask(port: number, request: Buffer): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' }).setNoDelay()
  socket.write(request)
  try {
    const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [unknown]
    return Buffer.isBuffer(data) ? data.toString('latin1', 9, 12) : 'broken'
  } catch {
    return 'broken'
  } finally {
    socket.destroy()
  }
}

function lostOf({ answers }: Restarted): number {
  return answers.filter(({ kind }) => kind !== '200').length
}

/** The verdicts of the second with the fewest since the restart began, as a share of what was due. */
function lowestShare({ answers }: Restarted, rate: number): number {
  const counts = new Map<number, number>()
  const lastDue = Math.max(...answers.map(({ due }) => due))
  for (let second = 0; second < Math.floor(lastDue / MS_PER_SECOND); second++) counts.set(second, 0)
  for (const { came } of answers.filter(({ kind }) => kind === '200')) {
    const second = Math.floor(came / MS_PER_SECOND)
    if (counts.has(second)) counts.set(second, counts.get(second)! + 1)
  }
  return Math.min(...counts.values()) / rate
}

function figures(restarted: readonly Restarted[], rate: number): string {
  const late = (answers: readonly Answer[]) =>
    answers.filter(({ due, came }) => came - due > LATE_MS)
  return tableOf(restarted, [
    ['the service is', ({ way }) => way.name],
    ['took, s', ({ tookMs }) => (tookMs / MS_PER_SECOND).toFixed(1)],
    ['messages', ({ answers }) => `${answers.length}`],
    ['not answered with a verdict', (one) => `${lostOf(one)}`],
    ['fewest verdicts in a second', (one) => percent(lowestShare(one, rate))],
    [
      'latest, s',
      ({ answers }) =>
        (Math.max(...answers.map(({ due, came }) => came - due)) / MS_PER_SECOND).toFixed(2),
    ],
    [`later than ${LATE_MS} ms`, ({ answers }) => `${late(answers).length}`],
    [
      'the last of these was due after, s',
      ({ answers }) =>
        (Math.max(0, ...late(answers).map(({ due }) => due)) / MS_PER_SECOND).toFixed(1),
    ],
    [
      '99 % before the restart, ms',
      ({ answers }) =>
        quantile(
          answers.filter(({ due }) => due < -MARGIN_MS).map(({ due, came }) => came - due),
          0.99,
        ).toFixed(0),
    ],
  ])
}
