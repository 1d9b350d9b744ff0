/**
 * The URL feeds of a running service in its office: downloaded at intervals, checked, and kept on disk, where
 * the server processes find what they use (feeds.ts).
 *
 * No message waits for any of this. When a feed cannot be fetched or is refused, the last good one stays
 * in use, and there is always a next attempt (rspamd#2545: after one network error a feed stood still
 * until the restart).
 */
import { copyFile, stat } from 'node:fs/promises'
import type { ServerProcesses } from '../siblings/siblings.ts'
import { DOWNLOAD_LIMITS, type DownloadLimits, download } from './download.ts'
import { FeedFiles, type Manifest } from './feed-files.ts'
import { FEEDS, FEEDS_NEWS, type KnownOfFeed, loadKept, newHashKey } from './kept-feed.ts'
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

export interface FeedDownloadsOptions {
  readonly sources: readonly FeedSource[]
  /** `feeds` in the data folder; made if it does not exist. */
  readonly folder: string
  readonly log: FeedLog
  /** The server processes; absent for a command. */
  readonly workers?: ServerProcesses
  readonly fetch?: typeof fetch
  readonly now?: () => Date
  readonly schedule?: Schedule
  readonly limits?: DownloadLimits
}

/** One source and what is known of it; its fields are updated in place. */
interface SourceState {
  readonly source: FeedSource
  /** Of the feed on disk. */
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

export class FeedDownloads {
  readonly #options: FeedDownloadsOptions
  readonly #files: FeedFiles
  readonly #key = newHashKey()
  readonly #states: readonly SourceState[]
  readonly #closing = new AbortController()
  readonly #now: () => Date
  readonly #schedule: Schedule
  #cancelKeptTimer = () => {}

  private constructor(options: FeedDownloadsOptions, files: FeedFiles) {
    this.#options = options
    this.#files = files
    this.#now = options.now ?? (() => new Date())
    this.#schedule = options.schedule ?? unrefTimer
    options.workers?.on(FEEDS, () => this.known())
    this.#states = options.sources.map((source) => ({
      source,
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

  /** Opens when it knows the feeds that are on disk; downloads start by themselves afterwards. */
  static async open(options: FeedDownloadsOptions): Promise<FeedDownloads> {
    const now = options.now?.() ?? new Date()
    const downloads = new FeedDownloads(options, await FeedFiles.open(options.folder, now))
    for (const state of downloads.#states) {
      await downloads.#checkKept(state)
      await downloads.#scheduleFirst(state)
    }
    downloads.#watchKept()
    downloads.#tell()
    return downloads
  }

  known(): KnownOfFeed[] {
    return this.#states.map((state) => ({
      feed: state.source.name,
      entries: state.manifest?.entries ?? 0,
      ...(state.manifest && { fetchedAt: new Date(state.manifest.fetchedAt) }),
      ...(state.lastSuccessAt && { lastSuccessAt: state.lastSuccessAt }),
      ...(state.lastFailure && { lastFailure: state.lastFailure }),
      ...(state.nextAttemptAt && { nextAttemptAt: state.nextAttemptAt }),
    }))
  }

  /** Asks all sources now, except those that asked to be left alone. Never throws: `known` tells how it went. */
  async update(onAttempted: () => void = () => {}): Promise<void> {
    const now = this.#now()
    const due = this.#states.filter(
      ({ askedToWaitUntil }) => askedToWaitUntil === undefined || askedToWaitUntil <= now,
    )
    await Promise.all(due.map((state) => this.#attempt(state).then(onAttempted)))
  }

  /** Ends downloads and timers. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#cancelKeptTimer()
    for (const state of this.#states) state.cancelTimer()
    await Promise.all(this.#states.map(({ attempt }) => attempt))
  }

  /** Tells the server processes what there is to know and to load. */
  #tell(): void {
    this.#options.workers?.tell(FEEDS_NEWS, this.known())
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
    if (source.kind === 'imported') return this.#lookAtKept(state)
    const path = this.#files.partPath(source.id)
    try {
      const got =
        source.kind === 'remote'
          ? await this.#download(source, path, state.manifest)
          : await copyLocal(source, path, state.manifest)
      if (got === 'unchanged') return
      const { isWhole, ...validators } = got
      const loaded = await this.#load(state, path, isWhole)
      const { entries } = loaded.list
      refuseShrunk(entries, state.manifest, this.#now())
      const { sha256 } = loaded
      const fetchedAt = this.#now().toISOString()
      const manifest = { source: source.name, fetchedAt, entries, sha256, ...validators }
      this.#note(state, loaded, await this.#files.keep(source.id, path, manifest))
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

  /** There is another feed on disk. It was loaded to see that it can be used; who uses it loads it again. */
  #note(state: SourceState, { list: { entries }, skipped }: LoadedFeed, manifest: Manifest): void {
    const entriesBefore = state.manifest?.entries ?? 0
    state.manifest = manifest
    this.#options.log.info(
      { feed: state.source.name, entries, entriesBefore, skipped },
      'Feed in use',
    )
    this.#tell()
  }

  /** Looks at what is on disk. Damaged files are removed, but none for lack of memory or descriptors. */
  async #checkKept(state: SourceState): Promise<void> {
    try {
      await this.#lookAtKept(state)
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

  async #lookAtKept(state: SourceState): Promise<void> {
    const { source, manifest } = state
    const kept = await loadKept(this.#files, source, manifest, this.#key, this.#closing.signal)
    if (kept !== undefined) this.#note(state, kept.loaded, kept.manifest)
  }

  #watchKept(): void {
    this.#cancelKeptTimer = this.#schedule(() => void this.#checkAllKept(), KEPT_INTERVAL_MS)
  }

  async #checkAllKept(): Promise<void> {
    for (const state of this.#states) {
      if (state.attempt === undefined) await this.#checkKept(state)
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

function refuseShrunk(entries: number, previous: Manifest | undefined, now: Date): void {
  const before = previous?.entries ?? 0
  if (entries >= before * SHRUNK_SHARE || before < SHRINK_FLOOR_ENTRIES) return
  if (now.getTime() - Date.parse(previous!.fetchedAt) > SHRINK_AGE_MAX_MS) return
  throw new FeedRefusal('SHRUNK', { entries, entriesBefore: before })
}

/** True when the bytes themselves are at fault. */
function isDamage(error: unknown): error is FeedRefusal {
  return error instanceof FeedRefusal && error.reason !== 'TIMEOUT' && error.reason !== 'FILE'
}
