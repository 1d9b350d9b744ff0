/**
 * Applies a new configuration to a running service without dropping a request: the new parts are opened
 * beside the old ones and replace them, and the old ones end after their last request. These are two
 * steps, so that all processes of a service change or none.
 *
 * If a part cannot be opened, everything stays as it was. Settings that cannot change while the service
 * runs (addresses, folders, sizes) are reported and keep their values.
 */
import type { FastifyInstance } from 'fastify'
import { readCanary, readModels } from '../artifact-files/artifact-files.ts'
import { TamisError } from '../errors/errors.ts'
import type { Knowledge } from '../mail/knowledge/knowledge.ts'
import type { Models } from '../mail/models/models.ts'
import type { Analyser } from './admission/analyser.ts'
import { type Config, policySettings } from './config.ts'
import type { Feeds } from './feeds/feeds.ts'
import { feedSources } from './feeds/sources.ts'
import type { Classifier } from './http/classifier.ts'
import type { Log } from './http/log.ts'
import { openKnowledge } from './known-domains.ts'
import { withLiveOf } from './live-settings.ts'
import type { Office } from './office.ts'
import { policiesFor } from './policies.ts'
import type { SenderChecks } from './sender-authentication/sender-checks.ts'
import { TIMES } from './times.ts'

/** Those of them with which the sender checks are opened anew. */
const OF_SENDER_CHECKS: readonly (keyof Config)[] = [
  'trustedAuthservIds',
  'authDns',
  'dnsLists',
  'clamd',
  'ownDomains',
]

export interface ReloadOptions {
  readonly config: Config
  readonly models: Models
  readonly knowledge: Knowledge
  readonly classifier: Classifier
  readonly app: FastifyInstance
  readonly log: Pick<Log, 'level'>
  /** Where it is in this process. */
  readonly office: Office | undefined
  readonly openAnalyser: (models: Models, knowledge: Knowledge) => Promise<Analyser>
  readonly openSenderChecks: (config: Config) => Promise<SenderChecks>
  readonly openFeeds: (config: Config) => Promise<Feeds>
}

/** What a reload has opened, and has not put to use yet. Exactly one of its functions has to be called. */
export interface Replacement {
  /** Replaces the parts in use. When it throws, nothing has changed. */
  apply(): Promise<void>
  /** Closes what was opened. */
  discard(): Promise<void>
  /** How many rules the file has; the office does not say. */
  readonly rules?: number
}

interface Prepared extends Replacement {
  /** Resolves when it has been put to use or discarded. */
  readonly done: Promise<void>
}

export class Reload {
  readonly #options: ReloadOptions
  #config: Config
  #models: Models
  #knowledge: Knowledge
  /** The last reload: each is prepared when the one before is over. */
  #work: Promise<void> = Promise.resolve()
  #ended = false
  /** Sender checks that were replaced, and that messages still hold. */
  readonly #replaced = new Set<SenderChecks>()

  constructor(options: ReloadOptions) {
    this.#options = options
    this.#config = options.config
    this.#models = options.models
    this.#knowledge = options.knowledge
  }

  /**
   * Opens what `next`, and the models, the known domains and the rules on disk need.
   *
   * @throws TamisError CONFIG_INVALID, ARTIFACT_MISMATCH; then nothing has changed.
   */
  prepare(next: Config): Promise<Replacement> {
    if (this.#ended) {
      return Promise.reject(new TamisError('SHUTTING_DOWN', 'The service is shutting down'))
    }
    const prepared = this.#work.then(() => this.#prepare(next))
    this.#work = prepared.then(
      ({ done }) => done,
      () => {},
    )
    return prepared
  }

  /** Opens the sender checks again under the settings in use: a DNS server answers that did not before. */
  async reopenSenderChecks(): Promise<void> {
    const reopened = this.#work.then(async () => {
      if (this.#ended) return
      const { classifier, openSenderChecks } = this.#options
      const old = classifier.senderChecks
      classifier.replace({ senderChecks: await openSenderChecks(this.#config) })
      void this.#closeUnheld(old)
    })
    this.#work = reopened.catch(() => {})
    await reopened
  }

  /** The settings in use. */
  get config(): Config {
    return this.#config
  }

  /** Accepts no further configuration, and resolves when parts that are being opened can be closed with the rest. */
  async end(): Promise<void> {
    this.#ended = true
    await this.#work
  }

  /** Closes at once what was replaced and is still held; to be called when no request is in progress. */
  async closeReplaced(): Promise<void> {
    await Promise.all([...this.#replaced].map((checks) => checks.close()))
  }

  async #prepare(next: Config): Promise<Prepared> {
    const { openAnalyser, openSenderChecks, openFeeds } = this.#options
    const differs = (...names: (keyof Config)[]) =>
      names.some((name) => JSON.stringify(next[name]) !== JSON.stringify(this.#config[name]))
    feedSources(next.feeds)
    const models = await readModels(next.models)
    const canary = await readCanary(models)
    const knowledge = await openKnowledge(next.knownDomains)
    const rulesFile = await this.#options.classifier.rules.prepare(next.rules)
    const otherModels = models.version !== this.#models.version
    const otherKnowledge = knowledge.version !== this.#knowledge.version
    const senderChecks = differs(...OF_SENDER_CHECKS) ? await openSenderChecks(next) : undefined
    let analyser: Analyser | undefined
    try {
      if (otherModels || otherKnowledge) analyser = await openAnalyser(models, knowledge)
    } catch (error) {
      await senderChecks?.close()
      throw error
    }

    const { promise: done, resolve: end } = Promise.withResolvers<void>()
    const discard = async () => {
      await senderChecks?.close()
      await analyser?.close(0)
    }
    const apply = async () => {
      const { classifier, app, log, office } = this.#options
      await office?.reload(next, models, canary)
      const feeds = differs('feeds') ? await openFeeds(next) : undefined
      const old = {
        analyser: classifier.analyser,
        senderChecks: classifier.senderChecks,
        feeds: classifier.feeds,
      }
      classifier.replace({
        policies: policiesFor(models, policySettings(next)),
        modelsVersion: models.version,
        ...(senderChecks && { senderChecks }),
        ...(feeds && { feeds }),
        ...(analyser && { analyser }),
      })
      rulesFile.use()
      if (otherModels) {
        classifier.learned.rebase(models, canary)
        classifier.users.forgetAll()
      }
      // Fastify's is a child, which keeps its own level.
      app.log.level = log.level = next.logLevel
      this.#config = withLiveOf(this.#config, next)
      this.#models = models
      this.#knowledge = knowledge
      if (feeds !== undefined) await old.feeds.close()
      if (senderChecks !== undefined) void this.#closeUnheld(old.senderChecks)
      if (analyser !== undefined) await old.analyser.close(TIMES.shutdownMs)
    }
    return {
      done,
      rules: rulesFile.count,
      discard: () => discard().finally(end),
      apply: async () => {
        try {
          await apply()
        } catch (error) {
          await discard()
          throw error
        } finally {
          end()
        }
      },
    }
  }

  /** The next reload, and the end of the service, do not wait for this. */
  async #closeUnheld(senderChecks: SenderChecks): Promise<void> {
    this.#replaced.add(senderChecks)
    await senderChecks.closeUnheld()
    this.#replaced.delete(senderChecks)
  }
}
