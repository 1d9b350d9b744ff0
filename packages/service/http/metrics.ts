/**
 * The metrics of the service for Prometheus (text format 0.0.4), of all its threads together, whichever
 * is asked (process-metrics.ts).
 *
 * No label names a user, a sender or a message.
 */
import { CLASSES } from '../../mail/models/prediction.ts'
import type { ListFinding, ScanFinding } from '../../mail/verdict/evidence.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import type { Analysed } from '../admission/analyse-task.ts'
import type { Analyser } from '../admission/analyser.ts'
import type { Receiver } from '../admission/receive.ts'
import type { Embedder } from '../encoder/embedder.ts'
import type { FeedStatus, Feeds } from '../feeds/feeds.ts'
import type { LearnedModels, LearningSummary } from '../learned-models/learned-models.ts'
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
const JUDGING_ROUTE = /classify(?:-stream)?$|^(?:\/checkv2|milter|spamd)$/

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

/** Counters, by name without `tamis_` and `_total`: what they count, and their labels. */
const COUNTERS = {
  verdicts: [
    'Full classifications; reason is what overrode the models, or none',
    'verdict',
    'reason',
  ],
  classes: ['Classes answered', 'class'],
  escalations: ['Verdicts that a person should review'],
  corrections: ['Corrections acknowledged', 'kind', 'status'],
  senders: ['Messages by result and source of sender authentication', 'result', 'source'],
  dns_list_lookups: ['Names looked up in a DNS list, answered from the cache or not', 'list'],
  dns_list_hits: ['Names that are on a DNS list', 'list'],
  dns_list_failures: [
    'Messages judged without the full answer of a DNS list, including while Tamis pauses its queries',
    'list',
    'reason',
  ],
  scans: [
    'Messages by what the virus scanner said: clean, found, or why it said nothing, including while it is given a rest',
    'outcome',
  ],
  partly_scanned: ['Messages of which the virus scanner was given only the beginning'],
  partly_read: ['Messages that were read only up to a limit'],
  worker_ends: [
    'Messages judged by their header because they ended an analysis thread, now or before',
  ],
  users_unknown: [
    'Verdicts without the rules and memory of the user, because the store was not available',
  ],
  history_entries: [
    'History entries kept, or dropped because the store was not available or too slow',
    'outcome',
  ],
  correspondents: [
    'Messages of which the correspondents of a user were learned, or dropped because the store was not available or too slow',
    'outcome',
  ],
} as const

/** Histograms, the same: what they measure, the bounds of their buckets in seconds, and their labels. */
const HISTOGRAMS = {
  http_request_duration_seconds: [
    'Time from the header of a request to the end of its answer',
    REQUEST_BUCKETS,
    ['route', 'method', 'status'],
  ],
  stage_duration_seconds: [
    'Time of every tenth message: in the queue, in its whole analysis (worker), and in each stage of it',
    STAGE_BUCKETS,
    ['stage'],
  ],
} as const

type CounterName = keyof typeof COUNTERS
type Labels = Readonly<Record<string, string | number>>

/** A gauge: what it shows, how threads together have one value, and what it is now, by its labels; nothing if that is not known. */
type GaugeRow = readonly [
  help: string,
  aggregator: 'sum' | 'max' | 'min' | 'first',
  labelNames: readonly string[],
  values: () => Values | Promise<Values>,
]
type Values = readonly (readonly [value: number | undefined, labels?: Labels])[]

function gaugesOf(sources: MetricsSources): Readonly<Record<string, GaugeRow>> {
  const { ready, analyser, receiver, feeds, senderChecks, embedder, modelsVersion } = sources
  const ofFeeds = (value: (feed: FeedStatus) => number | undefined) =>
    feeds.status().map((each) => [value(each), { feed: each.feed }] as const)
  return {
    threads: ['Serving threads', 'sum', [], () => [[1]]],
    ready: [
      '1 if at least one serving thread accepts messages, else 0; same as /ready',
      'max',
      [],
      () => [[Number(ready())]],
    ],
    sender_checks: [
      '1 if all serving threads check senders by DNS, else 0',
      'min',
      [],
      () => [[Number(senderChecks.asksDns)]],
    ],
    sender_checks_waiting: [
      '1 if a serving thread does not check senders because TAMIS_AUTH_DNS is auto and no DNS server answers, else 0',
      'max',
      [],
      () => [[Number(senderChecks.waitsForDns)]],
    ],
    queue_depth: ['Requests waiting to be judged', 'max', [], () => [[analyser.queueDepth]]],
    buffered_bytes: [
      'Memory used by message bodies, in bytes, including 32 KiB for each request',
      'max',
      [],
      () => [[receiver.bufferedBytes]],
    ],
    feed_entries: ['Entries of a URL feed', 'first', ['feed'], () => ofFeeds((it) => it.entries)],
    feed_age_seconds: [
      'Seconds since the source of a URL feed last delivered it or reported no change',
      'first',
      ['feed'],
      () => ofFeeds(({ ageMs }) => (ageMs === undefined ? undefined : ageMs / MS)),
    ],
    info: [
      'Always 1; the labels say which models are in use',
      'first',
      ['models', 'embedding'],
      () => [[1, { models: modelsVersion, embedding: embedder.id }]],
    ],
  }
}

