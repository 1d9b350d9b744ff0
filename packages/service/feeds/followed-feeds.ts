/**
 * The URL feeds of a process that does not download them: it loads what the first process of the service
 * keeps on disk, when that one says so and at its start, and shows of each what the first one knows.
 */
import type { FeedList, FeedTable } from '../../mail/urls/feed-table.ts'
import type { Siblings } from '../siblings/siblings.ts'
import { FeedFiles, type Manifest } from './feed-files.ts'
import { FEEDS, FEEDS_NEWS, type FeedStatus, type KnownOfFeed, withAge } from './feed-status.ts'
import { type FeedLog, KEPT_INTERVAL_MS, type Schedule, unrefTimer } from './feeds.ts'
import { loadKept, newHashKey } from './kept-feed.ts'
import { causeOf } from './refusal.ts'
import type { FeedSource } from './sources.ts'

export interface FollowedFeedsOptions {
  readonly sources: readonly FeedSource[]
  /** `feeds` in the data folder. */
  readonly folder: string
  readonly log: FeedLog
  readonly siblings: Siblings
  readonly now?: () => Date
  readonly schedule?: Schedule
}

/** One source; the fields are updated in place. */
interface Followed {
  readonly source: FeedSource
  list: FeedList | undefined
  manifest: Manifest | undefined
}

export class FollowedFeeds {
  readonly #options: FollowedFeedsOptions
  readonly #files: FeedFiles
  readonly #key = newHashKey()
  readonly #feeds: readonly Followed[]
  readonly #now: () => Date
  readonly #schedule: Schedule
  readonly #closing = new AbortController()
  /** What the first process has told, by feed. */
  #told = new Map<string, KnownOfFeed>()
  #table: FeedTable | undefined
  /** The last look at the disk: they come one after the other. */
  #looking: Promise<void> = Promise.resolve()
  #cancelTimer = () => {}

  private constructor(options: FollowedFeedsOptions, files: FeedFiles) {
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
  static async open(options: FollowedFeedsOptions): Promise<FollowedFeeds> {
    const now = options.now?.() ?? new Date()
    const feeds = new FollowedFeeds(options, await FeedFiles.open(options.folder, now))
    const { siblings } = options
    siblings.on(FEEDS_NEWS, (known) => feeds.#hear(known))
    await feeds.#look()
    feeds.#watch()
    // The first process may be starting, too, and will tell.
    void siblings.ask(FEEDS).then(([known]) => known && feeds.#hear(known))
    return feeds
  }

  /** The feeds in use; undefined while there are none. Replaced as a whole, never changed. */
  get table(): FeedTable | undefined {
    return this.#table
  }

  status(): FeedStatus[] {
    const now = this.#now()
    return this.#feeds.map((feed) => withAge(this.#told.get(feed.source.name) ?? ownOf(feed), now))
  }

  /** Ends loading. The table stays usable. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#cancelTimer()
    await this.#looking
  }

  #hear(known: readonly KnownOfFeed[]): void {
    this.#told = new Map(known.map((each) => [each.feed, each]))
    void this.#look()
  }

  /** The first process may tell before this one listens, or while it is held up. */
  #watch(): void {
    this.#cancelTimer = this.#schedule(
      () => void this.#look().then(() => this.#closing.signal.aborted || this.#watch()),
      KEPT_INTERVAL_MS,
    )
  }

  #look(): Promise<void> {
    this.#looking = this.#looking.then(async () => {
      for (const feed of this.#feeds) await this.#load(feed)
    })
    return this.#looking
  }

  /** Never rejects. A damaged file is left to the first process. */
  async #load(feed: Followed): Promise<void> {
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

function ownOf({ source, list, manifest }: Followed): KnownOfFeed {
  return {
    feed: source.name,
    entries: list?.entries ?? 0,
    ...(manifest && { fetchedAt: new Date(manifest.fetchedAt) }),
  }
}
