/** One server under one set of messages: at full speed, then at shares of what that gave. */
import { busyShare, coreTicks } from './busy-cores.ts'
import { type LoadResult, runLoad } from './load.ts'
import type { MessageSet } from './messages.ts'
import { treeCpuMs } from './process-tree.ts'
import type { Server } from './server.ts'

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

  next(server: string, { name, messages }: MessageSet): Buffer {
    const key = `${server} ${name}`
    const place = this.#places.get(key) ?? 0
    this.#places.set(key, place + 1)
    return messages[place % messages.length]!
  }
}

export async function measureRound(
  server: Server,
  set: MessageSet,
  { seconds, cores, shares, cursors }: MeasureOptions,
): Promise<RoundResult> {
  const load = { ask: server.ask, nextMessage: () => cursors.next(server.name, set), seconds }
  const before = cores === undefined ? undefined : coreTicks(cores)
  const full = await measurePhase(server, () => runLoad(load))
  const busy = before && cores ? busyShare(before, coreTicks(cores)) : NaN
  if (busy < BUSY_MIN) throw new Error(idleText(server.name, set.name, busy))
  const phases: Phase[] = []
  for (const share of shares) {
    const rate = share * full.perSecond
    phases.push(await measurePhase(server, () => runLoad({ ...load, rate })))
  }
  return { server: server.name, set: set.name, full, busy, shares: phases }
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
  let place = 0
  const { cpuMsPerMessage, answered } = await measurePhase(server, () =>
    runLoad({
      ask: server.ask,
      nextMessage: () => set.messages[place++ % set.messages.length]!,
      seconds: COLD_SECONDS_MAX,
      messagesMax: COLD_MESSAGES,
    }),
  )
  return { server: server.name, set: set.name, startCpuMs, messages: answered, cpuMsPerMessage }
}

async function measurePhase(server: Server, run: () => Promise<LoadResult>): Promise<Phase> {
  const before = treeCpuMs(server.pid)
  const { answered, unanswered, seconds, latencies } = await run()
  return {
    answered,
    unanswered,
    perSecond: answered / seconds,
    cpuMsPerMessage: (treeCpuMs(server.pid) - before) / answered,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99: quantile(latencies, 0.99),
  }
}

/** NaN when the share that lies above is less than one answer. */
function quantile(ascending: readonly number[], share: number): number {
  if (ascending.length * (1 - share) < 1) return NaN
  return ascending[Math.floor(share * ascending.length)]!
}
