/** What one and two server processes get through on a core each, and what single requests cost them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServiceProcess, startService } from '../../../service/test/helpers/service-process.ts'
import { answered, type LoopResult, OneAtATime, requestOf } from '../load/generator.ts'
import { shopMessage } from '../load/messages.ts'
import { generate } from '../load/overload-run.ts'
import { busyShare, coreTicks } from '../machine/busy-cores.ts'
import { pinProcess, pinTree } from '../machine/pin.ts'
import { processCpuMs, threadsRunMs, treeCpuMs } from '../machine/process-tree.ts'

/** Requests in flight for each core: enough that no process waits for the generator. */
const IN_FLIGHT = 32

/** A thread that has nothing to do any more sleeps within this, in milliseconds. */
const REST_MS = 2

/** Corrections whose cost is measured, one at a time. */
const CORRECTIONS = 300

/** Services under test, and the cores of each. */
export interface Layout {
  readonly name: string
  readonly services: readonly { readonly workers: number; readonly cores: string }[]
}

/** What all services of a layout did together in one round. */
export interface Round {
  readonly layout: string
  readonly perSecond: number
  /** CPU time of all their processes for a message. */
  readonly cpuMsPerMessage: number
  /** Share of the time in which the cores of the layout were not idle. */
  readonly busy: number
  /** Cores that the generators used. */
  readonly generatorCores: number
}

export interface Running {
  readonly layout: Layout
  readonly services: readonly ServiceProcess[]
}

/**
 * Starts the services of a layout; each server process has a core, the supervisor any of them.
 *
 * @param started gets each service as it starts, for whoever ends them
 */
export async function startLayout(layout: Layout, started: ServiceProcess[]): Promise<Running> {
  const services: ServiceProcess[] = []
  for (const { workers, cores } of layout.services) {
    const environment = { TAMIS_WORKERS: `${workers}`, TAMIS_LOG_LEVEL: 'info' }
    const service = await startService({ environment })
    services.push(service)
    started.push(service)
    pinTree(service.pid, cores)
    const pids = await service.serverPids()
    for (const [i, pid] of pids.entries()) pinProcess(pid, coreNames(cores)[i]!)
  }
  return { layout, services }
}

/**
 * Asks all services as fast as they answer, with a generator on each core that they use, whose time they
 * do not have.
 */
export async function measureRound(
  { layout, services }: Running,
  messages: readonly Buffer[],
  seconds: number,
): Promise<Round> {
  const cores = layout.services.map((each) => each.cores).join(',')
  const cpuMs = () => services.reduce((sum, { pid }) => sum + treeCpuMs(pid), 0)
  const [cpuBefore, ticksBefore] = [cpuMs(), coreTicks(cores)]
  const closed = { connections: IN_FLIGHT, seconds }
  const results = await Promise.all(
    services.flatMap(({ port }, i) =>
      coreNames(layout.services[i]!.cores).map((core) =>
        generate({ path: '/classify-stream', messages, closed: { ...closed, port } }, core),
      ),
    ),
  )
  const busy = busyShare(ticksBefore, coreTicks(cores))
  const sumOf = (of: (result: LoopResult) => number) =>
    results.reduce((sum, result) => sum + of(result), 0)
  const verdicts = sumOf(answered)
  if (verdicts < sumOf(({ sent }) => sent)) throw new Error('Some messages have no verdict')
  return {
    layout: layout.name,
    perSecond: sumOf((result) => answered(result) / result.seconds),
    cpuMsPerMessage: (cpuMs() - cpuBefore) / verdicts,
    busy,
    generatorCores: sumOf(({ ownCores }) => ownCores),
  }
}

/** CPU time that each of the messages takes a service of one worker, one after the other, in milliseconds. */
export async function serviceTimes(
  service: ServiceProcess,
  messages: readonly Buffer[],
): Promise<number[]> {
  const [pid] = await service.serverPids()
  const client = await OneAtATime.open(service.port)
  const times: number[] = []
  for (const message of messages) {
    const before = threadsRunMs(pid!)
    await client.ask(requestOf('/classify-stream', message))
    await sleep(REST_MS)
    times.push(threadsRunMs(pid!) - before)
  }
  client.close()
  return times
}

/** What one correction costs on SQLite, one at a time: in milliseconds of CPU time. */
export interface CorrectionCost {
  /** The supervisor, which writes. */
  readonly writerMs: number
  /** Each process that did not take it, and is told what has changed. */
  readonly toldMs: number
}

/** @param service of two server processes, which nobody else asks */
export async function correctionCost(service: ServiceProcess): Promise<CorrectionCost> {
  // One connection: the process that does not have it is only told.
  const client = await OneAtATime.open(service.port)
  const correct = async (i: number) => {
    const headers = { 'X-User-ID': `user-${i}`, 'X-Is-Spam': 'true' }
    await client.ask(requestOf('/feedback-stream', Buffer.from(shopMessage(i)), headers))
  }
  for (let i = 0; i < CORRECTIONS; i++) await correct(i)
  const pids = [service.pid, ...(await service.serverPids())]
  const before = pids.map(processCpuMs)
  for (let i = 0; i < CORRECTIONS; i++) await correct(CORRECTIONS + i)
  const [writer, ...workers] = pids.map((pid, i) => processCpuMs(pid) - before[i]!)
  client.close()
  return { writerMs: writer! / CORRECTIONS, toldMs: Math.min(...workers) / CORRECTIONS }
}

/** '0,1' has the cores '0' and '1'. */
function coreNames(cores: string): string[] {
  return cores.split(',')
}
