/**
 * What the service remembers, in the words of its domain: tenants and their keys, rules, the log
 * of corrections, what was learned from it, and who asked to be forgotten.
 *
 * Everything belongs to a tenant and every call names it; another tenant's rows behave as if they
 * were not there. The few calls without a tenant are the operator's or the service's own.
 *
 * Every call may throw TamisError STORE_UNAVAILABLE (disk full, database unreachable, locked too
 * long): then nothing of it was written, or, where the connection broke during the commit, all of
 * it; calling again is safe either way. What a promise acknowledges survives `kill -9` and the
 * loss of power. Callers' mistakes (a text too long, a limit below one) are RangeErrors.
 *
 * HMACs (`userKey`, `messageKey`, `senderKey`, `domainKey`) are made under `secret`, which is the
 * same for all replicas and never leaves the installation.
 */

export interface Store extends KeyStore, RuleStore, CorrectionStore, UserStore, ChangeStore {
  /** 32 random bytes, made when the database was. The key of every HMAC. */
  readonly secret: Uint8Array
  enqueueJob(job: NewJob): Promise<string>
  /**
   * The oldest job that is queued, or whose lease has run out; it is running from then on. Of any
   * tenant: jobs are the service's own work.
   */
  takeJob(leaseMs: number): Promise<Job | undefined>
  /** False when the lease was lost and another process has the job. */
  renewJob(job: Job, leaseMs: number): Promise<boolean>
  /** False when the lease was lost, and then nothing changes. */
  finishJob(job: Job, state: 'done' | 'failed', detail: JobDetail): Promise<boolean>
  jobById(tenant: string, id: string): Promise<Job | undefined>
  /**
   * A candidate beside the promoted model; gives its version, counted per tenant from 1. The oldest
   * leave: 20 are kept, and the promoted one.
   */
  saveCandidate(candidate: NewModel): Promise<number>
  /** The same, and puts it to work in one step. */
  savePromoted(model: NewModel): Promise<number>
  /** Puts a candidate to work; what worked before is retired. False when it is no candidate. */
  promote(tenant: string, version: number): Promise<boolean>
  /** False when it is no candidate. */
  reject(tenant: string, version: number): Promise<boolean>
  /**
   * Rejects the promoted model and puts to work what it had replaced.
   *
   * @returns the version at work now; undefined when it is the base weights alone.
   */
  rollback(tenant: string): Promise<number | undefined>
  promotedModel(tenant: string): Promise<Model | undefined>
  /** Without the deltas, newest first. */
  models(tenant: string): Promise<ModelSummary[]>
  /** Removes what was learned before `version`: it may hold traces of a user who left. */
  forgetModelsBefore(tenant: string, version: number): Promise<number>
  /** Removes what only replicas that were away need: changes, tombstones, ended jobs, after 30 days. */
  prune(): Promise<void>
  counts(tenant: string, current: CurrentVersions): Promise<Counts>
  ping(): Promise<void>
  close(): Promise<void>
}

export interface KeyStore {
  /** False when it is there; its name stays. */
  addTenant(id: string, name: string): Promise<boolean>
  tenants(): Promise<Tenant[]>
  /** @returns its id */
  addKey(key: NewApiKey): Promise<string>
  /** Those that hold, newest first. */
  keysOf(tenant: string): Promise<ApiKey[]>
  /** False when there is no such key, or it is revoked already. */
  revokeKey(tenant: string, id: string): Promise<boolean>
  /** The key that hashes to `hash` and is not revoked: who calls is known only after this. */
  keyByHash(hash: Uint8Array): Promise<ApiKey | undefined>
  /**
   * Whether callers need a key: from the first key of any tenant on, also when all are revoked,
   * until they are waived. Where none is needed the service keeps to loopback.
   */
  keysNeeded(): Promise<boolean>
  /** From now on nobody needs a key, until one is added. False, and nothing changes, while any key holds. */
  waiveKeys(): Promise<boolean>
}

export interface RuleStore {
  /**
   * The same again changes nothing but the message that the rule is remembered to be made from;
   * another label replaces the rule, under a new id, and so does the same from a message that was
   * authenticated where the first was not.
   *
   * @throws TamisError RULES_FULL for a user with 2,000 of the kind.
   */
  addRule(rule: NewRule): Promise<{ readonly rule: Rule; readonly created: boolean }>
  /** Explicit rules, newest first. */
  rulesOf(tenant: string, userId: string): Promise<Rule[]>
  /** How many there were. */
  removeRules(rule: RuleName): Promise<number>
}

