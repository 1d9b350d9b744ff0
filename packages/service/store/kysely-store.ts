/**
 * The one implementation of the store, over either database. What a call does stands in the file
 * of its topic (operations.ts lists them); here stand what tenant's order it takes part in, and
 * the few calls that are more than one operation.
 */
import { ChangeFollower } from './change-follower.ts'
import type { Context, Database, DatabaseKind } from './database.ts'
import type { Args, Reads, Result, Writes } from './operations.ts'
import type {
  Change,
  ChangeCursor,
  CurrentVersions,
  Job,
  JobDetail,
  Kind,
  NewApiKey,
  NewCorrection,
  NewJob,
  NewModel,
  NewRule,
  RuleName,
  Store,
} from './store.ts'

/**
 * Longest time until a change is seen that no notice came for. SQLite has no notices between
 * processes, and asking it costs a twentieth of a millisecond.
 */
const POLL_MS: Record<DatabaseKind, number> = { sqlite: 500, postgres: 2_000 }

interface Watcher {
  readonly onChange: (change: Change) => void
}

export class KyselyStore implements Store {
  readonly secret: Uint8Array
  readonly #database: Database
  readonly #now: () => Date
  readonly #watchers = new Set<Watcher>()
  /** While anybody watches. */
  #follower: Promise<ChangeFollower> | undefined

  private constructor(database: Database, secret: Uint8Array, now: () => Date) {
    this.#database = database
    this.secret = secret
    this.#now = now
  }

  /** @param now the clock, for tests. */
  static async open(database: Database, now: () => Date = () => new Date()): Promise<KyselyStore> {
    const context = { kind: database.kind, secret: new Uint8Array(), now: now() }
    const secret = await database.read(context, 'installationSecret')
    return new KyselyStore(database, secret, now)
  }

  addTenant(id: string, name: string) {
    return this.#write(undefined, 'addTenant', id, name)
  }

  tenants() {
    return this.#read('tenants')
  }

  addKey(key: NewApiKey) {
    return this.#write(key.tenant, 'addKey', key)
  }

  keysOf(tenant: string) {
    return this.#read('keysOf', tenant)
  }

  revokeKey(tenant: string, id: string) {
    return this.#write(tenant, 'revokeKey', tenant, id)
  }

  keyByHash(hash: Uint8Array) {
    return this.#read('keyByHash', hash)
  }

  keysNeeded() {
    return this.#read('keysNeeded')
  }

  waiveKeys() {
    return this.#write(undefined, 'waiveKeys')
  }

  addRule(rule: NewRule) {
    return this.#write(rule.tenant, 'addRule', rule)
  }

  rulesOf(tenant: string, userId: string) {
    return this.#read('rulesOf', tenant, userId)
  }

  removeRules(rule: RuleName) {
    return this.#write(rule.tenant, 'removeRules', rule)
  }

  recordCorrection(correction: NewCorrection) {
    return this.#write(correction.tenant, 'recordCorrection', correction)
  }

  endCorrection(tenant: string, feedbackId: string) {
    return this.#write(tenant, 'endCorrection', tenant, feedbackId)
  }

  activeCorrections(tenant: string, userId: string, kind: Kind, limit: number) {
    return this.#read('activeCorrections', tenant, userId, kind, limit)
  }

  countCorrections(tenant: string, toSeq: number) {
    return this.#read('countCorrections', tenant, toSeq)
  }

  counts(tenant: string, current: CurrentVersions) {
    return this.#read('counts', tenant, current)
  }

  correctionsInOrder(tenant: string, afterSeq: number, limit: number) {
    return this.#read('correctionsInOrder', tenant, afterSeq, limit)
  }

  automaticRulesOf(tenant: string, userId: string) {
    return this.#read('automaticRulesOf', tenant, userId)
  }

  dropAutomaticRule(tenant: string, userId: string, pattern: string) {
    return this.#write(tenant, 'dropAutomaticRule', tenant, userId, pattern)
  }

