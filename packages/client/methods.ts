/**
 * The methods of the client that follow from the routes alone; client.ts has the others. Made by
 * `npm run docs` from the service's routes.
 */
import { type CallOptions, type Connection, type MessageBody, query } from './connection.ts'
import type * as types from './types.ts'

export class Methods {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /**
   * Full classification: spam verdict and message class. Use this operation for mail flow. Send the
   * raw message; the headers are optional and improve the verdict. If the answer is not 200,
   * deliver the message without classification.
   */
  classifyStream(message: MessageBody, options?: types.DirectedDelivery & CallOptions): Promise<types.FullResult> {
    return this.#connection.message('/classify-stream', message, DIRECTED_DELIVERY, options)
  }

  /**
   * Full classification: spam verdict and message class (path form; announced, not available by
   * default). As `/classify-stream`, of a file on the disk of the service. Turned off by default.
   */
  classifyPath(body: types.ClassifyPathBody, options?: CallOptions): Promise<types.FullResult> {
    return this.#connection.json('POST', '/classify', body, options)
  }

  /**
   * Full classification of one message for each of several recipients. For mail servers that have
   * one message for all recipients of a transaction. The message is analysed once and decided for
   * each of up to 100 users. This is an extension of the interface.
   */
  classifyStreamRecipients(message: MessageBody, options: types.RecipientsDelivery & CallOptions): Promise<types.RecipientsResult> {
    return this.#connection.message('/classify-stream/recipients', message, RECIPIENTS_DELIVERY, options)
  }

  /**
   * Full classification, with a score and the reasons that add up to it. For clients that expect a
   * score, a required score and named tests, as other filters have them. The points of the reasons
   * add up to the score; the example is shortened. This is an extension of the interface.
   */
  classifyStreamReasons(message: MessageBody, options?: types.ReasonsDelivery & CallOptions): Promise<types.ReasonsResult> {
    return this.#connection.message('/classify-stream/reasons', message, REASONS_DELIVERY, options)
  }

  /**
   * Message class only. The class and the probability of each class, for callers that filter spam
   * elsewhere.
   */
  tabsClassifyStream(message: MessageBody, options?: types.Delivery & CallOptions): Promise<types.TabsResult> {
    return this.#connection.message('/tabs/classify-stream', message, DELIVERY, options)
  }

  /**
   * Message class only (path form; announced, not available by default). As
   * `/tabs/classify-stream`, of a file on the disk of the service. Turned off by default. The
   * address is `senderIp` here.
   */
  tabsClassifyPath(body: types.TabsPathBody, options?: CallOptions): Promise<types.TabsResult> {
    return this.#connection.json('POST', '/tabs/classify', body, options)
  }

  /**
   * Detailed breakdown of a decision, for troubleshooting, not for mail flow. Everything that led
   * to a verdict: signals with their evidence, inputs and outputs of each model, contributions that
   * add up, links, time by stage. The fields inside the groups may vary between versions.
   */
  diagnosticStream(message: MessageBody, options?: types.Delivery & CallOptions): Promise<types.DiagnosticResult> {
    return this.#connection.message('/classify/diagnostic-stream', message, DELIVERY, options)
  }

  /**
   * Detailed breakdown of a decision, for troubleshooting, not for mail flow (path form; announced,
   * not available by default). As `/classify/diagnostic-stream`, of a file on the disk of the
   * service. Turned off by default.
   */
  diagnosticPath(body: types.ClassifyPathBody, options?: CallOptions): Promise<types.DiagnosticResult> {
    return this.#connection.json('POST', '/classify/diagnostic', body, options)
  }

  /**
   * A user corrects a verdict: spam or not. The user’s own mail follows it at once: the memory has
   * this message and recognizes similar ones, and the sender gets a rule unless
   * `X-Skip-Rule-Creation` is `true`. Within limits, the models that all users share learn from it
   * too.
   */
  feedbackStream(message: MessageBody, options: types.SpamFeedback & CallOptions): Promise<types.SpamFeedbackResult> {
    return this.#connection.message('/feedback-stream', message, SPAM_FEEDBACK, options)
  }

  /**
   * A user corrects a verdict: spam or not (path form; not available by default). As
   * `/feedback-stream`, of a file on the disk of the service. Turned off by default.
   */
  feedbackPath(body: types.FeedbackPathBody, options?: CallOptions): Promise<types.SpamFeedbackResult> {
    return this.#connection.json('POST', '/feedback', body, options)
  }