export interface CorrectionStore {
  /**
   * Writes a correction to the log. It ends one of the same user, kind and message with another
   * label; with the same label it changes nothing. The label `automatic`, of either kind, only ends,
   * and of the kind `tabs` removes the rules made from the message too. Where it ends no correction,
   * it stands in the log itself, ended, so that its name is known.
   */
  recordCorrection(correction: NewCorrection): Promise<Recorded>
  /** Takes a correction back. */
  endCorrection(tenant: string, feedbackId: string): Promise<'ended' | 'already_ended' | 'unknown'>
  /** A user's memory of one kind: active corrections, newest first. */
  activeCorrections(
    tenant: string,
    userId: string,
    kind: Kind,
    limit: number,
  ): Promise<MemoryItem[]>
  /** The log for replay: active corrections after `afterSeq`, in the order they were committed. */
  correctionsInOrder(tenant: string, afterSeq: number, limit: number): Promise<LoggedCorrection[]>
  /** How many corrections of the log are active up to `toSeq`: fewer than before, when one has gone. */
  countCorrections(tenant: string, toSeq: number): Promise<number>
  /** Sender rules made from corrections, newest first, at most 2,000. */
  automaticRulesOf(tenant: string, userId: string): Promise<AutomaticRule[]>
  /** Removes the automatic Sender rule for `pattern`; the corrections stay. How many had made it. */
  dropAutomaticRule(tenant: string, userId: string, pattern: string): Promise<number>
  /** Removes corrections of all tenants made before `before`, whether active or ended. How many. */
  expireCorrections(before: Date): Promise<number>
}

export interface UserStore {
  /** All that classification needs to know of a user, in one call. `limit` is per kind. */
  userProfile(tenant: string, userId: string, limit: number): Promise<UserProfile>
  /**
   * Removes a user's rules and corrections and leaves a tombstone and a job to rebuild the models,
   * both with the HMAC of the user alone. Doing it again removes nothing and gives the same job.
   */
  deleteUser(tenant: string, userId: string, kind: 'all' | 'tabs'): Promise<DeletedUser>
  /**
   * Overwrites what deleted rows have left behind in the files.
   *
   * SQLite: true when no byte of them is left in the data folder. PostgreSQL: true when VACUUM has
   * gone through; docs/operations.md says what remains in WAL and backups. False when readers hold
   * old pages or the time is up: try again later.
   */
  scrub(): Promise<boolean>
  /** Deletions since `since`, oldest first, for whoever was away. */
  tombstones(since: Date): Promise<Tombstone[]>
}

export interface ChangeStore {
  /**
   * Changes of all tenants after `cursor`, oldest first, without a gap; and the cursor to go on
   * from. A change beside which another is just being written comes again with the next call.
   */
  changesSince(cursor: ChangeCursor, limit: number): Promise<ChangesPage>
  /** The cursor after which only later changes come. */
  latestChange(): Promise<ChangeCursor>
  /**
   * Calls `onChange` for every change from now on, this process's own included, until the function
   * it gives is called. A change may come twice, one from just before may come too, and none
   * before a read would see it.
   */
  watch(onChange: (change: Change) => void): Promise<() => void>
}

/** What this version of Tamis works with. */
export interface CurrentVersions {
  readonly featureVersion: string
  readonly embeddingModel: string
}

/** Of one tenant, active corrections alone. */
export interface Counts {
  /** Who have corrected anything. */
  readonly users: number
  /** Explicit ones. */
  readonly rules: number
  readonly corrections: { readonly spam: number; readonly tabs: number }
  /** Corrections made with another version: not learned from, or remembered by their words alone. */
  readonly setAside: { readonly features: number; readonly embeddings: number }
}

export interface Tenant {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
}

/** There from the start. */
export const DEFAULT_TENANT = 'default'

export interface NewApiKey {
  readonly tenant: string
  readonly name: string
  /** SHA-256 of the key. The key itself is nowhere. */
  readonly hash: Uint8Array
  readonly scopes: readonly string[]
  readonly entitlements: readonly string[]
  readonly requestsPerMinuteMax?: number
}

export interface ApiKey extends NewApiKey {
  readonly id: string
  readonly createdAt: Date
}

/** Whether a correction or rule is about spam or about classes. */
export type Kind = 'spam' | 'tabs'

export type RuleType = 'Sender' | 'List' | 'Thread' | 'Template'

/** What names a rule of a user. */
export interface RuleName {
  readonly tenant: string
  readonly userId: string
  readonly kind: Kind
  readonly ruleType: RuleType
  readonly pattern: string
}

export interface NewRule extends RuleName {
  /** `spam` or `ham`, or a class. */
  readonly label: string
  /** Made by pattern, or from a message that was not authenticated. */
  readonly unverified: boolean
  /** For which domain the message was authenticated that it was made from. */
  readonly authenticatedDomain?: string
  /** Of the message that it was made from; absent for a rule by pattern. */
  readonly messageKey?: Uint8Array
}

