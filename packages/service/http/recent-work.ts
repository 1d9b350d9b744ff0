/**
 * Counts the mail in the last half hour, in steps of five seconds, for the console.
 * Prometheus is for longer times (metrics.ts).
 *
 * Every event opens and closes steps, also a request to see them. There is no step for a time
 * without events. Each process counts for itself, and the one that is asked adds up the steps of all; what
 * a process that has ended had counted is gone.
 */

import type { Feeds } from '../feeds/feeds.ts'
import { ALONE, type Siblings, topic } from '../siblings/siblings.ts'
import type { RecentResult } from './recent-results.ts'
import type { TabsResult } from './results.ts'
import { byClass, type FullResult } from './schemas.ts'

export const STEP_MS = 5_000

/** The steps of half an hour: a service that is never idle takes some 150 kB. */
const STEPS_MAX = 360

/** Latencies are counted in bins, each a tenth larger than the one before, from a tenth of a millisecond to some two minutes. */
const BIN_FIRST_MS = 0.1
const BIN_FACTOR = 1.1
const BINS = 148

export type RecentStep = RecentResult['steps'][number]

/** Latencies, counted in neighbouring bins. */
interface Latencies {
  /** The first bin with a count. */
  readonly from: number
  readonly counts: Uint32Array
}

type Counts = Pick<RecentStep, 'messages' | 'refused' | 'spam' | 'ham' | 'overridden' | 'escalated'>

/** What was counted in a step. */
interface Counted {
  readonly counts: Counts
  readonly classes: RecentStep['classes']
  readonly latencies: Latencies
}

/** A step of one process, or of several together. */
interface Step extends Counted {
  /** Milliseconds since 1970, a multiple of STEP_MS. */
  readonly at: number
  /** The largest number of waiting requests that was seen. */
  queueDepth: number
  readonly feeds: RecentStep['feeds']
}

/** Asks a process for the steps that began after a time (milliseconds since 1970), oldest first. */
const RECENT_WORK = topic<[after: number], readonly Step[]>('recent work')

/** The step that is being counted. */
class Counting {
  messages = 0
  refused = 0
  spam = 0
  ham = 0
  overridden = 0
  escalated = 0
  readonly classes = byClass(() => 0)
  readonly #bins = new Uint32Array(BINS)

  request(status: number, ms: number): void {
    if (status >= 500 || status === 429) this.refused++
    if (status >= 300) return
    this.messages++
    const bin = Math.ceil(Math.log(ms / BIN_FIRST_MS) / Math.log(BIN_FACTOR))
    this.#bins[Math.min(BINS - 1, Math.max(0, bin))]!++
  }

  answer(answer: FullResult | TabsResult): void {
    this.classes[answer.classification]++
    if (!('isSpam' in answer)) return
    if (answer.isSpam) this.spam++
    else this.ham++
    if (answer.bypassReason !== null) this.overridden++
    if (answer.shouldEscalate) this.escalated++
  }

