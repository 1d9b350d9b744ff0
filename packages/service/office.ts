/**
 * The office: what a service does once, whatever the number of its server processes. It learns from
 * corrections, downloads feeds, rebuilds models without users who have left, removes what has expired, and
 * tidies up. It reads no mail and answers no client, so that no flood of either keeps it from its work.
 *
 * It is a process of its own (processes/office-process.ts), or lives in the first server process. Server
 * processes know models and feeds in the same way from either (learned-models.ts, feeds.ts); while it is
 * away, they go on with what they have.
 */
import { join } from 'node:path'
import type { Canary } from '../mail/models/canary.ts'
import type { Models } from '../mail/models/models.ts'
import { addFirstKey, NEEDED_FROM_NOW_ON } from './access/first-key.ts'
import type { Config } from './config.ts'
import { FeedDownloads } from './feeds/downloads.ts'
import type { FeedLog } from './feeds/feeds.ts'
import { feedSources } from './feeds/sources.ts'
import { Learning } from './learned-models/learning.ts'
import type { OperatorRules } from './rules/operator-rules.ts'
import type { ServerProcesses } from './siblings/siblings.ts'
import type { Store } from './store/store.ts'
import { Housekeeping } from './users/housekeeping.ts'
import { Rebuilding } from './users/rebuilding.ts'

/** Said of an error in the background. */
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
  readonly workers: ServerProcesses
}

export class Office {
  readonly #settings: OfficeSettings
  readonly #learning: Learning
  readonly #rebuilding: Rebuilding
  readonly #housekeeping: Housekeeping
  #models: Models
  #feeds: string
  #downloads: FeedDownloads

  private constructor(settings: OfficeSettings, learning: Learning, downloads: FeedDownloads) {
    const { config, models, store, onError, log, workers } = settings
    this.#settings = settings
    this.#learning = learning
    this.#models = models
    this.#feeds = config.feeds
    this.#downloads = downloads
    this.#rebuilding = new Rebuilding({ store, models: learning, onError, log, workers })
    this.#housekeeping = new Housekeeping(store, config, onError)
    void this.#housekeeping.tidy()
  }

  /** Begins its work. @throws TamisError CONFIG_INVALID for the first key or the feeds; STORE_UNAVAILABLE. */
  static async open(settings: OfficeSettings): Promise<Office> {
    const { config, models: base, canary, store, rules, log, onError, workers } = settings
    const { isNew, at, owner } = store.place
    log.info({ store: at, owner, isNew }, isNew ? 'A new store was made' : 'The store is open')
    if (await addFirstKey(store, config.apiKeyFile)) log.info({}, NEEDED_FROM_NOW_ON)
    const downloads = await openDownloads(settings, config.feeds)
    const learning = await Learning.open({
      mode: config.learning,
      ...{ rules, store, base, canary, onError, workers },
      onRefused: (more) =>
        log.warn(
          { refused: more },
          'What was learned from users was refused, because it makes verdicts on the canary set worse',
        ),
    })
    return new Office(settings, learning, downloads)
  }

  /** Called when the rules say otherwise from whom to learn. */
  choicesChanged(): void {
    this.#learning.choicesChanged()
  }

  /** Goes on with the feeds of the settings, and with other shipped models. */
  async reload({ feeds }: Config, models: Models, canary: Canary): Promise<void> {
    if (feeds !== this.#feeds) {
      // The old downloads end first: both have their files in one folder.
      await this.#downloads.close()
      this.#downloads = await openDownloads(this.#settings, feeds)
      this.#feeds = feeds
    }
    if (models.version === this.#models.version) return
    this.#models = models
    this.#learning.rebase(models, canary)
  }

  /** Stops after the current step. */
  async close(): Promise<void> {
    this.#housekeeping.close()
    this.#rebuilding.close()
    await this.#learning.close()
    await this.#downloads.close()
  }
}

function openDownloads({ config, log }: OfficeSettings, feeds: string) {
  const folder = join(config.dataDir, 'feeds')
  return FeedDownloads.open({ sources: feedSources(feeds), folder, log })
}
