/**
 * The URL feeds of a server process, as one table that is replaced as a whole: it loads what the office keeps
 * on disk (feed-downloads.ts), when that one says so and at its start, and shows of each what that one knows.
 */
import type { FeedList, FeedTable } from '../../mail/urls/feed-table.ts'
import type { Siblings } from '../siblings/siblings.ts'
import { type FeedLog, KEPT_INTERVAL_MS, type Schedule, unrefTimer } from './feed-downloads.ts'
import { FeedFiles, type Manifest } from './feed-files.ts'
import {
  FEEDS,
  FEEDS_NEWS,
  type FeedStatus,
  type KnownOfFeed,
  loadKept,
  newHashKey,
  withAge,
} from './kept-feed.ts'
import { causeOf } from './refusal.ts'
import type { FeedSource } from './sources.ts'

export interface FeedsOptions {
  readonly sources: readonly FeedSource[]
  /** `feeds` in the data folder. */
  readonly folder: string
  readonly log: FeedLog
  readonly siblings: Pick<Siblings, 'askOffice' | 'on'>
  readonly now?: () => Date
  readonly schedule?: Schedule
}

/** One source; the fields are updated in place. */
interface Feed {
  readonly source: FeedSource
  list: FeedList | undefined
  manifest: Manifest | undefined
}

export class Feeds {
  readonly #options: FeedsOptions
  readonly #files: FeedFiles
  readonly #key = newHashKey()
  readonly #feeds: readonly Feed[]
  readonly #now: () => Date
  readonly #schedule: Schedule
  readonly #closing = new AbortController()
  /** What the office has told, by feed. */
  #told = new Map<string, Partial<KnownOfFeed>>()
  #table: FeedTable | undefined
  /** The last look at the disk: they come one after the other. */
  #looking: Promise<void> = Promise.resolve()
  #cancelTimer = () => {}

  private constructor(options: FeedsOptions, files: FeedFiles) {
    this.#options = options
    this.#files = files
    this.#now = options.now ?? (() => new Date())
    this.#schedule = options.schedule ?? unrefTimer
    this.#feeds = options.sources.map((source) => ({
      source,
      list: undefined,
      manifest: undefined,
    }))
  }

  /** Opens with the feeds that are on disk in use. */
  static async open(options: FeedsOptions): Promise<Feeds> {
    const now = options.now?.() ?? new Date()
    const feeds = new Feeds(options, await FeedFiles.open(options.folder, now))
    const { siblings } = options
    siblings.on(FEEDS_NEWS, (known) => feeds.#hear(known))
    await feeds.look()
    feeds.#watch()
    // An office that is starting, too, will tell.
    const known = await siblings.askOffice(FEEDS)
    if (known !== undefined) feeds.#hear(known)
    return feeds
  }

  /** The feeds in use; undefined while there are none. Replaced as a whole, never changed. */
  get table(): FeedTable | undefined {
    return this.#table
  }

  status(): FeedStatus[] {
    const now = this.#now()
    return this.#feeds.map(({ source, list, manifest }) => {
      // Which feed is in use this process knows itself.
      const { fetchedAt: _, ...told } = this.#told.get(source.name) ?? {}
      const own = {
        feed: source.name,
        entries: list?.entries ?? 0,
        ...(manifest && { fetchedAt: new Date(manifest.fetchedAt) }),
      }
      return withAge({ ...told, ...own }, now)
    })
  }

  /** Ends loading. The table stays usable. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#cancelTimer()
    await this.#looking
  }

  #hear(known: readonly KnownOfFeed[]): void {
    this.#told = new Map(known.map((each) => [each.feed, each]))
    void this.look()
  }

  /** Loads what is on disk and not in use yet. Never rejects. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(async () => {
      for (const feed of this.#feeds) await this.#load(feed)
    })
    return this.#looking
  }

  /** The office may tell before this one listens, or while it is held up. */
  #watch(): void {
    this.#cancelTimer = this.#schedule(
      () => void this.look().then(() => this.#closing.signal.aborted || this.#watch()),
      KEPT_INTERVAL_MS,
    )
  }

  /** A damaged file is left to the office. */
  async #load(feed: Feed): Promise<void> {
    const { signal } = this.#closing
    if (signal.aborted) return
    try {
      const kept = await loadKept(this.#files, feed.source, feed.manifest, this.#key, signal)
      if (kept === undefined) return
      feed.list = kept.loaded.list
      feed.manifest = kept.manifest
      const lists = this.#feeds.flatMap(({ list }) => list ?? [])
      this.#table = { key: this.#key, lists }
    } catch (error) {
      if (signal.aborted) return
      this.#options.log.warn(
        { feed: feed.source.name, ...causeOf(error) },
        'The feed on disk could not be read; Tamis will try again',
      )
    }
  }
}
