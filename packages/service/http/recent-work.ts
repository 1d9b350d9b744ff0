/**
 * Counts each tenant's mail in the last half hour, in steps of five seconds, for the console.
 * Prometheus is for longer times (metrics.ts).
 *
 * Every event opens and closes steps, also a request to see them. There is no step for a time
 * without events.
 */

import type { Feeds } from '../feeds/feeds.ts'
import type { RecentResult } from './routes/recent.ts'
import type { TabsResult } from './routes/tabs.ts'
import { byClass, type FullResult } from './schemas.ts'

export const STEP_MS = 5_000

/** The steps of half an hour: a tenant that is never idle takes some 100 kB. */
const STEPS_MAX = 360

/** Latencies are counted in bins, each a tenth larger than the one before, from a tenth of a millisecond to some two minutes. */
const BIN_FIRST_MS = 0.1
const BIN_FACTOR = 1.1
const BINS = 148

export type RecentStep = RecentResult['steps'][number]

type TenantStep = Pick<
  RecentStep,
  'messages' | 'refused' | 'spam' | 'ham' | 'overridden' | 'escalated' | 'classes' | 'latencyMs'
>

interface Step {
  /** Milliseconds since 1970, a multiple of STEP_MS. */
  readonly at: number
  /** The largest number of waiting requests that was seen. */
  queueDepth: number
  readonly feeds: RecentStep['feeds']
  readonly tenants: ReadonlyMap<string, TenantStep>
  /** Requests that a full queue refused before the caller was known. They count for every tenant. */
  readonly refused: number
}

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
  step(): TenantStep {
    const { messages, refused, spam, ham, overridden, escalated } = this
    return {
      ...{ messages, refused, spam, ham, overridden, escalated },
      classes: { ...this.classes },
      latencyMs:
        messages === 0
          ? null
          : { p50: this.#quantile(0.5), p95: this.#quantile(0.95), p99: this.#quantile(0.99) },
    }
  }

  /** A quantile of the latencies: the upper end of its bin, which is at most a tenth too long. */
  #quantile(share: number): number {
    let left = Math.ceil(share * this.messages)
    const bin = this.#bins.findIndex((count) => {
      left -= count
      return left <= 0
    })
    return Number((BIN_FIRST_MS * BIN_FACTOR ** bin).toPrecision(3))
  }
}

const NOTHING = new Counting().step()

export interface RecentSources {
  readonly queueDepth: () => number
  readonly feeds: Pick<Feeds, 'status'>
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export class RecentWork {
  readonly #sources: RecentSources
  readonly #now: () => number
  readonly #closed: Step[] = []
  #at: number
  #queueDepth = 0
  #refused = 0
  #counting = new Map<string, Counting>()

  constructor(sources: RecentSources) {
    this.#sources = sources
    this.#now = sources.now ?? Date.now
    this.#at = this.#stepOfNow()
  }

  /** A request to judge a message was answered; `tenant` is undefined if the caller was not looked up. */
  request(tenant: string | undefined, status: number, ms: number): void {
    if (tenant !== undefined) this.#countingOf(tenant).request(status, ms)
    else if (status >= 500) {
      this.#goOn()
      this.#refused++
    }
  }

  answered(tenant: string, answer: FullResult | TabsResult): void {
    this.#countingOf(tenant).answer(answer)
  }

  /** The steps that began after `after` (milliseconds since 1970), oldest first; the last is not over. */
  of(tenant: string, after: number): RecentStep[] {
    this.#goOn()
    const steps = [...this.#closed, this.#current()].filter(({ at }) => at > after)
    return steps.map(({ at, queueDepth, feeds, tenants, refused }) => {
      const own = tenants.get(tenant) ?? NOTHING
      return {
        at: new Date(at).toISOString(),
        queueDepth,
        feeds,
        ...own,
        refused: own.refused + refused,
      }
    })
  }

  #countingOf(tenant: string): Counting {
    this.#goOn()
    const counting = this.#counting.get(tenant) ?? new Counting()
    this.#counting.set(tenant, counting)
    return counting
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
    this.#refused = 0
    this.#counting = new Map()
  }

  #current(): Step {
    const tenants = [...this.#counting].map(([tenant, it]) => [tenant, it.step()] as const)
    const ages = this.#sources.feeds
      .status()
      .map(({ feed, ageMs }) => [feed, ageMs === undefined ? null : Math.round(ageMs / 1_000)])
    return {
      at: this.#at,
      queueDepth: this.#queueDepth,
      feeds: Object.fromEntries(ages),
      tenants: new Map(tenants),
      refused: this.#refused,
    }
  }

  #stepOfNow(): number {
    return Math.floor(this.#now() / STEP_MS) * STEP_MS
  }
}
