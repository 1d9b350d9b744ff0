/**
 * The URL feeds of a running service: downloaded at intervals, kept on disk, and served as one table
 * that is replaced as a whole. Of several processes the first does this, and tells the others what to load
 * (followed-feeds.ts).
 *
 * No message waits for any of this. When a feed cannot be fetched or is refused, the last good one stays
 * in use, and there is always a next attempt (rspamd#2545: after one network error a feed stood still
 * until the restart).
 */
import { copyFile, stat } from 'node:fs/promises'
import type { FeedList, FeedTable } from '../../mail/urls/feed-table.ts'
import type { HashKey } from '../../mail/urls/keyed-hash.ts'
import { ALONE, type Siblings } from '../siblings/siblings.ts'
import { DOWNLOAD_LIMITS, type DownloadLimits, download } from './download.ts'
import { FeedFiles, type Manifest } from './feed-files.ts'
import { FEEDS, FEEDS_NEWS, type FeedStatus, type KnownOfFeed, withAge } from './feed-status.ts'
import { loadKept, newHashKey } from './kept-feed.ts'
import type { LoadedFeed } from './load.ts'
import { loadInThread } from './load-thread.ts'
import { causeOf, FeedRefusal, type RefusalReason } from './refusal.ts'
import type { FeedSource, FileSource, RemoteSource } from './sources.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Share of a waiting time that is added at random, so that not all installations ask in the same minute. */
const JITTER_SHARE = 1 / 6

/** First waiting time after a failure when the server did not ask for one; doubled with each further failure. */
const RETRY_MS = 5 * MINUTE_MS

/** Longest waiting time, whatever a server asks for. */
const WAIT_MAX_MS = DAY_MS

/** Doublings after which WAIT_MAX_MS is reached anyway. */
const DOUBLINGS_MAX = 10

/** A feed with fewer entries than this share of the last one is refused. */
const SHRUNK_SHARE = 1 / 2

/** Feeds that had fewer entries may shrink to any size: the smallest of the large feeds has 300. */
const SHRINK_FLOOR_ENTRIES = 200

/** After a week without an accepted feed, the small one is taken to be right. */
const SHRINK_AGE_MAX_MS = 7 * DAY_MS

/** How often to look on the disk for feeds that `tamis feeds` has put there meanwhile. */
export const KEPT_INTERVAL_MS = MINUTE_MS

export interface FeedLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Calls `callback` after `delayMs`; returns a function that cancels it. */
export type Schedule = (callback: () => void, delayMs: number) => () => void

export interface FeedsOptions {
  readonly sources: readonly FeedSource[]
  /** `feeds` in the data folder; made if it does not exist. */
  readonly folder: string
  readonly log: FeedLog
  /** The other processes, which follow; absent if this is the whole service. */
  readonly siblings?: Siblings
  readonly fetch?: typeof fetch
  readonly now?: () => Date
  readonly schedule?: Schedule
  readonly limits?: DownloadLimits
  /** Called with the new table when it has been replaced, for threads that hold one. */
  readonly onTable?: (table: FeedTable | undefined) => void
}

/** The feeds as verdicts and operators use them, in whichever process. */
export type FeedsInUse = Pick<Feeds, 'table' | 'status' | 'close'>

/** One source and what is known of it; its fields are updated in place. */
interface SourceState {
  readonly source: FeedSource
  list: FeedList | undefined
  manifest: Manifest | undefined
  lastSuccessAt: Date | undefined
  lastFailure: { readonly reason: RefusalReason; readonly at: Date } | undefined
  failures: number
  /** The time before which the server does not want to be asked again. */
  askedToWaitUntil: Date | undefined
  nextAttemptAt: Date | undefined
  /** The attempt in progress. */
  attempt: Promise<void> | undefined
  cancelTimer: () => void
}

export const unrefTimer: Schedule = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs).unref()
  return () => clearTimeout(timer)
}

export class Feeds {
  readonly #options: FeedsOptions
  readonly #files: FeedFiles
  readonly #key: HashKey = newHashKey()
  readonly #siblings: Siblings
  readonly #states: readonly SourceState[]
  readonly #closing = new AbortController()
  readonly #now: () => Date
  readonly #schedule: Schedule
  #cancelKeptTimer = () => {}
  #table: FeedTable | undefined

