/**
 * The URL feeds on the office thread: downloaded at intervals, checked, and kept on disk for the serving threads (feeds.ts). When a
 * feed is refused, the last good one stays in use, and there is always a next attempt (rspamd#2545).
 */
import { copyFile, stat } from 'node:fs/promises'
import { DOWNLOAD_LIMITS, type DownloadLimits, download } from './download.ts'
import { type Attempt, FeedFiles, type Manifest } from './feed-files.ts'
import { type FeedLog, type FeedStatus, statusOf } from './feeds.ts'
import { readFeed } from './load.ts'
import { causeOf, FeedRefusal } from './refusal.ts'
import type { FeedSource, FileSource } from './sources.ts'

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Share of a waiting time that is added at random, so that installations do not all ask in the same minute. */
const JITTER_SHARE = 1 / 6

/** First waiting time after a failure when the server did not ask for one; doubled with each further failure. */
const RETRY_MS = 5 * MINUTE_MS

/** Longest waiting time, whatever a server asks for. */
const WAIT_MAX_MS = DAY_MS

/** A feed with fewer entries than this share of the last one is refused. */
const SHRUNK_SHARE = 1 / 2

/** Feeds that had fewer entries may shrink to any size: the smallest of the large feeds has 300. */
const SHRINK_FLOOR_ENTRIES = 200

/** After a week without an accepted feed, the small one is accepted. */
const SHRINK_AGE_MAX_MS = 7 * DAY_MS

/** Nothing is looked up in lists that only show whether a feed is good, so their hashes need no secret key. */
const NO_KEY = [0, 0] as const

/** Calls `callback` after `delayMs`; returns a function that cancels it. */
export type Schedule = (callback: () => void, delayMs: number) => () => void

export interface FeedDownloadsOptions {
  readonly sources: readonly FeedSource[]
  /** `feeds` in the data folder; made if it does not exist. */
  readonly folder: string
  readonly log: FeedLog
  readonly fetch?: typeof fetch
  readonly now?: () => Date
  readonly schedule?: Schedule
  readonly limits?: DownloadLimits
}

/** A source that is asked; its fields are updated in place. */
interface SourceState {
  readonly source: Exclude<FeedSource, { readonly kind: 'imported' }>
  last: Attempt | undefined
  failures: number
  /** The attempt in progress. */
  attempt: Promise<void> | undefined
  cancelTimer: () => void
}

const unrefTimer: Schedule = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs).unref()
  return () => clearTimeout(timer)
}

export class FeedDownloads {
  readonly #options: FeedDownloadsOptions
  readonly #files: FeedFiles
  readonly #states: readonly SourceState[]
  readonly #closing = new AbortController()
  readonly #now: () => Date
  readonly #schedule: Schedule

  private constructor(options: FeedDownloadsOptions, files: FeedFiles, states: SourceState[]) {
    this.#options = options
    this.#files = files
    this.#now = options.now ?? (() => new Date())
    this.#schedule = options.schedule ?? unrefTimer
    this.#states = states
  }

  /** Downloads start by themselves afterwards. */
  static async open(options: FeedDownloadsOptions): Promise<FeedDownloads> {
    const files = await FeedFiles.open(options.folder, options.now?.() ?? new Date())
    const states: SourceState[] = []
    for (const source of options.sources) {
      if (source.kind === 'imported') continue
      const last = await files.attempt(source.id)
      states.push({ source, last, failures: 0, attempt: undefined, cancelTimer: () => {} })
    }
    const downloads = new FeedDownloads(options, files, states)
    const now = downloads.#now().getTime()
    for (const state of states) {
      const notBefore = state.source.kind === 'file' ? now : Date.parse(state.last?.notBefore ?? '')
      // A clock that was wrong must not stop a feed for years.
      const delayMs = Math.min(Math.max(0, (notBefore || now) - now), WAIT_MAX_MS)
      downloads.#scheduleIn(state, delayMs)
    }
    return downloads
  }

