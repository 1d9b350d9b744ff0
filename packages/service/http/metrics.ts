/**
 * The metrics of the service for Prometheus (text format 0.0.4), of all its threads together, whichever
 * is asked (process-metrics.ts).
 *
 * No label names a user, a sender or a message.
 */
import type { GaugeConfiguration } from 'prom-client'
import { CLASSES } from '../../mail/models/prediction.ts'
import type { Kind } from '../../mail/personalization/kinds.ts'
import type { ListFinding, ScanFinding } from '../../mail/verdict/evidence.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import type { Analysed } from '../admission/analyse-task.ts'
import type { Analyser } from '../admission/analyser.ts'
import type { Receiver } from '../admission/receive.ts'
import type { Embedder } from '../encoder/embedder.ts'
import type { Feeds } from '../feeds/feeds.ts'
import type { LearnedModels } from '../learned-models/learned-models.ts'
import type { AuthenticatedSender } from '../sender-authentication/sender-authentication.ts'
import type { SenderChecks } from '../sender-authentication/sender-checks.ts'
import type { Shared } from '../threads/shared.ts'
import {
  AggregatorRegistry,
  Counter,
  Gauge,
  Histogram,
  METRICS,
  type ProcessMetrics,
  Registry,
  threadRegistry,
} from './process-metrics.ts'

import { byClass } from './schemas.ts'

/** Bounds in seconds, from a message that is only a header to the deadline of the queue. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Bounds in seconds: most stages of most messages take a tenth of a millisecond. */
const STAGE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25, 1, 5]

const MS = 1_000

/** Routes that answer with a verdict or a class; the diagnostic counts as none. */
const JUDGING_ROUTE = /classify(?:-stream.*)?$|^\/checkv2$/

/** One message in so many is observed: six observations cost a tenth of everything else that this thread does for a message. */
const STAGES_EVERY = 10

export interface MetricsSources {
  /** Whether messages are accepted: what /ready answers. */
  readonly ready: () => boolean
  readonly analyser: Pick<Analyser, 'queueDepth'>
  readonly receiver: Pick<Receiver, 'bufferedBytes'>
  readonly feeds: Pick<Feeds, 'status'>
  readonly learned: Pick<LearnedModels, 'progress'>
  readonly senderChecks: Pick<SenderChecks, 'asksDns' | 'waitsForDns'>
  readonly embedder: Pick<Embedder, 'id'>
  readonly modelsVersion: string
  /** Leads to the other threads. */
  readonly shared: Shared
}

export interface AnsweredRequest {
  /** The path of the route as registered; `unknown` if there is none. */
  readonly route: string
  readonly method: string
  readonly status: number
  readonly ms: number
}

/** What was judged since the start, for those who ask often and keep differences. */
export interface JudgedCounts {
  readonly messages: number
  readonly verdicts: { readonly spam: number; readonly ham: number }
  readonly classes: Readonly<Record<(typeof CLASSES)[number], number>>
  /** Cumulative; the last bound is infinite. */
  readonly latency: readonly { readonly seconds: number | null; readonly messages: number }[]
}

