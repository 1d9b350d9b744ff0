/**
 * What the service does, in numbers, for Prometheus (text format 0.0.4).
 *
 * No label names a user, a sender or a message. What tenants' mail looks like has a label
 * `tenant`, and a tenant's administrator sees that alone; the operator sees all.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Kind } from '../../mail/personalization/kinds.ts'
import type { Caller } from '../access/caller.ts'
import type { RouteTerms } from '../access/route-terms.ts'
import type { Analysed } from '../admission/analyser.ts'
import type { Feeds } from '../feeds/feeds.ts'
import type { LearnedModels } from '../learned-models/learned-models.ts'
import type { AuthenticatedSender } from '../sender-authentication/sender-authentication.ts'
import { RecentWork } from './recent-work.ts'
import type { DiagnosticResult } from './routes/diagnostic.ts'
import type { TabsResult } from './routes/tabs.ts'
import type { FullResult } from './schemas.ts'

/** From a header alone to the deadline of the queue, in seconds. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Most stages of most messages take a tenth of a millisecond. */
const STAGE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25, 1, 5]

const MS = 1_000

/** Six observations cost as much as a tenth of all else that this thread does for a message. */
const STAGES_EVERY = 10

export interface MetricsSources {
  /** Requests that wait for a worker. */
  readonly queueDepth: () => number
  /** Bytes of message bodies in memory. */
  readonly bufferedBytes: () => number
  readonly feeds: Pick<Feeds, 'status'>
  readonly taught: Pick<LearnedModels, 'allProgress'>
  readonly modelsVersion: () => string
  readonly embeddingModel: string
}

export interface AnsweredRequest {
  /** As it is registered; `unknown` where there is none. */
  readonly route: string
  readonly terms: RouteTerms | undefined
  readonly method: string
  readonly status: number
  readonly ms: number
  /** Of the caller, where that is known. */
  readonly tenant?: string | undefined
}

export class Metrics {
  /** The last half hour, for a person who watches. */
  readonly recent: RecentWork
  readonly #registry = new Registry()
  #analysed = 0
  /** The text that is being written: whoever asks meanwhile gets the same. A hundred requests on one connection would have it written a hundred times before anybody else's turn. */
  #rendering: Promise<string> | undefined
  readonly #requests: Histogram<'route' | 'method' | 'status'>
  readonly #stages: Histogram<'stage'>
  readonly #verdicts: Counter<'tenant' | 'verdict' | 'reason'>
  readonly #classes: Counter<'tenant' | 'class'>
  readonly #escalations: Counter<'tenant'>
  readonly #corrections: Counter<'tenant' | 'kind' | 'status'>
  readonly #senders: Counter<'result' | 'source'>
  readonly #partlyRead: Counter
  readonly #workerEnds: Counter
  readonly #unknownUsers: Counter<'tenant'>