  private constructor(options: FeedsOptions, files: FeedFiles) {
    this.#options = options
    this.#files = files
    this.#now = options.now ?? (() => new Date())
    this.#schedule = options.schedule ?? unrefTimer
    this.#siblings = options.siblings ?? ALONE
    this.#siblings.on(FEEDS, () => this.#known())
    this.#states = options.sources.map((source) => ({
      source,
      list: undefined,
      manifest: undefined,
      lastSuccessAt: undefined,
      lastFailure: undefined,
      failures: 0,
      askedToWaitUntil: undefined,
      nextAttemptAt: undefined,
      attempt: undefined,
      cancelTimer: () => {},
    }))
  }

  /** Opens with the feeds that are on disk in use; downloads start by themselves afterwards. */
  static async open(options: FeedsOptions): Promise<Feeds> {
    const now = options.now?.() ?? new Date()
    const feeds = new Feeds(options, await FeedFiles.open(options.folder, now))
    for (const state of feeds.#states) {
      await feeds.#loadKept(state)
      await feeds.#scheduleFirst(state)
    }
    feeds.#watchKept()
    return feeds
  }

  /** The feeds in use; undefined while there are none. Replaced as a whole, never changed. */
  get table(): FeedTable | undefined {
    return this.#table
  }

  status(): FeedStatus[] {
    const now = this.#now()
    return this.#known().map((known) => withAge(known, now))
  }

  /** Asks all sources now, except those that asked to be left alone. Never throws: `status` tells how it went. */
  async update(onAttempted: () => void = () => {}): Promise<void> {
    const now = this.#now()
    const due = this.#states.filter(
      ({ askedToWaitUntil }) => askedToWaitUntil === undefined || askedToWaitUntil <= now,
    )
    await Promise.all(due.map((state) => this.#attempt(state).then(onAttempted)))
  }

  /** Ends downloads and timers. The table stays usable. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#cancelKeptTimer()
    for (const state of this.#states) state.cancelTimer()
    await Promise.all(this.#states.map(({ attempt }) => attempt))
  }

  #known(): KnownOfFeed[] {
    return this.#states.map((state) => ({
      feed: state.source.name,
      entries: state.list?.entries ?? 0,
      ...(state.manifest && { fetchedAt: new Date(state.manifest.fetchedAt) }),
      ...(state.lastSuccessAt && { lastSuccessAt: state.lastSuccessAt }),
      ...(state.lastFailure && { lastFailure: state.lastFailure }),
      ...(state.nextAttemptAt && { nextAttemptAt: state.nextAttemptAt }),
    }))
  }

  /** Tells the other processes what there is to know and to load. */
  #tell(): void {
    this.#siblings.tell(FEEDS_NEWS, this.#known())
  }

  #attempt(state: SourceState): Promise<void> {
    if (this.#closing.signal.aborted) return Promise.resolve()
    state.attempt ??= this.#refresh(state).finally(() => {
      state.attempt = undefined
    })
    return state.attempt
  }

  async #refresh(state: SourceState): Promise<void> {
    state.cancelTimer()
    state.nextAttemptAt = undefined
    let delayMs: number
    try {
      await this.#fetch(state)
      state.lastSuccessAt = this.#now()
      state.lastFailure = undefined
      state.failures = 0
      state.askedToWaitUntil = undefined
      delayMs = state.source.intervalMs
    } catch (error) {
      // Closing aborts what is in progress, which is not a failure.
      if (this.#closing.signal.aborted) return
      delayMs = this.#noteFailure(state, error)
    }
    await this.#scheduleNext(state, delayMs * (1 + Math.random() * JITTER_SHARE))
    this.#tell()
  }

  /** Logs the failure; returns how long to wait after it. */
  #noteFailure(state: SourceState, error: unknown): number {
    const refusal = error instanceof FeedRefusal ? error : new FeedRefusal('FILE', causeOf(error))
    const { reason, details } = refusal
    const now = this.#now()
    const isNews = state.source.kind === 'remote' || state.lastFailure?.reason !== reason
    state.lastFailure = { reason, at: now }
    const doublings = Math.min(state.failures, DOUBLINGS_MAX)
    state.failures += 1
    const { intervalMs, name } = state.source
    const isLimited = reason === 'RATE_LIMITED'
    const backOffMs = isLimited
      ? Math.max(details.retryAfterMs ?? 0, intervalMs * 2 ** doublings)
      : Math.min(intervalMs, RETRY_MS * 2 ** doublings)
    const waitMs = Math.min(backOffMs, WAIT_MAX_MS)
    state.askedToWaitUntil = isLimited ? new Date(now.getTime() + waitMs) : undefined
    // A local file is looked at every minute.
    if (!isNews) return waitMs
    this.#options.log.warn(
      { feed: name, reason, ...details, nextAttemptInMs: waitMs },
      `Feed not updated: ${refusal.message}`,
    )
    return waitMs
  }

  async #fetch(state: SourceState): Promise<void> {
    const { source } = state
    if (source.kind === 'imported') return this.#takeKept(state)
    const path = this.#files.partPath(source.id)
    try {
      const got =
        source.kind === 'remote'
          ? await this.#download(source, path, state.manifest)
          : await copyLocal(source, path, state.manifest)
      if (got === 'unchanged') return
      const { isWhole, ...validators } = got
      const loaded = await this.#load(state, path, isWhole)
      refuseShrunk(loaded.list, state.manifest, this.#now())
      const { entries } = loaded.list
      const { sha256 } = loaded
      const fetchedAt = this.#now().toISOString()
      const manifest = { source: source.name, fetchedAt, entries, sha256, ...validators }
      this.#use(state, loaded, await this.#files.keep(source.id, path, manifest))
    } finally {
      await this.#files.discard(path)
    }
  }

  #download(source: RemoteSource, path: string, previous: Manifest | undefined) {
    return download(source, path, {
      fetch: this.#options.fetch ?? fetch,
      limits: this.#options.limits ?? DOWNLOAD_LIMITS,
      signal: this.#closing.signal,
      previous,
    })
  }

  #load(state: SourceState, path: string, isWhole: boolean): Promise<LoadedFeed> {
    const request = { path, feed: state.source.name, key: this.#key, isWhole }
    return loadInThread(request, this.#closing.signal)
  }

  #use(state: SourceState, loaded: LoadedFeed, manifest: Manifest): void {
    const before = state.list?.entries ?? 0
    state.list = loaded.list
    state.manifest = manifest
    const { name } = state.source
    const { skipped } = loaded
    this.#options.log.info(
      { feed: name, entries: loaded.list.entries, entriesBefore: before, skipped },
      'Feed in use',
    )
    this.#renewTable()
    this.#tell()
  }

  #renewTable(): void {
    const lists = this.#states.flatMap(({ list }) => (list === undefined ? [] : [list]))
    this.#table = lists.length === 0 ? undefined : { key: this.#key, lists }
    this.#options.onTable?.(this.#table)
  }

  /** Takes what is on disk into use. Damaged files are removed, but none for lack of memory or descriptors. */
  async #loadKept(state: SourceState): Promise<void> {
    try {
      await this.#takeKept(state)
    } catch (error) {
      // Closing aborts the reading of a file that is not damaged.
      if (this.#closing.signal.aborted) return
      if (!isDamage(error)) {
        this.#options.log.warn(
          { feed: state.source.name, ...causeOf(error) },
          'The feed on disk could not be read; Tamis will try again',
        )
        return
      }
      this.#options.log.warn(
        { feed: state.source.name, reason: 'DAMAGED', ...error.details },
        'The feed on disk was removed, because it is not the one that was written',
      )
      await this.#files.remove(state.source.id)
    }
  }

  async #takeKept(state: SourceState): Promise<void> {
    const { source, manifest } = state
    const kept = await loadKept(this.#files, source, manifest, this.#key, this.#closing.signal)
    if (kept !== undefined) this.#use(state, kept.loaded, kept.manifest)
  }

  #watchKept(): void {
    this.#cancelKeptTimer = this.#schedule(() => void this.#lookAtKept(), KEPT_INTERVAL_MS)
  }

  async #lookAtKept(): Promise<void> {
    for (const state of this.#states) {
      if (state.attempt === undefined) await this.#loadKept(state)
    }
    if (!this.#closing.signal.aborted) this.#watchKept()
  }

  async #scheduleFirst(state: SourceState): Promise<void> {
    if (state.source.kind !== 'remote') {
      this.#scheduleAt(state, 0)
      return
    }
    const now = this.#now().getTime()
    const next = await this.#files.nextAttempt(state.source.id)
    // A clock that was wrong must not stop a feed for years.
    const delayMs = Math.min(Math.max(0, (next?.notBefore.getTime() ?? now) - now), WAIT_MAX_MS)
    if (next?.isAsked) state.askedToWaitUntil = new Date(now + delayMs)
    this.#scheduleAt(state, delayMs)
  }

  async #scheduleNext(state: SourceState, delayMs: number): Promise<void> {
    if (this.#closing.signal.aborted) return
    const notBefore = this.#scheduleAt(state, delayMs)
    if (state.source.kind !== 'remote') return
    const isAsked = state.askedToWaitUntil !== undefined
    try {
      await this.#files.setNextAttempt(state.source.id, { notBefore, isAsked })
    } catch (error) {
      this.#options.log.warn(
        { feed: state.source.name, reason: 'FILE', ...causeOf(error) },
        'The time of the next attempt could not be saved',
      )
    }
  }

  #scheduleAt(state: SourceState, delayMs: number): Date {
    state.cancelTimer = this.#schedule(() => void this.#attempt(state), delayMs)
    state.nextAttemptAt = new Date(this.#now().getTime() + delayMs)
    return state.nextAttemptAt
  }
}

/** Copies the file, so that what is loaded and what is kept are the same even while somebody writes to it. */
async function copyLocal(source: FileSource, path: string, previous: Manifest | undefined) {
  const { mtime, size } = await stat(source.path)
  const validators = { etag: String(size), lastModified: mtime.toISOString() }
  const isSame =
    previous?.etag === validators.etag && previous.lastModified === validators.lastModified
  if (isSame) return 'unchanged'
  await copyFile(source.path, path)
  return { isWhole: true, ...validators }
}

function refuseShrunk(list: FeedList, previous: Manifest | undefined, now: Date): void {
  const before = previous?.entries ?? 0
  if (list.entries >= before * SHRUNK_SHARE || before < SHRINK_FLOOR_ENTRIES) return
  if (now.getTime() - Date.parse(previous!.fetchedAt) > SHRINK_AGE_MAX_MS) return
  throw new FeedRefusal('SHRUNK', { entries: list.entries, entriesBefore: before })
}

/** True when the bytes themselves are at fault. */
function isDamage(error: unknown): error is FeedRefusal {
  return error instanceof FeedRefusal && error.reason !== 'TIMEOUT' && error.reason !== 'FILE'
}