  /**
   * A user corrects a class. `automatic` withdraws the correction of this message and the class
   * rule made from it.
   */
  tabsFeedbackStream(message: MessageBody, options: types.TabsFeedback & CallOptions): Promise<types.TabsFeedbackResult> {
    return this.#connection.message('/tabs/feedback-stream', message, TABS_FEEDBACK, options)
  }

  /**
   * A user corrects a class (path form; not available by default). As `/tabs/feedback-stream`, of a
   * file on the disk of the service. Turned off by default.
   */
  tabsFeedbackPath(body: types.TabsFeedbackPathBody, options?: CallOptions): Promise<types.TabsFeedbackResult> {
    return this.#connection.json('POST', '/tabs/feedback', body, options)
  }

  /**
   * A user withdraws a correction of this message, spam or not. For callers that have the message
   * but not the `feedbackId`. If the user has not corrected the message, nothing changes. This is
   * an extension of the interface.
   */
  withdrawFeedbackStream(message: MessageBody, options: types.UserDelivery & CallOptions): Promise<types.WithdrawnFeedback> {
    return this.#connection.message('/feedback/withdraw-stream', message, USER_DELIVERY, options)
  }

  /**
   * Withdraws one correction from rules, memory and global model. The result is as if the
   * correction had never been made.
   */
  removeFeedback(feedbackId: string, options?: CallOptions): Promise<types.RemovedFeedback> {
    return this.#connection.json('DELETE', `/feedback/${encodeURIComponent(feedbackId)}`, undefined, options)
  }

  /**
   * A rule about spam, with its pattern taken from the message. The pattern comes from the message:
   * its sender, list or thread, or a fingerprint of similar messages (`Template`). If the message
   * is authenticated, so is the rule: an allow then decides about messages authenticated for the
   * same domain. Without that proof, feeds and models that are sure of spam override it
   * (docs/senders.md).
   */
  createRuleStream(message: MessageBody, options: types.SpamRuleWish & CallOptions): Promise<types.SpamRule> {
    return this.#connection.message('/personalization/rules/create-stream', message, SPAM_RULE_WISH, options)
  }

  /**
   * A rule about spam (path form; not available by default). As
   * `/personalization/rules/create-stream`, of a file on the disk of the service. Turned off by
   * default.
   */
  createRulePath(body: types.SpamRulePathBody, options?: CallOptions): Promise<types.SpamRule> {
    return this.#connection.json('POST', '/personalization/rules/create', body, options)
  }

  /**
   * A rule about spam by its pattern. Creates a rule from a pattern, without a message. A `Sender`
   * rule takes an address, a domain for all addresses at and below it, `*@example.com` for those at
   * that host only, or `*.example.com` for those below it only.
   */
  createRule(body: types.SpamRuleBody, options?: CallOptions): Promise<types.SpamRule> {
    return this.#connection.json('POST', '/personalization/rules', body, options)
  }

  /**
   * All rules of a user about spam. All rules of a user about spam, newest first, including those
   * that corrections made.
   */
  rules(userId: string, options?: CallOptions): Promise<types.SpamRules> {
    return this.#connection.json('GET', `/personalization/rules${query({ userId })}`, undefined, options)
  }

  /**
   * Removes a rule about spam. Removes explicit and automatic rules with this type and pattern, as
   * the list shows them.
   */
  removeRule(body: types.RemoveRuleBody, options?: CallOptions): Promise<types.RemovedRules> {
    return this.#connection.json('DELETE', '/personalization/rules/remove', body, options)
  }

  /**
   * A rule about classes, with its pattern taken from the message. The pattern comes from the
   * message: its sender, list or thread, or a fingerprint of similar messages (`Template`). If the
   * message is authenticated, so is the rule: an allow then decides about messages authenticated
   * for the same domain. Without that proof, feeds and models that are sure of spam override it
   * (docs/senders.md).
   */
  createTabsRuleStream(message: MessageBody, options: types.ClassRuleWish & CallOptions): Promise<types.ClassRule> {
    return this.#connection.message('/personalization/tabs/rules/create-stream', message, CLASS_RULE_WISH, options)
  }

  /**
   * A rule about classes (path form; not available by default). As
   * `/personalization/tabs/rules/create-stream`, of a file on the disk of the service. Turned off
   * by default.
   */
  createTabsRulePath(body: types.ClassRulePathBody, options?: CallOptions): Promise<types.ClassRule> {
    return this.#connection.json('POST', '/personalization/tabs/rules/create', body, options)
  }

