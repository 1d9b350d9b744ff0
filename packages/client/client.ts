/**
 * The HTTP API of Tamis as typed methods, one for each operation; docs/openapi.json has the same
 * names. It needs `fetch` and nothing else: its types come from the service's schemas, and no code.
 *
 *   const tamis = new TamisClient({ url: 'http://127.0.0.1:8025' })
 *   const { isSpam } = await tamis.classifyStream(await readFile('message.eml'), { userId: 'ann' })
 *
 * Every method rejects with a TamisClientError (client-error.ts), or with the reason of a signal that
 * was aborted, or with a TypeError for a value that no header can carry. Nothing is tried again by
 * itself.
 */
import {
  type CallOptions,
  type ClientRequest,
  exchange,
  type Fetch,
  type MessageBody,
  readJson,
} from './exchange.ts'
import type {
  ClassifyPathBody,
  ClassRule,
  ClassRuleBody,
  ClassRulePathBody,
  ClassRules,
  ClassRuleWish,
  DeletedData,
  Delivery,
  DiagnosticResult,
  FeedbackPathBody,
  FullResult,
  Health,
  JobResult,
  MemoryResult,
  ModelCards,
  ModelsResult,
  ModelVersion,
  Ready,
  ReasonsResult,
  RecentResult,
  RecipientsDelivery,
  RecipientsResult,
  RemovedFeedback,
  RemovedRules,
  RemoveRuleBody,
  SpamFeedback,
  SpamFeedbackResult,
  SpamRule,
  SpamRuleBody,
  SpamRulePathBody,
  SpamRules,
  SpamRuleWish,
  StatsResult,
  TabsFeedback,
  TabsFeedbackPathBody,
  TabsFeedbackResult,
  TabsPathBody,
  TabsResult,
  UserDelivery,
  WithdrawnFeedback,
} from './types.ts'

export { type ClientErrorCode, TamisClientError } from './client-error.ts'
export type { CallOptions, Fetch, MessageBody } from './exchange.ts'
export type * from './types.ts'

/** The queue (5 s), DNS (2 s) and a worker (3 s) may all take their longest, and the message has to arrive. */
const TIMEOUT_MS = 15_000

/** The longest time of a timer in JavaScript, 25 days. */
const TIMER_MS_MAX = 2 ** 31 - 1

export interface ClientOptions {
  /** Where the service is, with the path in front of its own, if there is one. */
  readonly url: string
  /** API key; none where the service needs none. */
  readonly key?: string | undefined
  /** In place of the global one. */
  readonly fetch?: Fetch | undefined
  /** Longest time of a call to the end of its answer, in milliseconds. */
  readonly timeoutMs?: number | undefined
}

type Headers = Readonly<Record<string, string | undefined>>

export class TamisClient {
  readonly #base: string
  readonly #headers: Record<string, string>
  readonly #fetch: Fetch
  readonly #timeoutMs: number

  /**
   * @throws TypeError for a URL that is none of http or https, or that has a user, a query or a
   *   fragment; RangeError for a time limit that no timer has.
   */
  constructor({ url, key, fetch: ownFetch, timeoutMs = TIMEOUT_MS }: ClientOptions) {
    this.#base = baseOf(url)
    this.#headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    this.#fetch = ownFetch ?? ((...request) => fetch(...request))
    this.#timeoutMs = checkTimeout(timeoutMs)
  }

  // Classification

  /** Spam verdict and class of `message`. */
  classifyStream(message: MessageBody, options?: Delivery & CallOptions): Promise<FullResult> {
    return this.#postMessage('/classify-stream', message, options)
  }

  /** The same of a file on the service's own disk; 501 where those may not be read. */
  classifyPath(body: ClassifyPathBody, options?: CallOptions): Promise<FullResult> {
    return this.#postJson('/classify', body, options)
  }

  /** The same with a score on the scale of other filters, and the reasons that add up to it. */
  classifyStreamReasons(
    message: MessageBody,
    options?: Delivery & CallOptions,
  ): Promise<ReasonsResult> {
    return this.#postMessage('/classify-stream/reasons', message, options)
  }

  /** The verdict for each recipient, and the one for whoever has taught nothing. */
  classifyStreamRecipients(
    message: MessageBody,
    options: RecipientsDelivery & CallOptions,
  ): Promise<RecipientsResult> {
    const headers = { 'x-user-ids': JSON.stringify(options.userIds) }
    return this.#postMessage('/classify-stream/recipients', message, options, headers)
  }

  /** The class of `message` alone. */
  tabsClassifyStream(message: MessageBody, options?: Delivery & CallOptions): Promise<TabsResult> {
    return this.#postMessage('/tabs/classify-stream', message, options)
  }

  tabsClassifyPath(body: TabsPathBody, options?: CallOptions): Promise<TabsResult> {
    return this.#postJson('/tabs/classify', body, options)
  }

