/**
 * The URL feeds of a serving thread, as one table that is replaced as a whole: those that are on disk (feed-files.ts), which
 * the office thread downloads and `tamis feeds` writes. All threads share the memory of a feed.
 */
import { randomBytes } from 'node:crypto'
import { type FeedTable, feedIn } from '../../mail/urls/feed-table.ts'
import type { HashKey } from '../../mail/urls/keyed-hash.ts'
import type { Shared } from '../threads/shared.ts'
import { type Attempt, FeedFiles, type Manifest } from './feed-files.ts'
import { readFeed } from './load.ts'
import { causeOf, FeedRefusal, type RefusalReason } from './refusal.ts'
import type { FeedSource } from './sources.ts'

/** How often to look on the disk for other feeds. */
const LOOK_INTERVAL_MS = 2_000

/** A folder that changed less than this ago may have changed again without another time. */
const SETTLED_MS = 10_000

export interface FeedLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface FeedsOptions {
  readonly sources: readonly FeedSource[]
  /** `feeds` in the data folder; made if it does not exist. */
  readonly folder: string
  readonly log: FeedLog
  readonly shared: Pick<Shared, 'memory' | 'drop'>
  readonly now?: () => Date
}

/** What is known of a feed. */
export interface FeedStatus {
  readonly feed: string
  /** Entries of the feed in use; 0 while there is none. */
  readonly entries: number
  /** Time since the source last gave a good feed or said that nothing has changed; undefined when it never did. */
  readonly ageMs: number | undefined
  /** Why the last attempt failed; undefined when it did not. */
  readonly lastFailure: RefusalReason | undefined
}

/** One source; the fields are updated in place. */
interface Feed {
  readonly source: FeedSource
  manifest: Manifest | undefined
  memory: SharedArrayBuffer | undefined
  attempt: Attempt | undefined
}

export class Feeds {
  readonly #options: FeedsOptions
  readonly #files: FeedFiles
  readonly #key: HashKey
  readonly #feeds: readonly Feed[]
  readonly #closing = new AbortController()
  readonly #timer: NodeJS.Timeout
  #table: FeedTable | undefined
  /** The time of the folder when it was last looked at. */
  #seenMs = Number.NaN
  /** Whether the last look failed, which is logged once. */
  #isFailing = false
  /** The last look at the disk: they come one after the other. */
  #looking: Promise<void> = Promise.resolve()

  private constructor(options: FeedsOptions, files: FeedFiles, key: HashKey) {
    this.#options = options
    this.#files = files
    this.#key = key
    const nothing = { manifest: undefined, memory: undefined, attempt: undefined }
    this.#feeds = options.sources.map((source) => ({ source, ...nothing }))
    this.#timer = setInterval(() => void this.look(), LOOK_INTERVAL_MS).unref()
    if (options.sources.length === 0) clearInterval(this.#timer)
  }

  /** Opens with the feeds that are on disk in use. */
  static async open(options: FeedsOptions): Promise<Feeds> {
    const files = await FeedFiles.open(options.folder, options.now?.() ?? new Date())
    // The key is secret, so that the author of a feed cannot make entries collide.
    const key = await options.shared.memory('key of feeds', () => {
      const memory = new SharedArrayBuffer(8)
      new Uint8Array(memory).set(randomBytes(8))
      return memory
    })
    const [one = 0, other = 0] = new Uint32Array(key)
    const feeds = new Feeds(options, files, [one, other])
    await feeds.look()
    return feeds
  }

  /** The feeds in use; undefined while there are none. Replaced as a whole, never changed. */
  get table(): FeedTable | undefined {
    return this.#table
  }

  status(): FeedStatus[] {
    const now = this.#options.now?.() ?? new Date()
    return this.#feeds.map(({ source, manifest, attempt }) =>
      statusOf(source, manifest, attempt, now),
    )
  }

  /** Ends loading. The table stays usable. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#closing.abort()
    await this.#looking
  }

  /** Loads what is on disk and not in use yet. Never rejects. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(async () => {
      try {
        const changedMs = await this.#files.changedMs()
        const isSettled = Math.abs(Date.now() - changedMs) > SETTLED_MS
        if (this.#closing.signal.aborted || (changedMs === this.#seenMs && isSettled)) return
        for (const feed of this.#feeds) await this.#load(feed)
        this.#seenMs = changedMs
        this.#isFailing = false
      } catch (error) {
        this.#seenMs = Number.NaN
        if (this.#closing.signal.aborted || this.#isFailing) return
        this.#isFailing = true
        this.#options.log.warn(
          causeOf(error),
          'Feeds on disk could not be read; Tamis will try again',
        )
      }
    })
    return this.#looking
  }

  /** @throws FeedRefusal when the feed on disk cannot be read now. */
  async #load(feed: Feed): Promise<void> {
    const { id, name } = feed.source
    feed.attempt = await this.#files.attempt(id)
    const manifest = await this.#files.manifest(id)
    if (manifest === undefined) return
    const { shared } = this.#options
    try {
      if (manifest === 'damaged') throw new FeedRefusal('DAMAGED')
      if (manifest.sha256 === feed.manifest?.sha256) return
      const memory = await shared.memory(memoryOf(id, manifest), () => this.#read(id, manifest))
      const before = feed.manifest
      feed.manifest = manifest
      feed.memory = memory
      if (before !== undefined) shared.drop(memoryOf(id, before))
      const lists = this.#feeds.flatMap(({ memory, source }) =>
        memory === undefined ? [] : feedIn(memory, source.name),
      )
      this.#table = { key: this.#key, lists }
    } catch (error) {
      if (!isDamage(error)) throw error
      this.#options.log.warn(
        { feed: name, reason: 'DAMAGED', ...error.details },
        'The feed on disk was removed, because it is not the one that was written',
      )
      await this.#files.remove(id)
    }
  }

  async #read(id: string, manifest: Manifest): Promise<SharedArrayBuffer> {
    const path = this.#files.pathOf(id, manifest)
    const { signal } = this.#closing
    const { memory, sha256 } = await readFeed({ path, key: this.#key, isWhole: true, signal })
    if (sha256 !== manifest.sha256) throw new FeedRefusal('DAMAGED')
    return memory
  }
}

export function statusOf(
  { name }: FeedSource,
  manifest: Manifest | undefined,
  attempt: Attempt | undefined,
  now: Date,
): FeedStatus {
  const good = attempt?.lastSuccessAt ?? manifest?.fetchedAt
  return {
    feed: name,
    entries: manifest?.entries ?? 0,
    ageMs: good === undefined ? undefined : Math.max(0, now.getTime() - Date.parse(good)),
    lastFailure: attempt?.lastFailure,
  }
}

function memoryOf(id: string, { sha256 }: Manifest): string {
  return `feed ${id} ${sha256}`
}

/** True when the bytes themselves are at fault. */
function isDamage(error: unknown): error is FeedRefusal {
  return error instanceof FeedRefusal && error.reason !== 'FILE'
}