export interface Rule extends NewRule {
  readonly id: string
  readonly createdAt: Date
}

/** Whose word a correction is: whoever runs the service vouches for it, or its user alone. */
export type Word = 'operator' | 'user'

export interface NewCorrection {
  readonly tenant: string
  readonly userId: string
  readonly word: Word
  readonly kind: Kind
  /** `spam` or `ham`; a class or `automatic`. */
  readonly label: string
  readonly messageKey: Uint8Array
  readonly senderKey: Uint8Array
  readonly domainKey: Uint8Array
  readonly authenticatedDomain?: string
  /** The address an automatic Sender rule is made for; absent when none is. */
  readonly rulePattern?: string
  /**
   * The address whose automatic rules of another label this correction removes; not those of
   * authenticated messages, unless its own was authenticated.
   */
  readonly dropsRulesFor?: string
  readonly featureVersion: string
  readonly embeddingModel: string
  /** What the global model learns from. */
  readonly features: Uint8Array
  /** What the user's memory compares. */
  readonly memory: Uint8Array
}

export interface Recorded {
  readonly status: 'recorded' | 'reset' | 'already_recorded'
  /** Of the correction that now holds; for `automatic` of the last that was ended. */
  readonly feedbackId: string
  /** The correction of the same message that this one ended. */
  readonly endedFeedbackId?: string
}

export interface MemoryItem {
  readonly feedbackId: string
  readonly kind: Kind
  readonly label: string
  readonly messageKey: Uint8Array
  readonly senderKey: Uint8Array
  readonly authenticatedDomain?: string
  readonly embeddingModel: string
  readonly memory: Uint8Array
  readonly createdAt: Date
}

export interface AutomaticRule {
  readonly feedbackId: string
  readonly label: string
  readonly pattern: string
  readonly senderKey: Uint8Array
  readonly authenticatedDomain?: string
  readonly createdAt: Date
}

export interface LoggedCorrection {
  /** Place in the log: ascending in the order of commits within a tenant. */
  readonly seq: number
  readonly feedbackId: string
  readonly userId: string
  readonly word: Word
  readonly kind: Kind
  readonly label: string
  readonly messageKey: Uint8Array
  readonly senderKey: Uint8Array
  readonly domainKey: Uint8Array
  readonly authenticatedDomain?: string
  readonly featureVersion: string
  readonly features: Uint8Array
  readonly createdAt: Date
}

export interface UserProfile {
  readonly rules: readonly Rule[]
  readonly automaticRules: readonly AutomaticRule[]
  readonly spam: readonly MemoryItem[]
  readonly tabs: readonly MemoryItem[]
}

export interface DeletedUser {
  readonly rules: number
  /** Corrections that were active. */
  readonly memory: number
  /** Corrections in the log, ended ones included. */
  readonly feedback: number
  readonly jobId: string
  readonly deletedAt: Date
  /** What `scrub` gave. */
  readonly scrubbed: boolean
}

export interface Tombstone {
  readonly tenant: string
  readonly userKey: Uint8Array
  readonly kind: 'all' | 'tabs'
  readonly deletedAt: Date
}

/** Where a reader of the changes stands: after the change of this number in this transaction. */
export interface ChangeCursor {
  readonly transaction: number
  readonly seq: number
}

export interface Change extends ChangeCursor {
  readonly tenant: string
  /** What changed: one user, the promoted model, or keys. */
  readonly topic: 'user' | 'models' | 'keys'
  /** Of the user, for the topic `user`; see `userKeyOf`. */
  readonly userKey?: Uint8Array
}

export interface ChangesPage {
  readonly changes: readonly Change[]
  readonly cursor: ChangeCursor
}

/** Plain JSON, without any user id. */
export type JobDetail = Readonly<Record<string, string | number | boolean | null>>

export interface NewJob {
  readonly tenant: string
  readonly kind: string
  readonly detail: JobDetail
}

export interface Job extends NewJob {
  readonly id: string
  readonly state: 'queued' | 'running' | 'done' | 'failed'
  /** How often it was taken: tells the holder of a lease from one that lost it. */
  readonly attempt: number
  readonly createdAt: Date
  readonly finishedAt?: Date
}

export interface NewModel {
  readonly tenant: string
  /** Version of the artifact whose weights the deltas are added to. */
  readonly baseVersion: string
  readonly deltas: Uint8Array
  /** Place in the log up to which it has learned. */
  readonly learnedToSeq: number
  readonly metrics: Readonly<Record<string, unknown>>
}

export type ModelSummary = Omit<NewModel, 'deltas'> & {
  readonly version: number
  readonly state: 'candidate' | 'promoted' | 'rejected' | 'retired'
  readonly createdAt: Date
}

export type Model = ModelSummary & NewModel
