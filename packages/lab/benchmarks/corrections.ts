/**
 * Corrections on SQLite at 500 a second, while all server processes are busy classifying: how long each
 * takes to be acknowledged.
 *
 * Corrections are sent at exponential intervals whether or not earlier ones are answered, and the time of
 * each counts from when it was due: a service that stalls cannot hide it. Each is of another message, by
 * one of many users, and makes a rule too. The processors are kept busy by a second generator, which asks
 * for verdicts for the same users as fast as they come.
 *
 * Both generators share the machine with the service, one process each. What they take is reported; to
 * keep it small, all requests are made before the start and written on bare sockets.
 */
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServiceProcess, startService } from '../../service/test/helpers/service-process.ts'
import { percent, table } from '../evaluation/markdown.ts'
import { type Given, type Measured, reportOf } from './benchmark.ts'
import { answered, type LoopResult, openLoop, requestOf } from './load/generator.ts'
import { shopMessage, shopMessages } from './load/messages.ts'
import { generate } from './load/overload-run.ts'
import { busyShare, coreTicks } from './machine/busy-cores.ts'
import { processCpuMs } from './machine/process-tree.ts'

const P99_MS_MAX = 50

/** The share of the corrections that have to be acknowledged: all but those of a connection that breaks. */
const RATE_SHARE_MIN = 0.99

const USERS = 2_000

/** Connections for corrections: none has to wait for one as long as they take less than a second. */
const CONNECTIONS = 500

/**
 * Requests for verdicts in flight for each server process: one in hand and some that wait, so that none is
 * ever idle. More would only be a longer queue, in which corrections wait too.
 */
const IN_FLIGHT = 4

const WARM_UP_SECONDS = 6

/** How long verdicts are asked for before the first correction and after the last. */
const MARGIN_SECONDS = 2

/** More corrections than are due, whatever the intervals. */
const SPARE = 1.2

interface Options extends Given {
  /** Corrections a second. */
  readonly rate: number
  readonly seconds: number
  readonly workers: number
}

interface Phase {
  readonly corrections: LoopResult
  readonly verdicts: LoopResult
  /** CPU time that each process took meanwhile, in cores. */
  readonly supervisorCores: number
  readonly serverCores: readonly number[]
  /** Share of the time in which the cores of the machine were not idle. */
  readonly busy: number
}

export async function measureCorrections(options: Options): Promise<Measured> {
  const service = await startService({
    environment: { TAMIS_WORKERS: `${options.workers}`, TAMIS_LOG_LEVEL: 'info' },
  })
  try {
    await phase(service, { ...options, seconds: WARM_UP_SECONDS }, 0)
    const measured = await phase(service, options, WARM_UP_SECONDS)
    const passed = isWithinLimits(measured.corrections, options.rate)
    const inFlight = IN_FLIGHT * options.workers
    const limits = { USERS, P99_MS_MAX, RATE_SHARE_MIN }
    const values = { ...options, ...limits, inFlight, figures: figures(measured) }
    return reportOf('corrections', values, passed)
  } finally {
    await service.stop()
  }
}

/** @param before how many seconds of corrections have been sent: these are of other messages */
async function phase(
  service: ServiceProcess,
  { rate, seconds, workers }: Options,
  before: number,
): Promise<Phase> {
  const { port, pid } = service
  const requests = corrections(rate * before * SPARE, rate * seconds * SPARE)
  const asking = generate({
    path: '/classify-stream',
    messages: shopMessages(200),
    users: USERS,
    closed: { port, connections: IN_FLIGHT * workers, seconds: seconds + 2 * MARGIN_SECONDS },
  })
  await sleep(MARGIN_SECONDS * 1_000)
  const pids = [pid, ...(await service.serverPids())]
  const cores = `0-${cpus().length - 1}`
  const [begun, cpuBefore, ticksBefore] = [
    performance.now(),
    pids.map(processCpuMs),
    coreTicks(cores),
  ]
  const corrected = await openLoop({ port, requests, rate, seconds, connections: CONNECTIONS })
  const ms = performance.now() - begun
  const [supervisorCores, ...serverCores] = pids.map(
    (each, i) => (processCpuMs(each) - cpuBefore[i]!) / ms,
  )
  const busy = busyShare(ticksBefore, coreTicks(cores))
  return {
    corrections: corrected,
    verdicts: await asking,
    supervisorCores: supervisorCores!,
    serverCores,
    busy,
  }
}

function corrections(first: number, count: number): Buffer[] {
  return Array.from({ length: Math.ceil(count) }, (_, offset) => {
    const i = Math.ceil(first) + offset
    return requestOf('/feedback-stream', Buffer.from(shopMessage(i)), {
      'X-User-ID': `user-${i % USERS}`,
      'X-Is-Spam': `${i % 2 === 0}`,
    })
  })
}

/** Corrections that have no acknowledgement. */
function failed(result: LoopResult): number {
  return result.sent + result.unsent - answered(result)
}

function isWithinLimits(result: LoopResult, rate: number): boolean {
  const p99 = result.outcomes['200']?.p99 ?? Number.POSITIVE_INFINITY
  const share = answered(result) / result.seconds / rate
  return p99 <= P99_MS_MAX && failed(result) === 0 && share >= RATE_SHARE_MIN
}

function figures({ corrections: own, verdicts, supervisorCores, serverCores, busy }: Phase) {
  const times = own.outcomes['200']
  const others = Object.entries(own.outcomes).filter(([kind]) => kind !== '200')
  const perSecond = answered(own) / own.seconds
  return table(
    ['', ''],
    [
      ['corrections acknowledged a second', perSecond.toFixed(0)],
      ['p50 / p99 / latest', [times?.p50, times?.p99, times?.max].map(inMs).join(' / ')],
      ['corrections without an acknowledgement', `${failed(own)}`],
      ...others.map(([kind, { count }]) => [`of these ${kind}`, `${count}`]),
      ['verdicts a second meanwhile', (answered(verdicts) / verdicts.seconds).toFixed(0)],
      ['busy share of the cores', percent(busy)],
      ['cores of each server process', serverCores.map((each) => each.toFixed(2)).join(', ')],
      ['cores of the supervisor', supervisorCores.toFixed(2)],
      [
        'CPU time of the supervisor for a correction, ms',
        ((supervisorCores / perSecond) * 1_000).toFixed(2),
      ],
      [
        'cores of the generators (corrections, verdicts)',
        `${own.ownCores.toFixed(2)}, ${verdicts.ownCores.toFixed(2)}`,
      ],
      [
        'generator of corrections late: p99 / latest',
        `${inMs(own.ownLag.p99)} / ${inMs(own.ownLag.max)}`,
      ],
    ],
  )
}

function inMs(ms: number | undefined): string {
  return ms === undefined ? '–' : ms.toFixed(1)
}
