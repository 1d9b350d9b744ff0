/**
 * The metrics of the service for Prometheus (text format 0.0.4), of all its processes together, whichever
 * is asked (merged-metrics.ts).
 *
 * No label names a user, a sender or a message. Metrics about the mail of tenants have a label
 * `tenant`, and a tenant's administrator only sees those of the tenant; the operator sees all.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Kind } from '../../mail/personalization/kinds.ts'
import type { ListFinding } from '../../mail/verdict/list-findings.ts'
import type { Caller } from '../access/caller.ts'
import type { RouteTerms } from '../access/route-terms.ts'
import type { Analysed } from '../admission/analysed.ts'
import type { Feeds } from '../feeds/feeds.ts'
import type { LearnedModels } from '../learned-models/learned-models.ts'
import type { AuthenticatedSender } from '../sender-authentication/sender-authentication.ts'
import { ALONE, type Siblings } from '../siblings/siblings.ts'
import { METRICS, mergedText, PROCESS_ENDS } from './merged-metrics.ts'
import type { JudgedMessage } from './message-stream.ts'
import { processRegistry } from './process-registry.ts'
import { RecentMessages } from './recent-messages.ts'
import { RecentWork } from './recent-work.ts'
import type { DiagnosticResult, TabsResult } from './results.ts'
import type { FullResult } from './schemas.ts'

/** Bounds in seconds, from a message that is only a header to the deadline of the queue. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Bounds in seconds: most stages of most messages take a tenth of a millisecond. */
const STAGE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25, 1, 5]

const MS = 1_000

/** One message in so many is observed: six observations cost a tenth of everything else that this thread does for a message. */
const STAGES_EVERY = 10

export interface MetricsSources {
  /** Whether messages are accepted: what /ready answers. */
  readonly ready: () => boolean
  /** The number of requests that wait to be judged. */
  readonly queueDepth: () => number
  /** The bytes of message bodies in memory. */
  readonly bufferedBytes: () => number
  readonly feeds: Pick<Feeds, 'status'>
  readonly learned: Pick<LearnedModels, 'allProgress'>
  readonly modelsVersion: () => string
  readonly embeddingModel: string
  /** The other processes; absent if this is the whole service. */
  readonly siblings?: Siblings
}

export interface AnsweredRequest {
  /** The path of the route as registered; `unknown` if there is none. */
  readonly route: string
  readonly terms: RouteTerms | undefined
  readonly method: string
  readonly status: number
  readonly ms: number
  /** Absent if not known. */
  readonly caller?: Caller | undefined
  /** The message in it; absent if none was judged. */
  readonly judged?: JudgedMessage | undefined
}

export class Metrics {
  /** These two are the last half hour, for the console. */
  readonly recent: RecentWork
  readonly recentMessages: RecentMessages
  readonly #registry = processRegistry()
  /** What only the office knows: it is asked by the process that is asked. */
  readonly #ofOffice = new Registry()
  readonly #siblings: Siblings
  #analysed = 0
  /** The text that is being written: requests that come meanwhile get the same one. Otherwise a hundred requests on one connection would write it a hundred times before any other request has its turn. */
  #rendering: Promise<string> | undefined
  readonly #requests: Histogram<'route' | 'method' | 'status'>
  readonly #stages: Histogram<'stage'>
  readonly #verdicts: Counter<'tenant' | 'verdict' | 'reason'>
  readonly #classes: Counter<'tenant' | 'class'>
  readonly #escalations: Counter<'tenant'>
  readonly #corrections: Counter<'tenant' | 'kind' | 'status'>
  readonly #senders: Counter<'result' | 'source'>
  readonly #listLookups: Counter<'list'>
  readonly #listHits: Counter<'list'>
  readonly #listFailures: Counter<'list' | 'reason'>
  readonly #partlyRead: Counter
  readonly #threadEnds: Counter
  readonly #unknownUsers: Counter<'tenant'>
  readonly #historyEntries: Counter<'tenant' | 'outcome'>

