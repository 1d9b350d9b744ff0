/**
 * The office: what a service does once, whatever the number of its serving threads. It learns from
 * corrections, without users who have left, downloads feeds, removes what has expired, and
 * tidies up. It reads no mail and answers no client, so that no flood of either keeps it from its work.
 *
 * It has a thread of its own (main/office-thread.ts); in tests it is on the thread of the service. While there is none, serving
 * threads go on with the models and feeds that they have.
 */
import { join } from 'node:path'
import type { Canary } from '../mail/models/canary.ts'
import type { Models } from '../mail/models/models.ts'
import type { Config } from './config.ts'
import { FeedDownloads } from './feeds/downloads.ts'
import type { FeedLog } from './feeds/feeds.ts'
import { feedSources } from './feeds/sources.ts'
import { Learning } from './learned-models/learning.ts'
import type { OperatorRules } from './rules/operator-rules.ts'
import type { Store } from './store/store.ts'
import { Housekeeping } from './users/housekeeping.ts'

/** The log message for an error in the background. */
export const BACKGROUND_FAILED = 'Background work failed; Tamis will try again'

export interface OfficeSettings {
  readonly config: Config
  /** The shipped models. */
  readonly models: Models
  readonly canary: Canary
  readonly store: Store
  readonly rules: OperatorRules
  readonly log: FeedLog
  /** Called with an error in the background; the work is tried again. */
  readonly onError: (error: unknown) => void
}

export class Office {
  readonly #learning: Learning
  readonly #housekeeping: Housekeeping
  readonly #downloads: FeedDownloads

  private constructor(
    { config, store, onError }: OfficeSettings,
    learning: Learning,
    downloads: FeedDownloads,
  ) {
    this.#learning = learning
    this.#downloads = downloads
    this.#housekeeping = new Housekeeping(store, config, onError)
    void this.#housekeeping.tidy()
  }

  /** Begins its work. @throws TamisError CONFIG_INVALID for the feeds; STORE_UNAVAILABLE. */
  static async open(settings: OfficeSettings): Promise<Office> {
    const { config, models: base, canary, store, rules, log, onError } = settings
    const { isNew, at, owner } = store.place
    log.info({ store: at, owner, isNew }, isNew ? 'A new store was made' : 'The store is open')
    store.check()
    const folder = join(config.dataDir, 'feeds')
    const sources = feedSources(config.feeds)
    const downloads = await FeedDownloads.open({ sources, folder, log })
    const learning = await Learning.open({
      mode: config.learning,
      ...{ rules, store, base, canary, onError, log },
    })
    return new Office(settings, learning, downloads)
  }

  /** Called when the rules have changed from whom to learn. */
  choicesChanged(): void {
    this.#learning.choicesChanged()
  }

  /** Stops after the current step. */
  async close(): Promise<void> {
    this.#housekeeping.close()
    await this.#learning.close()
    await this.#downloads.close()
  }
}