  /** In batches, each a transaction. Ends: a batch that is not full is a tenant's last. */
  async expireCorrections(before: Date) {
    let expired = 0
    for (const { id } of await this.tenants()) {
      for (let more = true; more; ) {
        const batch = await this.#write(id, 'expireSome', id, before)
        expired += batch.removed
        more = batch.more
      }
    }
    return expired
  }

  userProfile(tenant: string, userId: string, limit: number) {
    return this.#read('userProfile', tenant, userId, limit)
  }

  async deleteUser(tenant: string, userId: string, kind: 'all' | 'tabs') {
    const deleted = await this.#write(tenant, 'deleteUser', tenant, userId, kind)
    return { ...deleted, scrubbed: await this.scrub() }
  }

  scrub() {
    return this.#database.scrub()
  }

  tombstones(since: Date) {
    return this.#read('tombstones', since)
  }

  changesSince(cursor: ChangeCursor, limit: number) {
    return this.#read('changesSince', cursor, limit)
  }

  latestChange() {
    return this.#read('latestChange')
  }

  async watch(onChange: (change: Change) => void) {
    const watcher: Watcher = { onChange }
    this.#watchers.add(watcher)
    this.#follower ??= this.#startFollower()
    try {
      await this.#follower
    } catch (error) {
      this.#watchers.delete(watcher)
      this.#follower = undefined
      throw error
    }
    return () => {
      this.#watchers.delete(watcher)
      if (this.#watchers.size === 0) this.#stopFollower()
    }
  }

  /** One for all who watch: what changed is read once. */
  async #startFollower(): Promise<ChangeFollower> {
    const source = {
      changesSince: this.changesSince.bind(this),
      onCommit: (wake: () => void) => this.#database.onCommit(wake),
      pollMs: POLL_MS[this.#database.kind],
    }
    return new ChangeFollower(source, await this.latestChange(), (change) => {
      for (const { onChange } of this.#watchers) onChange(change)
    })
  }

  #stopFollower(): void {
    this.#follower?.then((follower) => follower.stop()).catch(() => {})
    this.#follower = undefined
  }

  enqueueJob(job: NewJob) {
    return this.#write(job.tenant, 'enqueueJob', job)
  }

  takeJob(leaseMs: number) {
    return this.#write(undefined, 'takeJob', leaseMs)
  }

  renewJob(job: Job, leaseMs: number) {
    return this.#write(job.tenant, 'renewJob', job, leaseMs)
  }

  finishJob(job: Job, state: 'done' | 'failed', detail: JobDetail) {
    return this.#write(job.tenant, 'finishJob', job, state, detail)
  }

  jobById(tenant: string, id: string) {
    return this.#read('jobById', tenant, id)
  }

  saveCandidate(model: NewModel) {
    return this.#write(model.tenant, 'saveCandidate', model)
  }

  savePromoted(model: NewModel) {
    return this.#write(model.tenant, 'savePromoted', model)
  }

  promote(tenant: string, version: number) {
    return this.#write(tenant, 'promote', tenant, version)
  }

  reject(tenant: string, version: number) {
    return this.#write(tenant, 'reject', tenant, version)
  }

  rollback(tenant: string) {
    return this.#write(tenant, 'rollback', tenant)
  }

  promotedModel(tenant: string) {
    return this.#read('promotedModel', tenant)
  }

  models(tenant: string) {
    return this.#read('models', tenant)
  }

  forgetModelsBefore(tenant: string, version: number) {
    return this.#write(tenant, 'forgetModelsBefore', tenant, version)
  }

  prune() {
    return this.#write(undefined, 'prune')
  }

  ping() {
    return this.#read('ping')
  }

  async close() {
    this.#stopFollower()
    await this.#database.close()
  }

  #read<N extends keyof Reads>(name: N, ...args: Args<Reads[N]>): Promise<Result<Reads[N]>> {
    return this.#database.read(this.#context(), name, ...args)
  }

  #write<N extends keyof Writes>(
    tenant: string | undefined,
    name: N,
    ...args: Args<Writes[N]>
  ): Promise<Result<Writes[N]>> {
    return this.#database.write(tenant, this.#context(), name, ...args)
  }

  #context(): Context {
    return { kind: this.#database.kind, secret: this.secret, now: this.#now() }
  }
}