  /** All that leads to the verdict on `message`. For troubleshooting, not for mail flow. */
  diagnosticStream(
    message: MessageBody,
    options?: Delivery & CallOptions,
  ): Promise<DiagnosticResult> {
    return this.#postMessage('/classify/diagnostic-stream', message, options)
  }

  diagnosticPath(body: ClassifyPathBody, options?: CallOptions): Promise<DiagnosticResult> {
    return this.#postJson('/classify/diagnostic', body, options)
  }

  /** 384 numbers. */
  async embedText(text: string, options?: CallOptions): Promise<number[]> {
    const { embedding } = await this.#postJson<{ embedding: number[] }>(
      '/classify/embed-text',
      { text },
      options,
    )
    return embedding
  }

  /** The same for up to 256 texts, in their order. */
  async embedTexts(texts: readonly string[], options?: CallOptions): Promise<number[][]> {
    const { embeddings } = await this.#postJson<{ embeddings: number[][] }>(
      '/classify/embed-text',
      { texts },
      options,
    )
    return embeddings
  }

  // Corrections

  /** A user says that `message` is spam, or is not. */
  feedbackStream(
    message: MessageBody,
    options: SpamFeedback & CallOptions,
  ): Promise<SpamFeedbackResult> {
    const { isSpam, skipRuleCreation } = options
    return this.#postMessage('/feedback-stream', message, options, {
      'x-is-spam': `${isSpam}`,
      'x-skip-rule-creation': skipRuleCreation ? 'true' : undefined,
    })
  }

  /** Takes back what a user called `message`. */
  withdrawFeedbackStream(
    message: MessageBody,
    options: UserDelivery & CallOptions,
  ): Promise<WithdrawnFeedback> {
    return this.#postMessage('/feedback/withdraw-stream', message, options)
  }

  feedbackPath(body: FeedbackPathBody, options?: CallOptions): Promise<SpamFeedbackResult> {
    return this.#postJson('/feedback', body, options)
  }

  /** A user says of which class `message` is. */
  tabsFeedbackStream(
    message: MessageBody,
    options: TabsFeedback & CallOptions,
  ): Promise<TabsFeedbackResult> {
    const headers = { 'x-classification': options.classification }
    return this.#postMessage('/tabs/feedback-stream', message, options, headers)
  }

  tabsFeedbackPath(body: TabsFeedbackPathBody, options?: CallOptions): Promise<TabsFeedbackResult> {
    return this.#postJson('/tabs/feedback', body, options)
  }

  /** Takes a correction back. */
  removeFeedback(feedbackId: string, options?: CallOptions): Promise<RemovedFeedback> {
    return this.#send('DELETE', `/feedback/${encodeURIComponent(feedbackId)}`, undefined, options)
  }

  // Rules about spam

  /** A rule whose pattern is drawn from `message`. */
  createRuleStream(message: MessageBody, options: SpamRuleWish & CallOptions): Promise<SpamRule> {
    const { ruleType, label } = options
    const headers = { 'x-rule-type': ruleType, 'x-label': label }
    return this.#postMessage('/personalization/rules/create-stream', message, options, headers)
  }

  createRulePath(body: SpamRulePathBody, options?: CallOptions): Promise<SpamRule> {
    return this.#postJson('/personalization/rules/create', body, options)
  }

  /** A rule by its pattern. */
  createRule(body: SpamRuleBody, options?: CallOptions): Promise<SpamRule> {
    return this.#postJson('/personalization/rules', body, options)
  }

  rules(userId: string, options?: CallOptions): Promise<SpamRules> {
    return this.#get(`/personalization/rules?${userQuery(userId)}`, options)
  }

  removeRule(body: RemoveRuleBody, options?: CallOptions): Promise<RemovedRules> {
    return this.#send('DELETE', '/personalization/rules/remove', body, options)
  }

  // Rules about classes

  createTabsRuleStream(
    message: MessageBody,
    options: ClassRuleWish & CallOptions,
  ): Promise<ClassRule> {
    const { ruleType, classification } = options
    const headers = { 'x-rule-type': ruleType, 'x-classification': classification }
    return this.#postMessage('/personalization/tabs/rules/create-stream', message, options, headers)
  }

  createTabsRulePath(body: ClassRulePathBody, options?: CallOptions): Promise<ClassRule> {
    return this.#postJson('/personalization/tabs/rules/create', body, options)
  }

  createTabsRule(body: ClassRuleBody, options?: CallOptions): Promise<ClassRule> {
    return this.#postJson('/personalization/tabs/rules', body, options)
  }

  tabsRules(userId: string, options?: CallOptions): Promise<ClassRules> {
    return this.#get(`/personalization/tabs/rules?${userQuery(userId)}`, options)
  }

  removeTabsRule(body: RemoveRuleBody, options?: CallOptions): Promise<RemovedRules> {
    return this.#send('DELETE', '/personalization/tabs/rules/remove', body, options)
  }

  // What is known of a user

  /** What the user has taught: times and labels, no text. */
  memory(userId: string, options?: CallOptions): Promise<MemoryResult> {
    return this.#get(`/personalization/memory?${userQuery(userId)}`, options)
  }

  /** Forgets the user: rules, memory and corrections, about spam and about classes. */
  deleteData(userId: string, options?: CallOptions): Promise<DeletedData> {
    return this.#send('DELETE', '/personalization/data', { userId }, options)
  }

  /** Forgets what the user taught about classes. */
  deleteTabsData(userId: string, options?: CallOptions): Promise<DeletedData> {
    return this.#send('DELETE', '/personalization/tabs/data', { userId }, options)
  }

  // Models and the service itself

  models(options?: CallOptions): Promise<ModelsResult> {
    return this.#get('/models', options)
  }

  /** What each model at work is and is not good for. */
  modelCards(options?: CallOptions): Promise<ModelCards> {
    return this.#get('/models/cards', options)
  }

  /** Puts to work what has been learned until now. */
  promoteModels(options?: CallOptions): Promise<ModelVersion> {
    return this.#send('POST', '/models/promote', undefined, options)
  }

  /** Goes back to the version before. */
  rollbackModels(options?: CallOptions): Promise<ModelVersion> {
    return this.#send('POST', '/models/rollback', undefined, options)
  }

  stats(options?: CallOptions): Promise<StatsResult> {
    return this.#get('/stats', options)
  }

  /** The last half hour, or its steps that began after `after` (a date and time in ISO 8601). */
  recentStats({
    after,
    ...options
  }: { readonly after?: string } & CallOptions = {}): Promise<RecentResult> {
    const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`
    return this.#get(`/stats/recent${query}`, options)
  }

  job(jobId: string, options?: CallOptions): Promise<JobResult> {
    return this.#get(`/jobs/${encodeURIComponent(jobId)}`, options)
  }

  health(options?: CallOptions): Promise<Health> {
    return this.#get('/health', options)
  }

  /** Rejects with NOT_READY while no messages are taken. */
  ready(options?: CallOptions): Promise<Ready> {
    return this.#get('/ready', options)
  }

  /** In the text format of Prometheus. */
  metrics(options?: CallOptions): Promise<string> {
    return this.#exchange('GET', '/metrics', {}, undefined, options)
  }

  /** The description of the interface, in OpenAPI 3.1. */
  openApi(options?: CallOptions): Promise<Record<string, unknown>> {
    return this.#get('/openapi.json', options)
  }

  #postMessage<Answer>(
    path: string,
    message: MessageBody,
    options: Delivery & CallOptions = {},
    more: Headers = {},
  ): Promise<Answer> {
    const headers = {
      'content-type': 'message/rfc822',
      'x-sender-ip': options.senderIp,
      'x-sender-email': options.senderEmail,
      'x-user-id': options.userId,
      'x-arrival-fallback': options.arrivalFallback,
      ...more,
    }
    return this.#answer(this.#exchange('POST', path, headers, message, options))
  }

  #postJson<Answer>(path: string, body: object, options?: CallOptions): Promise<Answer> {
    return this.#send('POST', path, body, options)
  }

  #get<Answer>(path: string, options?: CallOptions): Promise<Answer> {
    return this.#send('GET', path, undefined, options)
  }

  #send<Answer>(
    method: string,
    path: string,
    body: object | undefined,
    options?: CallOptions,
  ): Promise<Answer> {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const json = body === undefined ? undefined : JSON.stringify(body)
    return this.#answer(this.#exchange(method, path, headers, json, options))
  }

  async #answer<Answer>(text: Promise<string>): Promise<Answer> {
    return readJson(await text) as Answer
  }

  async #exchange(
    method: string,
    path: string,
    headers: Headers,
    body: ClientRequest['body'],
    { signal, timeoutMs = this.#timeoutMs }: CallOptions = {},
  ): Promise<string> {
    const request = {
      method,
      url: this.#base + path,
      headers: { ...this.#headers, ...sendable(headers) },
      ...(body === undefined ? {} : { body }),
    }
    return exchange(this.#fetch, request, { signal, timeoutMs: checkTimeout(timeoutMs) })
  }
}

/** A longer one would end at once. */
function checkTimeout(timeoutMs: number): number {
  if (timeoutMs > 0 && timeoutMs <= TIMER_MS_MAX) return timeoutMs
  throw new RangeError(`timeoutMs is ${timeoutMs}; allowed: above 0, up to ${TIMER_MS_MAX}`)
}

function baseOf(text: string): string {
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    // Its text may have a password in it.
    throw new TypeError(
      'The URL of the service has to be like http://host:port or https://host/path',
    )
  }
  return url.href.replace(/\/$/, '')
}

function userQuery(userId: string): string {
  return `userId=${encodeURIComponent(userId)}`
}

/** Header values are UTF-8 to the service and bytes to `fetch`, one character each. */
function sendable(headers: Headers): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) values[name] = bytesAsCharacters(value)
  }
  return values
}

function bytesAsCharacters(text: string): string {
  let characters = ''
  for (const byte of new TextEncoder().encode(text)) characters += String.fromCharCode(byte)
  return characters
}