  /** What is known of all feeds. */
  async status(): Promise<FeedStatus[]> {
    const statuses: FeedStatus[] = []
    for (const source of this.#options.sources) {
      const attempt = await this.#files.attempt(source.id)
      statuses.push(statusOf(source, await this.#manifest(source), attempt, this.#now()))
    }
    return statuses
  }

  /** Asks all sources now, except those that have asked for a pause. Never throws: `status` has the outcome. */
  async update(onAttempted: () => void = () => {}): Promise<void> {
    const now = this.#now().getTime()
    const due = this.#states.filter(
      ({ last }) => last?.isAsked !== true || Date.parse(last.notBefore) <= now,
    )
    await Promise.all(due.map((state) => this.#attempt(state).then(onAttempted)))
  }

  /** Ends downloads and timers. */
  async close(): Promise<void> {
    this.#closing.abort()
    for (const state of this.#states) state.cancelTimer()
    await Promise.all(this.#states.map(({ attempt }) => attempt))
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
    const { source } = state
    let delayMs: number
    let outcome: Omit<Attempt, 'notBefore'>
    try {
      await this.#fetch(source)
      outcome = { lastSuccessAt: this.#now().toISOString(), isAsked: false }
      state.failures = 0
      delayMs = source.intervalMs
    } catch (error) {
      // Closing aborts what is in progress, which is not a failure.
      if (this.#closing.signal.aborted) return
      const refusal = error instanceof FeedRefusal ? error : new FeedRefusal('FILE', causeOf(error))
      delayMs = this.#waitAfter(state, refusal)
      outcome = {
        lastSuccessAt: state.last?.lastSuccessAt,
        lastFailure: refusal.reason,
        isAsked: refusal.reason === 'RATE_LIMITED',
      }
    }
    delayMs *= 1 + Math.random() * JITTER_SHARE
    state.last = { ...outcome, notBefore: this.#scheduleIn(state, delayMs).toISOString() }
    try {
      await this.#files.setAttempt(source.id, state.last)
    } catch (error) {
      this.#options.log.warn(
        { feed: source.name, reason: 'FILE', ...causeOf(error) },
        'The time of the next attempt could not be saved',
      )
    }
  }

  /** Logs the failure; returns how long to wait after it. */
  #waitAfter(state: SourceState, { reason, details, message }: FeedRefusal): number {
    const { intervalMs, name, kind } = state.source
    // A local file is looked at every minute.
    const isNews = kind === 'remote' || state.last?.lastFailure !== reason
    const doublings = 2 ** state.failures
    state.failures += 1
    const backOffMs =
      reason === 'RATE_LIMITED'
        ? Math.max(details.retryAfterMs ?? 0, intervalMs * doublings)
        : Math.min(intervalMs, RETRY_MS * doublings)
    const waitMs = Math.min(backOffMs, WAIT_MAX_MS)
    if (isNews) {
      this.#options.log.warn(
        { feed: name, reason, ...details, nextAttemptInMs: waitMs },
        `Feed not updated: ${message}`,
      )
    }
    return waitMs
  }

  async #fetch(source: SourceState['source']): Promise<void> {
    const previous = await this.#manifest(source)
    const path = this.#files.partPath(source.id)
    const { signal } = this.#closing
    try {
      const { fetch: ask = fetch, limits = DOWNLOAD_LIMITS } = this.#options
      const got =
        source.kind === 'remote'
          ? await download(source, path, { fetch: ask, limits, signal, previous })
          : await copyLocal(source, path, previous)
      if (got === 'unchanged') return
      const { isWhole, ...validators } = got
      const { entries, sha256, skipped } = await readFeed({ path, key: NO_KEY, isWhole, signal })
      refuseShrunk(entries, previous, this.#now())
      const fetchedAt = this.#now().toISOString()
      const manifest = { source: source.name, fetchedAt, entries, sha256, ...validators }
      await this.#files.keep(source.id, path, manifest)
      this.#options.log.info(
        { feed: source.name, entries, entriesBefore: previous?.entries ?? 0, skipped },
        'Feed in use',
      )
    } finally {
      await this.#files.discard(path)
    }
  }

  async #manifest({ id }: FeedSource): Promise<Manifest | undefined> {
    const manifest = await this.#files.manifest(id)
    return manifest === 'damaged' ? undefined : manifest
  }

  /** Returns when that is. */
  #scheduleIn(state: SourceState, delayMs: number): Date {
    if (!this.#closing.signal.aborted)
      state.cancelTimer = this.#schedule(() => void this.#attempt(state), delayMs)
    return new Date(this.#now().getTime() + delayMs)
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

/**
 * Makes the file `path` the feed of `source`, also if it is smaller than the last one, since a person chose it.
 *
 * @returns entries, and records that do not name a page with one owner.
 * @throws FeedRefusal when it is not a feed; a system error when it cannot be read.
 */
export async function importFeed(path: string, source: FeedSource, folder: string, now: Date) {
  const files = await FeedFiles.open(folder, now)
  const part = files.partPath(source.id)
  try {
    await copyFile(path, part)
    const { entries, sha256, skipped } = await readFeed({ path: part, key: NO_KEY, isWhole: true })
    const fetchedAt = now.toISOString()
    await files.keep(source.id, part, { source: source.name, fetchedAt, entries, sha256 })
    return { entries, skipped }
  } finally {
    await files.discard(part)
  }
}
