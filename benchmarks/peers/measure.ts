/** One server under one set of messages: at full speed, then at shares of what that gave. */
import { type LoadResult, runLoad } from './load.ts'
import type { MessageSet } from './messages.ts'
import { treeCpuMs } from './process-tree.ts'
import type { Server } from './server.ts'

/** Of the server's own full throughput. */
export const SHARES = [0.5, 0.9] as const

/** What a server did in one round with one set. */
export interface RoundResult {
  readonly server: string
  readonly set: string
  readonly full: Phase
  /** In step with SHARES; empty for a program that takes a whole list, and where it is not asked for. */
  readonly shares: readonly Phase[]
}

export interface Phase {
  readonly answered: number
  readonly unanswered: number
  readonly perSecond: number
  /** Of the server's processes, in milliseconds. */
  readonly cpuMsPerMessage: number
  /** Milliseconds; NaN where there were too few answers to tell. */
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export interface MeasureOptions {
  /** Of each phase. */
  readonly seconds: number
  readonly shares: readonly number[]
  /** Where the round before left off, by server and set. */
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
  { seconds, shares, cursors }: MeasureOptions,
): Promise<RoundResult> {
  const load = { ask: server.ask, nextMessage: () => cursors.next(server.name, set), seconds }
  const full = await measurePhase(server, () => runLoad(load))
  const phases: Phase[] = []
  for (const share of shares) {
    const rate = share * full.perSecond
    phases.push(await measurePhase(server, () => runLoad({ ...load, rate })))
  }
  return { server: server.name, set: set.name, full, shares: phases }
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