  /** The counts so far; the counting goes on. */
  step(): Counted {
    const { messages, refused, spam, ham, overridden, escalated } = this
    return {
      counts: { messages, refused, spam, ham, overridden, escalated },
      classes: { ...this.classes },
      latencies: latenciesIn(this.#bins),
    }
  }
}

export interface RecentSources {
  readonly queueDepth: () => number
  readonly feeds: Pick<Feeds, 'status'>
  /** The other processes; absent if this is the whole service. */
  readonly siblings?: Siblings
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export class RecentWork {
  readonly #sources: RecentSources
  readonly #siblings: Siblings
  readonly #now: () => number
  readonly #closed: Step[] = []
  #at: number
  #queueDepth = 0
  #counting = new Counting()

  constructor(sources: RecentSources) {
    this.#sources = sources
    this.#siblings = sources.siblings ?? ALONE
    this.#siblings.on(RECENT_WORK, (after) => this.#partsOf(after))
    this.#now = sources.now ?? Date.now
    this.#at = this.#stepOfNow()
  }

  /** A request to judge a message was answered. */
  request(status: number, ms: number): void {
    this.#goOn()
    this.#counting.request(status, ms)
  }

  answered(answer: FullResult | TabsResult): void {
    this.#goOn()
    this.#counting.answer(answer)
  }

  /** The steps of all processes that began after `after` (milliseconds since 1970), oldest first; the last is not over. */
  async of(after: number): Promise<RecentStep[]> {
    const own = this.#partsOf(after)
    const others = await this.#siblings.ask(RECENT_WORK, after)
    const steps = new Map<number, Step>()
    for (const part of [own, ...others].flat()) {
      const before = steps.get(part.at)
      steps.set(part.at, before === undefined ? part : together(before, part))
    }
    return [...steps.values()].sort((a, b) => a.at - b.at).map(shown)
  }

  /** What this process has. */
  #partsOf(after: number): Step[] {
    this.#goOn()
    return [...this.#closed, this.#current()].filter(({ at }) => at > after)
  }

  /** Closes the step if its time is over. */
  #goOn(): void {
    this.#queueDepth = Math.max(this.#queueDepth, this.#sources.queueDepth())
    const at = this.#stepOfNow()
    if (at === this.#at) return
    this.#closed.push(this.#current())
    if (this.#closed.length > STEPS_MAX) this.#closed.shift()
    this.#at = at
    this.#queueDepth = 0
    this.#counting = new Counting()
  }

  #current(): Step {
    const ages = this.#sources.feeds
      .status()
      .map(({ feed, ageMs }) => [feed, ageMs === undefined ? null : Math.round(ageMs / 1_000)])
    return {
      at: this.#at,
      queueDepth: this.#queueDepth,
      feeds: Object.fromEntries(ages),
      ...this.#counting.step(),
    }
  }

  #stepOfNow(): number {
    return Math.floor(this.#now() / STEP_MS) * STEP_MS
  }
}

/** The same step of several processes. Feeds are the same in all, and each has a queue of its own. */
function together(one: Step, other: Step): Step {
  return {
    at: one.at,
    feeds: one.feeds,
    queueDepth: one.queueDepth + other.queueDepth,
    counts: sums(one.counts, other.counts),
    classes: sums(one.classes, other.classes),
    latencies: bothLatencies(one.latencies, other.latencies),
  }
}

function sums<Name extends string>(
  one: Readonly<Record<Name, number>>,
  other: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const names = Object.keys(one) as Name[]
  const entries = names.map((name) => [name, one[name] + other[name]])
  return Object.fromEntries(entries) as Record<Name, number>
}

function shown({ at, queueDepth, feeds, counts, classes, latencies }: Step): RecentStep {
  const { messages } = counts
  const quantile = (share: number) => quantileOf(latencies, messages * share)
  return {
    at: new Date(at).toISOString(),
    ...{ queueDepth, feeds, ...counts, classes },
    latencyMs:
      messages === 0 ? null : { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) },
  }
}

function latenciesIn(bins: Uint32Array): Latencies {
  const from = Math.max(0, bins.findIndex(Boolean))
  return { from, counts: bins.slice(from, bins.findLastIndex(Boolean) + 1) }
}

function bothLatencies(one: Latencies, other: Latencies): Latencies {
  const bins = new Uint32Array(BINS)
  for (const { from, counts } of [one, other]) {
    for (const [i, count] of counts.entries()) bins[from + i]! += count
  }
  return latenciesIn(bins)
}

/** The latency that `count` messages did not exceed: the upper end of its bin, which is at most a tenth too long. */
function quantileOf({ from, counts }: Latencies, count: number): number {
  let left = Math.ceil(count)
  const bin = counts.findIndex((inBin) => {
    left -= inBin
    return left <= 0
  })
  return Number((BIN_FIRST_MS * BIN_FACTOR ** (from + bin)).toPrecision(3))
}