  /**
   * A rule about classes by its pattern. Creates a rule from a pattern, without a message. A
   * `Sender` rule takes an address, a domain for all addresses at and below it, `*@example.com` for
   * those at that host only, or `*.example.com` for those below it only.
   */
  createTabsRule(body: types.ClassRuleBody, options?: CallOptions): Promise<types.ClassRule> {
    return this.#connection.json('POST', '/personalization/tabs/rules', body, options)
  }

  /**
   * All rules of a user about classes. All rules of a user about classes, newest first, including
   * those that corrections made.
   */
  tabsRules(userId: string, options?: CallOptions): Promise<types.ClassRules> {
    return this.#connection.json('GET', `/personalization/tabs/rules${query({ userId })}`, undefined, options)
  }

  /**
   * Removes a rule about classes. Removes explicit and automatic rules with this type and pattern,
   * as the list shows them.
   */
  removeTabsRule(body: types.RemoveRuleBody, options?: CallOptions): Promise<types.RemovedRules> {
    return this.#connection.json('DELETE', '/personalization/tabs/rules/remove', body, options)
  }

  /**
   * The users with stored data, with search. Users of the tenant with rules, corrections or
   * correspondents. A user whose corrections are all withdrawn stays in the list until these
   * expire.
   */
  users(options: { readonly search?: string | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined } & CallOptions = {}): Promise<types.UsersResult> {
    return this.#connection.json('GET', `/users${query({ search: options.search, limit: options.limit, cursor: options.cursor })}`, undefined, options)
  }

  /**
   * The corrections of a user, newest first: time, label and sender's domain. Each correction in
   * force, with the domain of the sender: authenticated, or as the message claims it. A Sender rule
   * made from a correction has the id of the correction. The answer has no message text.
   */
  corrections(userId: string, options: { readonly limit?: number | undefined; readonly cursor?: string | undefined } & CallOptions = {}): Promise<types.CorrectionsResult> {
    return this.#connection.json('GET', `/personalization/corrections${query({ userId, limit: options.limit, cursor: options.cursor })}`, undefined, options)
  }

  /**
   * The corrections of a user: times, labels and senders' domains. Each correction in the memory:
   * time, label, domain of the sender and id; the first words of the subject only where
   * `TAMIS_MEMORY_SUBJECTS` is `on`. A Sender rule made from a correction has the id of the
   * correction. The answer has no other text of a message.
   */
  memory(userId: string, options?: CallOptions): Promise<types.MemoryResult> {
    return this.#connection.json('GET', `/personalization/memory${query({ userId })}`, undefined, options)
  }

  /**
   * Deletes a user's data about classes. Deletes rules, memory and corrections about classes. Those
   * about spam stay.
   */
  deleteTabsData(userId: string, options?: CallOptions): Promise<types.DeletedData> {
    return this.#connection.json('DELETE', '/personalization/tabs/data', { userId }, options)
  }

  /**
   * Forgets a user: rules, memory, correspondents, and corrections about spam and classes. Deletes
   * all data of the user at once. The job then rebuilds the shared models as if the user had never
   * existed. It is safe to repeat the request.
   */
  deleteData(userId: string, options?: CallOptions): Promise<types.DeletedData> {
    return this.#connection.json('DELETE', '/personalization/data', { userId }, options)
  }

  /**
   * Tells with whom a user writes: an address book, or whom a message was sent to. Mail from these
   * addresses, and replies to these messages, is less likely to be called spam for this user
   * (docs/correspondents.md). Only keyed hashes are kept; a user has at most 5,000 correspondents
   * of each kind, and the oldest leave. The address of the user is left out, if it is the id. This
   * is an extension of the interface.
   */
  addCorrespondents(body: types.CorrespondentsBody, options?: CallOptions): Promise<types.RecordedCorrespondents> {
    return this.#connection.json('POST', '/personalization/correspondents', body, options)
  }

  /**
   * The correspondents of a user: kinds, times and keyed hashes, no address. All that is stored of
   * the correspondents of a user, in pages.
   */
  correspondents(userId: string, options: { readonly limit?: number | undefined; readonly cursor?: string | undefined } & CallOptions = {}): Promise<types.CorrespondentsResult> {
    return this.#connection.json('GET', `/personalization/correspondents${query({ userId, limit: options.limit, cursor: options.cursor })}`, undefined, options)
  }

  /**
   * Removes correspondents of a user: all, or those with some addresses. Rules, memory and
   * corrections stay; `DELETE /personalization/data` removes correspondents with everything else.
   * It is safe to repeat the request.
   */
  removeCorrespondents(body: types.RemoveCorrespondentsBody, options?: CallOptions): Promise<types.RemovedCorrespondents> {
    return this.#connection.json('DELETE', '/personalization/correspondents', body, options)
  }