/** What the store knows: it is asked by the thread that is asked. Absent while the store is not available. */
function learningGaugesOf({ learned }: MetricsSources): Readonly<Record<string, GaugeRow>> {
  const progress = async () => (await learned.progress().catch(() => undefined)) ?? {}
  return {
    learning_promotions: [
      'How often a step of learning was taken, or refused because it made verdicts on the canary set worse; of the last run, over the whole log of corrections',
      'first',
      ['outcome'],
      async () => {
        const { promoted, refused }: Partial<LearningSummary> = await progress()
        return [
          [promoted, { outcome: 'promoted' }],
          [refused, { outcome: 'refused' }],
        ]
      },
    ],
    deletions_waiting: [
      'Deletions of users whose data is not yet overwritten in the files of the store, or in the models',
      'first',
      [],
      async () => {
        const { deletions }: Partial<LearningSummary> = await progress()
        return [[deletions]]
      },
    ],
  }
}

function addGauges(register: Registry, rows: Readonly<Record<string, GaugeRow>>): void {
  for (const [name, [help, aggregator, labelNames, values]] of Object.entries(rows)) {
    new Gauge({
      ...{ name: `tamis_${name}`, help, aggregator, labelNames, registers: [register] },
      async collect() {
        this.reset()
        const found = await values()
        // Without labels there is a value, 0, after a reset.
        if (labelNames.length === 0) this.remove()
        for (const [value, labels = {}] of found) {
          if (value !== undefined) this.set(labels, value)
        }
      },
    })
  }
}

export class Metrics {
  readonly #registry = threadRegistry()
  readonly #ofStore = new Registry()
  readonly #shared: Shared
  readonly #counters: Readonly<Record<CounterName, Counter>>
  readonly #histograms: Readonly<Record<keyof typeof HISTOGRAMS, Histogram>>
  #analysed = 0

  constructor(sources: MetricsSources) {
    const registers = [this.#registry]
    const made = <Name extends string, Row, Made>(
      table: Readonly<Record<Name, Row>>,
      make: (name: string, row: Row) => Made,
    ) =>
      Object.fromEntries(
        Object.entries<Row>(table).map(([name, row]) => [name, make(`tamis_${name}`, row)]),
      ) as Record<Name, Made>
    this.#counters = made(
      COUNTERS,
      (name, [help, ...labelNames]) =>
        new Counter({ name: `${name}_total`, help, labelNames, registers }),
    )
    this.#histograms = made(
      HISTOGRAMS,
      (name, [help, buckets, labelNames]) =>
        new Histogram({ name, help, buckets: [...buckets], labelNames, registers }),
    )
    this.#shared = sources.shared
    this.#shared.answer(METRICS, () => this.#registry.getMetricsAsJSON())
    addGauges(this.#registry, gaugesOf(sources))
    addGauges(this.#ofStore, learningGaugesOf(sources))
  }

  count(name: CounterName, labels: Labels = {}, by = 1): void {
    this.#counters[name].inc(labels, by)
  }

  request({ ms, ...labels }: AnsweredRequest): void {
    this.#histograms.http_request_duration_seconds.observe({ ...labels }, ms / MS)
  }

  analysed({ analysis, queueMs, analysisMs, threadEnd }: Analysed): void {
    if (this.#analysed++ % STAGES_EVERY === 0) {
      const stages = { queue: queueMs, worker: analysisMs, ...analysis.timing }
      for (const [stage, ms] of Object.entries(stages)) {
        this.#histograms.stage_duration_seconds.observe({ stage }, ms / MS)
      }
    }
    if (analysis.limitsReached.length > 0) this.count('partly_read')
    if (threadEnd !== undefined) this.count('worker_ends')
  }

  listed(findings: readonly ListFinding[]): void {
    for (const { list, lookups, hits, failure } of findings) {
      this.count('dns_list_lookups', { list }, lookups)
      this.count('dns_list_hits', { list }, hits.length)
      if (failure !== null) this.count('dns_list_failures', { list, reason: failure })
    }
  }

  scanned({ signature, isPartial, failure }: ScanFinding): void {
    this.count('scans', { outcome: failure ?? (signature === null ? 'clean' : 'found') })
    if (isPartial) this.count('partly_scanned')
  }

  answered(
    { classification, isSpam, bypassReason, shouldEscalate }: Verdict,
    isClassOnly: boolean,
  ): void {
    this.count('classes', { class: classification })
    if (isClassOnly) return
    this.count('verdicts', { verdict: isSpam ? 'spam' : 'ham', reason: bypassReason ?? 'none' })
    if (shouldEscalate) this.count('escalations')
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  /** All metrics, of all threads. */
  async text(): Promise<string> {
    const [ofThreads, ofStore] = await Promise.all([
      this.#ofThreads(),
      this.#ofStore.getMetricsAsJSON(),
    ])
    return await AggregatorRegistry.aggregate([...ofThreads, ofStore]).metrics()
  }

  /** Of all threads. */
  async judged(): Promise<JudgedCounts> {
    return judgedIn((await this.#ofThreads()).flat())
  }

  async #ofThreads(): Promise<ProcessMetrics[]> {
    const others = this.#shared.ask(METRICS) as Promise<readonly ProcessMetrics[]>
    return [await this.#registry.getMetricsAsJSON(), ...(await others)]
  }
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
