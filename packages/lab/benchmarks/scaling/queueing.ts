/**
 * A service of many processes as a queueing system: messages come at exponential intervals, each takes a
 * process for a time drawn from given ones, and the processes share nothing (M/G/c in Kendall's notation;
 * Kleinrock, Queueing Systems I, 1975). Simulated event by event, since no formula gives a p99 for times
 * that are not exponential.
 */
import { randomSource } from '../../training/random.ts'

/**
 * Who takes a message: 'shared', whichever process is free first, as with a connection for each message,
 * which waits on the one socket; 'bound', the process that has accepted its connection, busy or not.
 */
export type Discipline = 'shared' | 'bound'

export interface System {
  readonly processes: number
  /** Times that a message takes a process, in milliseconds; each is as likely. */
  readonly serviceMs: ArrayLike<number>
  readonly discipline: Discipline
  /** Connections for each process, all equally busy; with 'bound', chance alone gives them to processes. */
  readonly connections: number
}

/** Messages of one simulation at least: 2,000 of them are beyond the p99. */
const MESSAGES_MIN = 200_000

/** And as many as come in this time: a queue that is nearly full moves slowly. */
const SIMULATED_SECONDS = 60

/** Messages before the first that counts, of all: the queue starts empty. */
const WARM_UP_SHARE = 0.1

const SEED = 20_261_123

/** Steps of the search for the highest rate, each of which halves what is left: to a thousandth. */
const STEPS = 10

/** The time from coming to being answered that 99 % of the messages stay below, in milliseconds. */
export function p99Ms(system: System, perSecond: number): number {
  const times = responseTimes(system, perSecond).sort()
  return times[Math.floor(0.99 * times.length)]!
}

/** Times from coming to being answered, in milliseconds, in the order of coming. */
export function responseTimes(system: System, perSecond: number): Float64Array {
  const { serviceMs, processes } = system
  const random = randomSource(SEED)
  const processOf = assignment(system, random)
  const free = new FreeTimes(processes)
  const times = new Float64Array(Math.max(MESSAGES_MIN, Math.ceil(SIMULATED_SECONDS * perSecond)))
  const meanGapMs = 1_000 / perSecond
  let now = 0
  for (let i = -Math.ceil(WARM_UP_SHARE * times.length); i < times.length; i++) {
    now -= Math.log(1 - random()) * meanGapMs
    const needed = serviceMs[Math.floor(random() * serviceMs.length)]!
    const end = free.take(processOf(), now, needed)
    if (i >= 0) times[i] = end - now
  }
  return times
}

/** The highest rate, in messages a second, at which the p99 is at most `p99MsMax`. */
export function rateWithin(system: System, p99MsMax: number): number {
  let [low, high] = [0, capacity(system)]
  for (let step = 0; step < STEPS; step++) {
    const rate = (low + high) / 2
    if (p99Ms(system, rate) <= p99MsMax) low = rate
    else high = rate
  }
  return low
}

/** Messages a second when no process is ever idle. */
export function capacity({ processes, serviceMs }: System): number {
  return (processes * 1_000) / mean(serviceMs)
}

export function mean(values: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]!
  return sum / values.length
}

/** Gives the process of the next message; undefined for the first that is free. */
function assignment(
  { processes, discipline, connections }: System,
  random: () => number,
): () => number | undefined {
  if (discipline === 'shared') return () => undefined
  const all = Array.from({ length: connections * processes }, () =>
    Math.floor(random() * processes),
  )
  return () => all[Math.floor(random() * all.length)]!
}

/** When each process will be free. */
class FreeTimes {
  readonly #times: Float64Array

  constructor(processes: number) {
    this.#times = new Float64Array(processes)
  }

  /** Gives `process`, or the first to be free, work from `now` on for `neededMs`; returns when that is done. */
  take(process: number | undefined, now: number, neededMs: number): number {
    const taken = process ?? this.#firstFree()
    const end = Math.max(now, this.#times[taken]!) + neededMs
    this.#times[taken] = end
    return end
  }

  #firstFree(): number {
    let first = 0
    for (let i = 1; i < this.#times.length; i++) {
      if (this.#times[i]! < this.#times[first]!) first = i
    }
    return first
  }
}