  /**
   * State of a background job. State of the rebuild after a deletion.
   */
  job(jobId: string, options?: CallOptions): Promise<types.JobResult> {
    return this.#connection.json('GET', `/jobs/${encodeURIComponent(jobId)}`, undefined, options)
  }

  /**
   * The operator's rules, and how often each has applied. The text of the file and of what is
   * stored, with faults, and all rules in use with their hits.
   */
  operatorRules(options?: CallOptions): Promise<types.OperatorRules> {
    return this.#connection.json('GET', '/rules', undefined, options)
  }

  /**
   * Replaces the stored rules. The whole text, in the grammar of the file (docs/rules.md); a fault
   * is answered with `line` and `column`, and nothing changes. The rules apply at once in this
   * process, and within a second or two in others.
   */
  setOperatorRules(text: string, options?: CallOptions): Promise<types.OperatorRules> {
    return this.#connection.json('PUT', '/rules', { text }, options)
  }

  /**
   * The settings in use, where they come from, and the keys by name. Settings about verdicts,
   * senders, feeds, learning and the history, to look at: none can be changed here. The answer has
   * no secret, no path, and the name of no user or domain.
   */
  settings(options?: CallOptions): Promise<types.SettingsResult> {
    return this.#connection.json('GET', '/settings', undefined, options)
  }

  /**
   * The shipped models, and the versions learned from corrections. The shipped models and the
   * versions learned from corrections, newest first.
   */
  models(options?: CallOptions): Promise<types.ModelsResult> {
    return this.#connection.json('GET', '/models', undefined, options)
  }

  /**
   * Each model in use: what it is, how it was made, and its known weaknesses. The card and the
   * manifest of each model in use: its purpose, its training data and its known failures.
   */
  modelCards(options?: CallOptions): Promise<types.ModelCards> {
    return this.#connection.json('GET', '/models/cards', undefined, options)
  }

  /**
   * Puts into use what has been learned so far, even after a rollback. Takes effect at once,
   * without waiting for the checks of the service.
   */
  promoteModels(options?: CallOptions): Promise<types.ModelVersion> {
    return this.#connection.json('POST', '/models/promote', undefined, options)
  }

  /**
   * Returns to the previous version; null means only the shipped models. The version in use now is
   * rejected.
   */
  rollbackModels(options?: CallOptions): Promise<types.ModelVersion> {
    return this.#connection.json('POST', '/models/rollback', undefined, options)
  }

  /**
   * Whether the process is running. For a supervisor that restarts a process that does not answer.
   * Needs no key.
   */
  health(options?: CallOptions): Promise<types.Health> {
    return this.#connection.json('GET', '/health', undefined, options)
  }

  /**
   * Whether the service accepts messages. For a load balancer. It needs no key; a key with the
   * scope `admin` gets more details. 503 while the service starts or ends, and once its SQLite file
   * is found to be malformed: then messages are judged, but without the data that cannot be read,
   * until a backup is restored.
   */
  ready(options?: CallOptions): Promise<types.Ready> {
    return this.#connection.json('GET', '/ready', undefined, options)
  }

  /**
   * Counts of corrections, rules and correspondents, and the models in use. Counts of the tenant,
   * the models in use, the queue, the feeds.
   */
  stats(options?: CallOptions): Promise<types.StatsResult> {
    return this.#connection.json('GET', '/stats', undefined, options)
  }

  /**
   * The last half hour: messages, verdicts, latency, queue, feeds. The mail of the tenant in steps
   * of five seconds, for live display. Use `/metrics` to keep the figures.
   */
  recentStats(options: { readonly after?: string | undefined } & CallOptions = {}): Promise<types.RecentResult> {
    return this.#connection.json('GET', `/stats/recent${query({ after: options.after })}`, undefined, options)
  }

  /**
   * The last half hour: latest verdicts, strongest reasons, top senders. The mail of the tenant by
   * message, reason and domain, for live display: at most the last 500 messages of each process.
   * The answer has no user, no address and no message text, and is kept only in memory.
   */
  recentMessages(options?: CallOptions): Promise<types.RecentMessagesResult> {
    return this.#connection.json('GET', '/stats/recent/messages', undefined, options)
  }