export class Metrics {
  readonly #registry = threadRegistry()
  /** What only the office knows: it is asked by the process that is asked. */
  readonly #ofOffice = new Registry()
  readonly #shared: Shared
  #analysed = 0
  /** The text that is being written: requests that come meanwhile get the same one. Otherwise a hundred requests on one connection would write it a hundred times before any other request has its turn. */
  #rendering: Promise<string> | undefined
  readonly #requests = this.#histogram(
    'tamis_http_request_duration_seconds',
    'Time from the header of a request to the end of its answer',
    ['route', 'method', 'status'],
    REQUEST_BUCKETS,
  )
  readonly #stages = this.#histogram(
    'tamis_stage_duration_seconds',
    'Time of every tenth message: in the queue, in its whole analysis (worker), and in each stage of it',
    ['stage'],
    STAGE_BUCKETS,
  )
  readonly #verdicts = this.#counter(
    'tamis_verdicts_total',
    'Full classifications; reason is what overrode the models, or none',
    ['verdict', 'reason'],
  )
  readonly #classes = this.#counter('tamis_classes_total', 'Classes answered', ['class'])
  readonly #escalations = this.#counter(
    'tamis_escalations_total',
    'Verdicts that a person should review',
    [],
  )
  readonly #corrections = this.#counter('tamis_corrections_total', 'Corrections acknowledged', [
    'kind',
    'status',
  ])
  readonly #senders = this.#counter(
    'tamis_senders_total',
    'Messages by result and source of sender authentication',
    ['result', 'source'],
  )
  readonly #listLookups = this.#counter(
    'tamis_dns_list_lookups_total',
    'Names looked up in a DNS list, answered from the cache or not',
    ['list'],
  )
  readonly #listHits = this.#counter('tamis_dns_list_hits_total', 'Names that are on a DNS list', [
    'list',
  ])
  readonly #listFailures = this.#counter(
    'tamis_dns_list_failures_total',
    'Messages judged without the full answer of a DNS list, including while Tamis pauses its queries',
    ['list', 'reason'],
  )
  readonly #scans = this.#counter(
    'tamis_scans_total',
    'Messages by what the virus scanner said: clean, found, or why it said nothing, including while it is given a rest',
    ['outcome'],
  )
  readonly #partlyScanned = this.#counter(
    'tamis_partly_scanned_total',
    'Messages of which the virus scanner was given only the beginning',
    [],
  )
  readonly #partlyRead = this.#counter(
    'tamis_partly_read_total',
    'Messages that were read only up to a limit',
    [],
  )
  readonly #threadEnds = this.#counter(
    'tamis_worker_ends_total',
    'Messages judged by their header because they ended an analysis thread, now or before',
    [],
  )
  readonly #unknownUsers = this.#counter(
    'tamis_users_unknown_total',
    'Verdicts without the rules and memory of the user, because the store was not available',
    [],
  )
  readonly #historyEntries = this.#counter(
    'tamis_history_entries_total',
    'History entries kept, or dropped because the store was not available or too slow',
    ['outcome'],
  )
  readonly #correspondents = this.#counter(
    'tamis_correspondents_total',
    'Messages of which the correspondents of a user were learned, or dropped because the store was not available or too slow',
    ['outcome'],
  )

  constructor(sources: MetricsSources) {
    this.#shared = sources.shared
    this.#shared.answer(METRICS, () => this.#registry.getMetricsAsJSON())
    addGauges(this.#registry, sources)
    addLearningGauges(this.#ofOffice, sources.learned)
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]) {
    return new Counter({ name, help, labelNames, registers: [this.#registry] })
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: number[],
  ) {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.#registry] })
  }

  request({ route, method, status, ms }: AnsweredRequest): void {
    this.#requests.observe({ route, method, status }, ms / MS)
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

  scanned({ signature, isPartial, failure }: ScanFinding): void {
    this.#scans.inc({ outcome: failure ?? (signature === null ? 'clean' : 'found') })
    if (isPartial) this.#partlyScanned.inc()
  }

  answered(
    { classification, isSpam, bypassReason, shouldEscalate }: Verdict,
    isClassOnly: boolean,
  ): void {
    this.#classes.inc({ class: classification })
    if (isClassOnly) return
    this.#verdicts.inc({ verdict: isSpam ? 'spam' : 'ham', reason: bypassReason ?? 'none' })
    if (shouldEscalate) this.#escalations.inc()
  }

  corrected(kind: Kind, status: string): void {
    this.#corrections.inc({ kind, status })
  }

  userUnknown(): void {
    this.#unknownUsers.inc()
  }

  historyEntries(outcome: 'kept' | 'dropped', count: number): void {
    this.#historyEntries.inc({ outcome }, count)
  }

  correspondents(outcome: 'kept' | 'dropped', count: number): void {
    this.#correspondents.inc({ outcome }, count)
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  /** All metrics, of all threads. */
  text(): Promise<string> {
    this.#rendering ??= this.#text().finally(() => {
      this.#rendering = undefined
    })
    return this.#rendering
  }

  /** Of all threads. */
  async judged(): Promise<JudgedCounts> {
    const [own, others] = await this.#ofThreads()
    return judgedIn([own, ...others].flat())
  }

  async #text(): Promise<string> {
    const [[own, others], ofOffice] = await Promise.all([
      this.#ofThreads(),
      this.#ofOffice.getMetricsAsJSON(),
    ])
    return await AggregatorRegistry.aggregate([own, ofOffice, ...others]).metrics()
  }

  #ofThreads(): Promise<[own: ProcessMetrics, others: readonly ProcessMetrics[]]> {
    const others = this.#shared.ask(METRICS) as Promise<readonly ProcessMetrics[]>
    return Promise.all([this.#registry.getMetricsAsJSON(), others])
  }
}

function addGauges(registry: Registry, sources: MetricsSources): void {
  const { ready, analyser, receiver, feeds, senderChecks, embedder, modelsVersion } = sources
  const gauge = <Label extends string>(
    name: string,
    help: string,
    collect: (gauge: Gauge<Label>) => void,
    more: Partial<GaugeConfiguration<Label>> = {},
  ) =>
    new Gauge<Label>({
      ...{ name, help, registers: [registry], ...more },
      collect() {
        collect(this)
      },
    })
  gauge('tamis_threads', 'Serving threads', (it) => it.set(1))
  gauge(
    'tamis_ready',
    '1 if at least one serving thread accepts messages, else 0; same as /ready',
    (it) => it.set(Number(ready())),
    { aggregator: 'max' },
  )
  gauge(
    'tamis_sender_checks',
    '1 if all serving threads check senders by DNS, else 0',
    (it) => it.set(Number(senderChecks.asksDns)),
    { aggregator: 'min' },
  )
  gauge(
    'tamis_sender_checks_waiting',
    '1 if a serving thread does not check senders because TAMIS_AUTH_DNS is auto and no DNS server answers, else 0',
    (it) => it.set(Number(senderChecks.waitsForDns)),
    { aggregator: 'max' },
  )
  gauge('tamis_queue_depth', 'Requests waiting to be judged', (it) => it.set(analyser.queueDepth), {
    aggregator: 'max',
  })
  gauge(
    'tamis_buffered_bytes',
    'Memory used by message bodies, in bytes, including 32 KiB for each request',
    (it) => it.set(receiver.bufferedBytes),
    { aggregator: 'max' },
  )
  gauge(
    'tamis_feed_entries',
    'Entries of a URL feed',
    (it) => {
      for (const { feed, entries } of feeds.status()) it.set({ feed }, entries)
    },
    { aggregator: 'first', labelNames: ['feed'] },
  )
  gauge(
    'tamis_feed_age_seconds',
    'Seconds since the source of a URL feed last delivered it or reported no change',
    (it) => {
      for (const { feed, ageMs } of feeds.status()) {
        if (ageMs !== undefined) it.set({ feed }, ageMs / MS)
      }
    },
    { aggregator: 'first', labelNames: ['feed'] },
  )
  gauge(
    'tamis_info',
    'Always 1; the labels say which models are in use',
    (it) => it.set({ models: modelsVersion, embedding: embedder.id }, 1),
    { aggregator: 'first', labelNames: ['models', 'embedding'] },
  )
}

/** Absent while the store is not available. */
function addLearningGauges(register: Registry, learned: MetricsSources['learned']): void {
  const progress = () => learned.progress().catch(() => undefined)
  new Gauge({
    name: 'tamis_learning_promotions',
    help: 'How often a step of learning was taken, or refused because it made verdicts on the canary set worse; of the last run, over the whole log of corrections',
    labelNames: ['outcome'],
    registers: [register],
    async collect() {
      this.reset()
      const { promoted, refused } = (await progress()) ?? {}
      if (promoted !== undefined) this.set({ outcome: 'promoted' }, promoted)
      if (refused !== undefined) this.set({ outcome: 'refused' }, refused)
    },
  })
  new Gauge({
    name: 'tamis_deletions_waiting',
    help: 'Deletions of users whose data is not yet overwritten in the files of the store, or in the models',
    registers: [register],
    async collect() {
      const { deletions } = (await progress()) ?? {}
      if (deletions === undefined) this.remove()
      else this.set(deletions)
    },
  })
}

interface Sample {
  readonly name: string
  readonly value: number
  readonly labels: Readonly<Partial<Record<string, string | number>>>
}

function judgedIn(metrics: ProcessMetrics): JudgedCounts {
  const samples: Sample[] = metrics.flatMap(({ name, values }) =>
    // Those of a histogram have names of their own, though this is not declared.
    values.map((value) => ({
      ...value,
      name: 'metricName' in value ? String(value.metricName) : name,
    })),
  )
  const sum = (name: string, isCounted: (labels: Sample['labels']) => boolean = () => true) =>
    samples
      .filter((sample) => sample.name === name && isCounted(sample.labels))
      .reduce((total, { value }) => total + value, 0)
  const requests = 'tamis_http_request_duration_seconds'
  const isJudged = ({ route, status }: Sample['labels']) =>
    JUDGING_ROUTE.test(String(route)) && Number(status) < 300
  const verdicts = (name: string) => sum('tamis_verdicts_total', ({ verdict }) => verdict === name)
  return {
    messages: sum(`${requests}_count`, isJudged),
    verdicts: { spam: verdicts('spam'), ham: verdicts('ham') },
    classes: byClass((i) => sum('tamis_classes_total', (labels) => labels['class'] === CLASSES[i])),
    latency: [...REQUEST_BUCKETS, null].map((seconds) => ({
      seconds,
      messages: sum(
        `${requests}_bucket`,
        (labels) => isJudged(labels) && labels['le'] === (seconds ?? '+Inf'),
      ),
    })),
  }
}