  constructor(sources: MetricsSources) {
    this.recent = new RecentWork(sources)
    const registers = [this.#registry]
    const { siblings = ALONE } = sources
    this.recentMessages = new RecentMessages({ siblings })
    this.#siblings = siblings
    this.#siblings.on(METRICS, () => this.#registry.getMetricsAsJSON())
    new Counter({ ...PROCESS_ENDS, registers })
    this.#requests = new Histogram({
      name: 'tamis_http_request_duration_seconds',
      help: 'From the header of a request to the end of its answer',
      labelNames: ['route', 'method', 'status'],
      buckets: REQUEST_BUCKETS,
      registers,
    })
    this.#stages = new Histogram({
      name: 'tamis_stage_duration_seconds',
      help: 'Of every tenth message: waiting in the queue, each stage of the analysis, and what it takes besides',
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
      help: 'Messages by result and source of sender authentication',
      labelNames: ['result', 'source'],
      registers,
    })
    this.#listLookups = new Counter({
      name: 'tamis_dns_list_lookups_total',
      help: 'Names looked up in a DNS list, in the cache or beyond',
      labelNames: ['list'],
      registers,
    })
    this.#listHits = new Counter({
      name: 'tamis_dns_list_hits_total',
      help: 'Names that a DNS list has',
      labelNames: ['list'],
      registers,
    })
    this.#listFailures = new Counter({
      name: 'tamis_dns_list_failures_total',
      help: 'Messages judged without all that a DNS list would have said, also while it is given a rest',
      labelNames: ['list', 'reason'],
      registers,
    })
    this.#partlyRead = new Counter({
      name: 'tamis_partly_read_total',
      help: 'Messages that were read only up to a limit',
      registers,
    })
    this.#threadEnds = new Counter({
      name: 'tamis_worker_ends_total',
      help: 'Messages judged by their header, because a thread ended on them, now or before',
      registers,
    })
    this.#unknownUsers = new Counter({
      name: 'tamis_users_unknown_total',
      help: 'Verdicts without the rules and memory of their user, because the store was not available',
      labelNames: ['tenant'],
      registers,
    })
    this.#historyEntries = new Counter({
      name: 'tamis_history_entries_total',
      help: 'Entries of the history that were kept, or dropped because the store was not available or too slow',
      labelNames: ['tenant', 'outcome'],
      registers,
    })
    addGauges(registers, sources)
    addLearningGauge(this.#ofOffice, sources.learned)
  }

  request({ route, terms, method, status, ms, caller, judged }: AnsweredRequest): void {
    this.#requests.observe({ route, method, status }, ms / MS)
    if (!terms?.judgesMail) return
    this.recent.request(caller?.tenant, status, ms)
    if (caller === undefined || judged === undefined || status >= 300) return
    const { tenant, entitlements } = caller
    this.recentMessages.judged(tenant, entitlements.has('spam') ? judged : classAlone(judged), ms)
  }

  analysed({ analysis, queueMs, analysisMs, threadEnd }: Analysed): void {
    if (this.#analysed++ % STAGES_EVERY === 0) {
      const stages = { queue: queueMs, worker: analysisMs, ...analysis.timing }
      for (const [stage, ms] of Object.entries(stages)) this.#stages.observe({ stage }, ms / MS)
    }
    if (analysis.limitsReached.length > 0) this.#partlyRead.inc()
    if (threadEnd !== undefined) this.#threadEnds.inc()
  }

  sender({ result, details }: AuthenticatedSender): void {
    this.#senders.inc({ result, source: details.source })
  }

  listed(findings: readonly ListFinding[]): void {
    for (const { list, lookups, hits, failure } of findings) {
      this.#listLookups.inc({ list }, lookups)
      this.#listHits.inc({ list }, hits.length)
      if (failure !== null) this.#listFailures.inc({ list, reason: failure })
    }
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

  historyEntries(tenant: string, outcome: 'kept' | 'dropped', count: number): void {
    this.#historyEntries.inc({ tenant, outcome }, count)
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  /** All metrics for the operator; for others those with the label of their tenant. */
  async textFor({ tenant, scopes }: Caller): Promise<string> {
    this.#rendering ??= this.#text().finally(() => {
      this.#rendering = undefined
    })
    const text = await this.#rendering
    return scopes.has('operator') ? text : linesOfTenant(text, tenant)
  }

  async #text(): Promise<string> {
    const [own, ofOffice, others] = await Promise.all([
      this.#registry.getMetricsAsJSON(),
      this.#ofOffice.getMetricsAsJSON(),
      this.#siblings.ask(METRICS),
    ])
    return await mergedText([own, ofOffice, ...others])
  }
}

function addGauges(registers: Registry[], sources: MetricsSources): void {
  const { ready, queueDepth, bufferedBytes, feeds, modelsVersion, embeddingModel } = sources
  new Gauge({
    name: 'tamis_processes',
    help: 'Server processes that run',
    registers,
    collect() {
      this.set(1)
    },
  })
  new Gauge({
    name: 'tamis_ready',
    help: '1 if messages are accepted, by one process at least, else 0: what /ready answers',
    aggregator: 'max',
    registers,
    collect() {
      this.set(Number(ready()))
    },
  })
  new Gauge({
    name: 'tamis_queue_depth',
    help: 'Requests that wait to be judged',
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
    aggregator: 'first',
    labelNames: ['feed'],
    registers,
    collect() {
      for (const { feed, entries } of feeds.status()) this.set({ feed }, entries)
    },
  })
  new Gauge({
    name: 'tamis_feed_age_seconds',
    help: 'Seconds since the source of a URL feed last delivered it or reported no change',
    aggregator: 'first',
    labelNames: ['feed'],
    registers,
    collect() {
      for (const { feed, ageMs } of feeds.status()) {
        if (ageMs !== undefined) this.set({ feed }, ageMs / MS)
      }
    },
  })
  new Gauge({
    name: 'tamis_info',
    help: 'Always 1; the labels say which models are in use',
    aggregator: 'first',
    labelNames: ['models', 'embedding'],
    registers,
    collect() {
      this.reset()
      this.set({ models: modelsVersion(), embedding: embeddingModel }, 1)
    },
  })
}

function addLearningGauge(register: Registry, learned: MetricsSources['learned']): void {
  new Gauge({
    name: 'tamis_learning_promotions',
    help: 'How often what was learned from corrections was put into use, or refused because it made verdicts on the canary set worse, in the log as it is now',
    labelNames: ['tenant', 'outcome'],
    registers: [register],
    async collect() {
      for (const { tenant, promoted, refused } of await learned.allProgress()) {
        this.set({ tenant, outcome: 'promoted' }, promoted)
        this.set({ tenant, outcome: 'refused' }, refused)
      }
    },
  })
}

/** Without spam detection there is no verdict. */
function classAlone({ summary, found }: JudgedMessage): JudgedMessage {
  const classification = 'verdict' in found ? found.class : found.classification
  return { summary, found: { classification } }
}

/** The samples with the label of `tenant`, and the comments of their metrics. */
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
