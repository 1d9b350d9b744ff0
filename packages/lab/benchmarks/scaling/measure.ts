/** What one and two worker processes get through on a core each, and what single requests cost them. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServiceProcess, startService } from '../../../service/test/helpers/service-process.ts'
import { shopMessage } from '../overload/messages.ts'
import type { LoopResult } from '../overload/open-loop.ts'
import { generate } from '../overload/overload-run.ts'
import { busyShare, coreTicks } from '../peers/busy-cores.ts'
import { pinProcess, pinTree } from '../peers/pin.ts'
import { processCpuMs, threadsRunMs, treeCpuMs } from '../peers/process-tree.ts'

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
 * Starts the services of a layout; each worker process has a core, the supervisor any of them.
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
    const pids = await service.workerPids()
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
  messages: readonly string[],
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
  const answered = sumOf(({ outcomes }) => outcomes['200']?.count ?? 0)
  if (answered < sumOf(({ sent }) => sent)) throw new Error('Some messages have no verdict')
  return {
    layout: layout.name,
    perSecond: sumOf(({ outcomes, seconds: each }) => (outcomes['200']?.count ?? 0) / each),
    cpuMsPerMessage: (cpuMs() - cpuBefore) / answered,
    busy,
    generatorCores: sumOf(({ ownCores }) => ownCores),
  }
}

/** CPU time that each of the messages takes a service of one worker, one after the other, in milliseconds. */
export async function serviceTimes(
  service: ServiceProcess,
  messages: readonly Buffer[],
): Promise<number[]> {
  const [pid] = await service.workerPids()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (const message of messages) {
    const before = threadsRunMs(pid!)
    await post(agent, `${service.url}/classify-stream`, message)
    await sleep(REST_MS)
    times.push(threadsRunMs(pid!) - before)
  }
  agent.destroy()
  return times
}

/** What one correction costs on SQLite, one at a time: in milliseconds of CPU time. */
export interface CorrectionCost {
  /** The supervisor, which writes. */
  readonly writerMs: number
  /** Each process that did not take it, and is told what has changed. */
  readonly toldMs: number
}

/** @param service of two worker processes, which nobody else asks */
export async function correctionCost(service: ServiceProcess): Promise<CorrectionCost> {
  // One connection: the process that does not have it is only told.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const correct = (i: number) => {
    const headers = { 'x-user-id': `user-${i}`, 'x-is-spam': 'true' }
    const path = `${service.url}/feedback-stream`
    return post(agent, path, Buffer.from(shopMessage(i)), headers)
  }
  for (let i = 0; i < CORRECTIONS; i++) await correct(i)
  const pids = [service.pid, ...(await service.workerPids())]
  const before = pids.map(processCpuMs)
  for (let i = 0; i < CORRECTIONS; i++) await correct(CORRECTIONS + i)
  const [writer, ...workers] = pids.map((pid, i) => processCpuMs(pid) - before[i]!)
  agent.destroy()
  return { writerMs: writer! / CORRECTIONS, toldMs: Math.min(...workers) / CORRECTIONS }
}

/** '0,1' has the cores '0' and '1'. */
function coreNames(cores: string): string[] {
  return cores.split(',')
}

function post(
  agent: Agent,
  url: string,
  message: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const own = { 'content-type': 'message/rfc822', 'content-length': message.length, ...headers }
    const sent = request(url, { agent, method: 'POST', headers: own }, (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${url} answered ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(message)
  })
}
