/** One server under one set of messages: at full speed, then at shares of what that gave. */
import {
  answered,
  type ClosedLoop,
  closedLoop,
  type LoopResult,
  openLoop,
} from '../load/generator.ts'
import { busyShare, coreTicks } from '../machine/busy-cores.ts'
import { treeCpuMs } from '../machine/process-tree.ts'
import type { MessageSet } from '../message-sets.ts'
import type { Server } from './servers.ts'

/** Requests in flight at full load: enough that the server never waits for the generator, nor for one slow answer. */
const IN_FLIGHT = 32

/** Connections on which messages are sent at a rate; more than are ever busy below full load. */
const CONNECTIONS = 256

/** Shares of the server's own full throughput at which latencies are measured. */
export const SHARES = [0.5, 0.9] as const

/** Least busy share of the server's cores at full load. Below it the server waits instead of working, and its figures are void. */
const BUSY_MIN = 0.9

/** What a server did in one round with one set. */
export interface RoundResult {
  readonly server: string
  readonly set: string
  readonly full: Phase
  /** Share of the time at full load in which the server's cores were not idle; absent for a program that takes a whole list, NaN where they are not its own. */
  readonly busy?: number
  /** In step with SHARES; empty for a program that takes a whole list, and where it is not asked for. */
  readonly shares: readonly Phase[]
}

export interface Phase {
  readonly answered: number
  readonly unanswered: number
  readonly perSecond: number
  /** CPU time of the server's processes per message, in milliseconds. */
  readonly cpuMsPerMessage: number
  /** In milliseconds; NaN when there were too few answers to tell. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export interface MeasureOptions {
  /** Length of each phase. */
  readonly seconds: number
  /** The cores that only the server uses; absent when it shares them with the generator, for which it may then be waiting. */
  readonly cores?: string
  readonly shares: readonly number[]
  /** Where the last round stopped, by server and set. */
  readonly cursors: Cursors
}

/**
 * Walks through a set, again and again; each server has its place. A slow server so gets to see
 * what a fast one sees in the first second.
 */
export class Cursors {
  readonly #places = new Map<string, number>()

  /** What runs a load from the server's place in the set on, and moves it on. */
  async run(
    { kind, port }: Server,
    { name, messages }: MessageSet,
    run: (loop: Pick<ClosedLoop, 'port' | 'requests' | 'first' | 'answers'>) => Promise<LoopResult>,
  ): Promise<LoopResult> {
    const key = `${kind.name} ${name}`
    const first = this.#places.get(key) ?? 0
    const { answers } = kind
    const result = await run({ port, requests: messages.map(kind.requestOf), first, answers })
    this.#places.set(key, first + result.sent)
    return result
  }
}

/** As fast as it is answered, from the server's place in the set on. */
export async function atFullSpeed(
  server: Server,
  set: MessageSet,
  seconds: number,
  cursors: Cursors,
): Promise<LoopResult> {
  return await cursors.run(server, set, (loop) =>
    closedLoop({ ...loop, connections: IN_FLIGHT, seconds }),
  )
}

export async function measureRound(
  server: Server,
  set: MessageSet,
  { seconds, cores, shares, cursors }: MeasureOptions,
): Promise<RoundResult> {
  const { name } = server.kind
  const before = cores === undefined ? undefined : coreTicks(cores)
  const full = await measurePhase(server, () => atFullSpeed(server, set, seconds, cursors))
  const busy = before && cores ? busyShare(before, coreTicks(cores)) : NaN
  if (busy < BUSY_MIN) throw new Error(idleText(name, set.name, busy))
  const phases: Phase[] = []
  for (const share of shares) {
    const rate = share * full.perSecond
    const run = () =>
      cursors.run(server, set, (loop) =>
        openLoop({ ...loop, rate, seconds, connections: CONNECTIONS }),
      )
    phases.push(await measurePhase(server, run))
  }
  return { server: name, set: set.name, full, busy, shares: phases }
}

function idleText(server: string, set: string, busy: number): string {
  return `${server} left its cores idle for ${Math.round(100 * (1 - busy))} % of the time at full load (${set}): it waits for something, and the run says nothing`
}

/** What a server that has just started costs, before it has compiled or cached anything. */
export interface ColdResult {
  readonly server: string
  readonly set: string
  /** CPU time of the server from its start until it is ready and at rest, in milliseconds. */
  readonly startCpuMs: number
  /** Messages asked about: COLD_MESSAGES, or as many as were answered in COLD_SECONDS_MAX. */
  readonly messages: number
  readonly cpuMsPerMessage: number
}

/** The first messages after a start. */
const COLD_MESSAGES = 1_000

/** A server that takes a tenth of a second and more for each gets as many as fit. */
const COLD_SECONDS_MAX = 20

/** Measures a server that has not been asked anything yet. */
export async function measureCold(server: Server, set: MessageSet): Promise<ColdResult> {
  const startCpuMs = treeCpuMs(server.pid)
  const { name } = server.kind
  const phase = await measurePhase(server, () =>
    new Cursors().run(server, set, (loop) =>
      closedLoop({
        ...loop,
        connections: IN_FLIGHT,
        seconds: COLD_SECONDS_MAX,
        requestsMax: COLD_MESSAGES,
      }),
    ),
  )
  const { cpuMsPerMessage, answered: messages } = phase
  return { server: name, set: set.name, startCpuMs, messages, cpuMsPerMessage }
}

async function measurePhase(server: Server, run: () => Promise<LoopResult>): Promise<Phase> {
  const before = treeCpuMs(server.pid)
  const result = await run()
  const count = answered(result)
  const times = result.outcomes['200']?.fromSending
  // None where the share that lies above is less than one answer.
  const at = (name: 'p50' | 'p95' | 'p99', share: number) =>
    count * (1 - share) < 1 ? NaN : (times?.[name] ?? NaN)
  return {
    answered: count,
    unanswered: result.sent + result.unsent - count,
    perSecond: count / result.seconds,
    cpuMsPerMessage: (treeCpuMs(server.pid) - before) / count,
    p50: at('p50', 0.5),
    p95: at('p95', 0.95),
    p99: at('p99', 0.99),
  }
}