  /**
   * Searches the history of judged messages: why a message got its verdict. Metadata and reasons of
   * the tenant’s messages, without subject and text, for `TAMIS_HISTORY_DAYS`. There is one entry
   * for each recipient; the diagnostic and requests for only the class make none. An entry appears
   * about a second after the verdict.
   */
  history(options: { readonly messageId?: string | undefined; readonly queueId?: string | undefined; readonly reference?: string | undefined; readonly sender?: string | undefined; readonly recipient?: string | undefined; readonly verdict?: 'spam' | 'ham' | undefined; readonly escalated?: 'true' | 'false' | undefined; readonly needs?: 'review' | undefined; readonly action?: 'accepted' | 'tagged' | 'deferred' | 'quarantined' | 'rejected' | undefined; readonly since?: string | undefined; readonly until?: string | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined } & CallOptions = {}): Promise<types.HistoryResult> {
    return this.#connection.json('GET', `/history${query({ messageId: options.messageId, queueId: options.queueId, reference: options.reference, sender: options.sender, recipient: options.recipient, verdict: options.verdict, escalated: options.escalated, needs: options.needs, action: options.action, since: options.since, until: options.until, limit: options.limit, cursor: options.cursor })}`, undefined, options)
  }

  /**
   * Tells the history what became of messages. For mail servers and programs: what they did with
   * messages that they had judged under an `X-Reference`. Entries are written about a second after
   * the verdict, so tell two seconds later. What was told of a message first stays.
   */
  recordActions(actions: readonly types.ToldAction[], options?: CallOptions): Promise<types.RecordedActions> {
    return this.#connection.json('POST', '/history/actions', { actions }, options)
  }

  /**
   * Metrics for Prometheus: all for the operator, those of the tenant for others. In the text
   * format of Prometheus.
   */
  metrics(options?: CallOptions): Promise<string> {
    return this.#connection.text('GET', '/metrics', options)
  }

  /**
   * This document. For client generators. `/docs` shows it as a page.
   */
  openApi(options?: CallOptions): Promise<Record<string, unknown>> {
    return this.#connection.json('GET', '/openapi.json', undefined, options)
  }
}

const DIRECTED_DELIVERY = {
  senderIp: 'x-sender-ip',
  senderEmail: 'x-sender-email',
  userId: 'x-user-id',
  arrivalFallback: 'x-arrival-fallback',
  askedBy: 'x-asked-by',
  queueId: 'x-queue-id',
  reference: 'x-reference',
  direction: 'x-direction',
} as const

const RECIPIENTS_DELIVERY = {
  senderIp: 'x-sender-ip',
  senderEmail: 'x-sender-email',
  arrivalFallback: 'x-arrival-fallback',
  askedBy: 'x-asked-by',
  queueId: 'x-queue-id',
  reference: 'x-reference',
  summary: 'x-summary',
  userIds: 'x-user-ids',
} as const

const REASONS_DELIVERY = {
  senderIp: 'x-sender-ip',
  senderEmail: 'x-sender-email',
  userId: 'x-user-id',
  arrivalFallback: 'x-arrival-fallback',
  askedBy: 'x-asked-by',
  queueId: 'x-queue-id',
  reference: 'x-reference',
  summary: 'x-summary',
} as const

const DELIVERY = {
  senderIp: 'x-sender-ip',
  senderEmail: 'x-sender-email',
  userId: 'x-user-id',
  arrivalFallback: 'x-arrival-fallback',
} as const

const SPAM_FEEDBACK = {
  senderIp: 'x-sender-ip',
  senderEmail: 'x-sender-email',
  userId: 'x-user-id',
  arrivalFallback: 'x-arrival-fallback',
  isSpam: 'x-is-spam',
  skipRuleCreation: 'x-skip-rule-creation',
} as const

const TABS_FEEDBACK = {
  senderIp: 'x-sender-ip',
  senderEmail: 'x-sender-email',
  userId: 'x-user-id',
  arrivalFallback: 'x-arrival-fallback',
  classification: 'x-classification',
} as const

const USER_DELIVERY = {
  senderIp: 'x-sender-ip',
  senderEmail: 'x-sender-email',
  userId: 'x-user-id',
  arrivalFallback: 'x-arrival-fallback',
} as const

const SPAM_RULE_WISH = {
  senderIp: 'x-sender-ip',
  senderEmail: 'x-sender-email',
  userId: 'x-user-id',
  arrivalFallback: 'x-arrival-fallback',
  ruleType: 'x-rule-type',
  label: 'x-label',
} as const

const CLASS_RULE_WISH = {
  senderIp: 'x-sender-ip',
  senderEmail: 'x-sender-email',
  userId: 'x-user-id',
  arrivalFallback: 'x-arrival-fallback',
  ruleType: 'x-rule-type',
  classification: 'x-classification',
} as const