  constructor(sources: MetricsSources) {
    this.recent = new RecentWork(sources)
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    this.#requests = new Histogram({
      name: 'tamis_http_request_duration_seconds',
      help: 'From the header of a request to the end of its answer',
      labelNames: ['route', 'method', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    })
    this.#stages = new Histogram({
      name: 'tamis_stage_duration_seconds',
      help: 'Of every tenth message: waiting in the queue, the way to a worker and back, and each stage there',
      labelNames: ['stage'],
      buckets: STAGE_BUCKETS,
      registers,
    })
    this.#verdicts = new Counter({
      name: 'tamis_verdicts_total',
      help: 'Full classifications; reason is what overrode the models, or none',
      labelNames: ['tenant', 'verdict', 'reason'],
      registers,
    })
    this.#classes = new Counter({
      name: 'tamis_classes_total',
      help: 'Classes answered',
      labelNames: ['tenant', 'class'],
      registers,
    })
    this.#escalations = new Counter({
      name: 'tamis_escalations_total',
      help: 'Verdicts that a person should look at',
      labelNames: ['tenant'],
      registers,
    })
    this.#corrections = new Counter({
      name: 'tamis_corrections_total',
      help: 'Corrections acknowledged',
      labelNames: ['tenant', 'kind', 'status'],
      registers,
    })
    this.#senders = new Counter({
      name: 'tamis_senders_total',
      help: 'Messages by what is known of their sender, and from where',
      labelNames: ['result', 'source'],
      registers,
    })
    this.#partlyRead = new Counter({
      name: 'tamis_partly_read_total',
      help: 'Messages of which a limit stopped the reading',
      registers,
    })
    this.#workerEnds = new Counter({
      name: 'tamis_worker_ends_total',
      help: 'Messages judged by their header, since a worker ended over them, now or before',
      registers,
    })
    this.#unknownUsers = new Counter({
      name: 'tamis_users_unknown_total',
      help: 'Verdicts without the rules and memory of their user, since the store could not be asked',
      labelNames: ['tenant'],
      registers,
    })
    addGauges(registers, sources)
  }

  request({ route, terms, method, status, ms, tenant }: AnsweredRequest): void {
    this.#requests.observe({ route, method, status }, ms / MS)
    if (terms?.judgesMail) this.recent.request(tenant, status, ms)
  }

  analysed({ analysis, queueMs, workerMs, workerEnd }: Analysed): void {
    if (this.#analysed++ % STAGES_EVERY === 0) {
      const stages = { queue: queueMs, worker: workerMs, ...analysis.timing }
      for (const [stage, ms] of Object.entries(stages)) this.#stages.observe({ stage }, ms / MS)
    }
    if (analysis.limitsReached.length > 0) this.#partlyRead.inc()
    if (workerEnd !== undefined) this.#workerEnds.inc()
  }

  sender({ result, details }: AuthenticatedSender): void {
    this.#senders.inc({ result, source: details.source })
  }

  /** The diagnostic is for troubleshooting and counts as no verdict. */
  answered(tenant: string, answer: FullResult | TabsResult | DiagnosticResult): void {
    if ('result' in answer) return
    this.recent.answered(tenant, answer)
    this.#classes.inc({ tenant, class: answer.classification })
    if (!('isSpam' in answer)) return
    const verdict = answer.isSpam ? 'spam' : 'ham'
    this.#verdicts.inc({ tenant, verdict, reason: answer.bypassReason ?? 'none' })
    if (answer.shouldEscalate) this.#escalations.inc({ tenant })
  }

  corrected(tenant: string, kind: Kind, status: string): void {
    this.#corrections.inc({ tenant, kind, status })
  }

  userUnknown(tenant: string): void {
    this.#unknownUsers.inc({ tenant })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  /** All for the operator; for others what has the label of their tenant. */
  async textFor({ tenant, scopes }: Caller): Promise<string> {
    this.#rendering ??= this.#registry.metrics().finally(() => {
      this.#rendering = undefined
    })
    const text = await this.#rendering
    return scopes.has('operator') ? text : linesOfTenant(text, tenant)
  }
}

function addGauges(registers: Registry[], sources: MetricsSources): void {
  const { queueDepth, bufferedBytes, feeds, taught, modelsVersion, embeddingModel } = sources
  new Gauge({
    name: 'tamis_queue_depth',
    help: 'Requests that wait for a worker',
    registers,
    collect() {
      this.set(queueDepth())
    },
  })
  new Gauge({
    name: 'tamis_buffered_bytes',
    help: 'Bytes of memory that message bodies take, with 32 KiB for each request',
    registers,
    collect() {
      this.set(bufferedBytes())
    },
  })
  new Gauge({
    name: 'tamis_feed_entries',
    help: 'Entries of a URL feed',
    labelNames: ['feed'],
    registers,
    collect() {
      for (const { feed, entries } of feeds.status()) this.set({ feed }, entries)
    },
  })
  new Gauge({
    name: 'tamis_feed_age_seconds',
    help: 'Since the source of a URL feed last gave it or said that nothing has changed',
    labelNames: ['feed'],
    registers,
    collect() {
      for (const { feed, ageMs } of feeds.status()) {
        if (ageMs !== undefined) this.set({ feed }, ageMs / MS)
      }
    },
  })
  new Gauge({
    name: 'tamis_learning_promotions',
    help: 'How often what corrections taught was put to work, and refused since the canary set was judged worse by it, in the log as it is now',
    labelNames: ['tenant', 'outcome'],
    registers,
    collect() {
      for (const { tenant, promoted, refused } of taught.allProgress()) {
        this.set({ tenant, outcome: 'promoted' }, promoted)
        this.set({ tenant, outcome: 'refused' }, refused)
      }
    },
  })
  new Gauge({
    name: 'tamis_info',
    help: 'Always 1; the labels say which models are at work',
    labelNames: ['models', 'embedding'],
    registers,
    collect() {
      this.reset()
      this.set({ models: modelsVersion(), embedding: embeddingModel }, 1)
    },
  })
}

/** Samples with the label of `tenant`, and the comments of their metrics. */
function linesOfTenant(text: string, tenant: string): string {
  const label = `tenant="${tenant.replace(/["\\]/g, '\\$&')}"`
  const lines = text.split('\n')
  const samples = lines.filter((line) => line.startsWith('tamis_') && line.includes(label))
  const names = new Set(samples.map((line) => line.slice(0, line.indexOf('{'))))
  return lines
    .filter((line) =>
      line.startsWith('#') ? names.has(line.split(' ')[2] ?? '') : samples.includes(line),
    )
    .map((line) => `${line}\n`)
    .join('')
}
