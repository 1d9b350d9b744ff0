/**
 * The main thread: it accepts connections, starts the office thread and the serving threads, replaces those that end or
 * hang, and carries what they ask each other. It reads no mail and answers no request, so that no message can block it.
 *
 * A connection goes to the serving thread that has the fewest. New settings are applied by replacement: a new thread opens with
 * them and gets connections, and only then does an old one get no more and finish what it has.
 */
import { TamisError } from '../../errors/errors.ts'
import { ADMISSION, AdmissionMemory, newAdmissionMemory } from '../admission/admission-memory.ts'
import type { Config } from '../config.ts'
import { openDataFolder } from '../data-folder.ts'
import type { Log } from '../http/log.ts'
import { METRICS } from '../http/process-metrics.ts'
import type { FilterName } from '../integrations/filter.ts'
import { TIMES } from '../times.ts'
import { setServiceFlags, setStartFlags } from '../v8-flags.ts'
import type { KeptMetrics } from './kept-metrics.ts'
import { close, duplicate } from './libc.ts'
import {
  type ListeningSockets,
  listenForFilters,
  listeningSockets,
  urlOf,
} from './listening-sockets.ts'
import { freest, ServiceThread, type ThreadKind } from './service-thread.ts'
import { SharedThings } from './shared-things.ts'
import { HEARTBEAT_MS, type MainCalls, type Started } from './under-main.ts'

/** How often the metrics of the threads are read, in milliseconds, in case one ends. */
const METRICS_MS = 60_000

/** Time in which a connection of a thread that is replaced is closed after an answer, and not before a request, in milliseconds. */
const DRAIN_MS_MAX = 3_000

/** Time to close what is open after the last request, in milliseconds. */
const CLOSE_MS_MAX = 5_000

/** A thread that has run for so long is replaced at once, in milliseconds. */
const LONG_LIFE_MS = 10_000

/** First and longest pause before a thread that ended sooner is replaced, in milliseconds; it doubles each time. */
const PAUSE_MS_MIN = 100
const PAUSE_MS_MAX = 30_000

/** The longest pause before another start while the store is not available, in milliseconds. */
const STORE_PAUSE_MS_MAX = 5_000

/** Connections that are kept while no serving thread is up; further ones are closed. */
const UNSERVED_MAX = 4_096

/** Settings of what lives as long as the process: they take effect at the next start. */
const LASTING: readonly (keyof Config)[] = [
  'host',
  'port',
  'milterListen',
  'spamdListen',
  'dataDir',
  'databaseUrl',
  'workers',
]

/** The number of a serving thread, or the office thread. */
type Role = number | 'office'

export interface MainSettings {
  readonly config: Config
  readonly log: Pick<Log, 'info' | 'warn' | 'error' | 'level'>
  /** How many sockets were passed to this process to listen on. */
  readonly passedSockets: number
  /** Called when no serving thread is left, and none can be started. */
  readonly onFailure: (error: unknown) => void
}

export class MainThread {
  readonly #settings: MainSettings
  readonly #sockets: ListeningSockets
  readonly #shared: SharedThings
  /** What is known of requests, and of messages over which threads have ended, even if no thread is left. */
  readonly #admission = newAdmissionMemory()
  readonly #threads = new Map<Role, ServiceThread>()
  /** Threads that are ending as they should. */
  readonly #ending = new Set<ServiceThread>()
  readonly #starting = new Set<ServiceThread>()
  /** Connections that came while no serving thread was up. */
  readonly #unserved: { readonly descriptor: number; readonly filter: FilterName | undefined }[] =
    []
  #filterSockets: Pick<ListeningSockets, 'close'> | undefined
  readonly #pauses = new Set<NodeJS.Timeout>()
  readonly #timers: readonly NodeJS.Timeout[]
  #metrics: Promise<KeptMetrics> | undefined
  #beatAt = performance.now()
  /** The settings as they were last read. */
  #given: Config
  /** Those of the threads. */
  #config: Config
  /** The last start or replacement: they come one after the other, so that all threads have the same settings in the end. */
  #work: Promise<unknown> = Promise.resolve()
  /** The settings that were last asked for: earlier ones that still wait are skipped. */
  #asked: Config | undefined
  #isRenewing = false
  #closing = false

  private constructor(settings: MainSettings, sockets: ListeningSockets) {
    this.#settings = settings
    this.#sockets = sockets
    this.#given = settings.config
    const { host, port } = sockets
    this.#config = { ...settings.config, host, port }
    this.#shared = new SharedThings((err, thread) =>
      settings.log.error({ thread, err }, 'A thread ended; the next call starts another'),
    )
    this.#shared.keep(ADMISSION, this.#admission)
    this.#timers = [
      setInterval(() => this.#endHung(), HEARTBEAT_MS),
      setInterval(() => void this.#lookAtMetrics(), METRICS_MS),
    ]
  }

  /** Where the service listens, for a client on this machine. */
  get url(): string {
    const { host, port } = this.#sockets
    return urlOf({ host: host === '0.0.0.0' ? '127.0.0.1' : host, port })
  }

  /**
   * Starts the office thread and `config.workers` serving threads, and resolves when all of them listen.
   *
   * @throws TamisError, as `openService` does; CONFIG_INVALID when it cannot listen.
   */
  static async start(settings: MainSettings): Promise<MainThread & Started> {
    const { config, log, passedSockets } = settings
    const sockets = await listeningSockets(config, passedSockets)
    // Before anything is written there: it may be the folder of another user.
    const openToOthers = await openDataFolder(config.dataDir)
    if (openToOthers !== undefined) log.warn({}, openToOthers)
    const main = new MainThread(settings, sockets)
    try {
      const serving = Array.from({ length: config.workers }, (_, i) => i)
      const roles = ['office' as const, ...serving]
      const [office] = await Promise.all(roles.map((role) => main.#start(role)))
      await sockets.accept(
        (descriptor) => main.#give(descriptor),
        (err) => log.error({ err }, 'No connection can be accepted'),
      )
      main.#filterSockets = await listenForFilters(
        config,
        (descriptor, filter) => main.#give(descriptor, filter),
        log,
      )
      return Object.assign(main, office!)
    } catch (error) {
      await main.close()
      throw error
    }
  }

  /**
   * Replaces all threads by threads with the settings `next`. Resolves when the last of them accepts, or at once where others
   * have been asked for since.
   *
   * @throws TamisError CONFIG_INVALID, ARTIFACT_MISMATCH where the first cannot be opened: then nothing has changed.
   */
  replace(next: Config): Promise<void> {
    this.#asked = next
    return this.#inTurn(async () => {
      if (next === this.#asked) await this.#replace(next)
    })
  }

  async #replace(next: Config): Promise<void> {
    const before = this.#config
    const lasting = Object.fromEntries(LASTING.map((name) => [name, before[name]]))
    const config = { ...next, ...lasting } as Config
    const { log } = this.#settings
    const roles = [...this.#threads.keys()].filter((role) => role !== 'office')
    const old = new Map(this.#threads)
    let isFirst = true
    for (const role of [...roles, 'office' as const]) {
      if (this.#closing) return
      // There is one office thread: the old one ends first.
      if (role === 'office') await this.#end(old.get(role))
      try {
        this.#config = config
        await this.#start(role)
      } catch (error) {
        if (this.#closing) return
        if (isFirst) this.#config = before
        if (isFirst) throw error
        void this.#startLater(role, PAUSE_MS_MIN)
      }
      // At most one thread more than usual takes memory.
      if (role !== 'office') await this.#end(old.get(role), DRAIN_MS_MAX)
      isFirst = false
    }
    log.level = config.logLevel
    const changed = changedSettings(this.#given, next)
    this.#given = next
    log.info({ changed: changed.filter((name) => !LASTING.includes(name)) }, 'Reloaded')
    const later = changed.filter((name) => LASTING.includes(name))
    if (later.length > 0) {
      log.warn({ settings: later }, 'These settings have changed and take effect at the next start')
    }
  }

  /** Lets all threads finish their requests, and resolves when they have ended and the store is closed. */
  async close(): Promise<void> {
    this.#closing = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const pause of this.#pauses) clearTimeout(pause)
    await Promise.all([...this.#starting].map((thread) => thread.end()))
    const office = this.#threads.get('office')
    const serving = [...this.#threads.values(), ...this.#ending].filter((each) => each !== office)
    const ended = serving.map((thread) => this.#end(thread))
    // When the last thread accepts no more, clients are refused and need not wait until it has ended.
    this.#sockets.close()
    this.#filterSockets?.close()
    await Promise.all(ended)
    await this.#end(office)
    await this.#shared.close()
  }

  #callsOf(thread: ServiceThread): MainCalls {
    const others = () => this.#up().filter((other) => other !== thread)
    return {
      ...this.#shared.callsOf(thread),
      ask: async (question) => {
        const kept = question === METRICS ? await this.#keptMetrics() : undefined
        const answers = others().map(
          async (other) => (await other.answer(question)) ?? kept?.of(other),
        )
        const known = (await Promise.all(answers)).filter((answer) => answer !== undefined)
        return kept === undefined ? known : [...known, await kept.all()]
      },
      renew: () => void this.#renew(),
    }
  }

  /** Starts a thread, which takes the role when it is ready. */
  async #start(role: Role): Promise<Started> {
    if (this.#closing) throw new TamisError('SHUTTING_DOWN', 'The service is shutting down')
    const startedAt = performance.now()
    const kind: ThreadKind = role === 'office' ? 'office' : 'serving'
    const config = this.#config
    const order = { config, count: config.workers }
    setStartFlags()
    const thread = new ServiceThread(kind, order, (own) => this.#callsOf(own))
    void thread.ended.then(() => {
      AdmissionMemory.threadEnded(this.#admission, thread.id)
      this.#shared.forget(thread)
    })
    this.#starting.add(thread)
    try {
      const started = await thread.start()
      this.#threads.set(role, thread)
      if (kind === 'serving') this.#giveUnserved()
      void thread.ended.then((how) => this.#ended(role, thread, how, startedAt))
      return started
    } catch (error) {
      await thread.end()
      throw error
    } finally {
      this.#starting.delete(thread)
      // From now on the code that judges mail is compiled, and no longer the code that starts.
      if (this.#starting.size === 0) setServiceFlags()
    }
  }

  /** A thread has ended. */
  async #ended(role: Role, thread: ServiceThread, how: string, startedAt: number) {
    const isFailure = !this.#ending.has(thread) && !this.#closing
    await (await this.#keptMetrics()).end(thread, isFailure)
    if (!isFailure) return
    const { log } = this.#settings
    log.error({ thread: role, how }, 'A thread ended; another one is started')
    const livedLong = performance.now() - startedAt >= LONG_LIFE_MS
    await this.#startLater(role, livedLong ? 0 : PAUSE_MS_MIN)
  }

  /** Starts a thread in the place of one that has ended, as soon as one can be started. */
  async #startLater(role: Role, pauseMs: number): Promise<void> {
    if (pauseMs > 0) await this.#pause(pauseMs)
    if (this.#closing) return
    try {
      await this.#inTurn(async () => {
        // A replacement may have put another in its place meanwhile.
        if (!this.#closing && !this.#threads.get(role)?.isUp) await this.#start(role)
      })
    } catch (error) {
      if (this.#closing) return
      // The store was there at the start.
      const isOutage = error instanceof TamisError && error.code === 'STORE_UNAVAILABLE'
      const isLast = this.#up().every((thread) => thread === this.#threads.get('office'))
      const longest = isOutage ? STORE_PAUSE_MS_MAX : PAUSE_MS_MAX
      if (isLast && !isOutage) {
        this.#settings.onFailure(error)
        return
      }
      this.#settings.log.error({ thread: role, err: error }, 'A thread could not be started')
      void this.#startLater(role, Math.min(Math.max(2 * pauseMs, PAUSE_MS_MIN), longest))
    }
  }

  /** Gives a connection to a serving thread, or keeps it until there is one. */
  #give(descriptor: number, filter?: FilterName): void {
    const serving = this.#up().filter((thread) => thread !== this.#threads.get('office'))
    if (serving.length === 0) {
      if (this.#unserved.length < UNSERVED_MAX) {
        this.#unserved.push({ descriptor: duplicate(descriptor), filter })
      }
      return
    }
    freest(serving).give(descriptor, filter)
  }

  #giveUnserved(): void {
    for (const { descriptor, filter } of this.#unserved.splice(0)) {
      this.#give(descriptor, filter)
      close(descriptor)
    }
  }

  /** Has `thread` finish its requests, and ends it. */
  async #end(thread: ServiceThread | undefined, drainMsMax = 0): Promise<void> {
    if (thread === undefined) return
    this.#ending.add(thread)
    if (drainMsMax > 0) await thread.calls.call('drain', drainMsMax).catch(() => {})
    const graceMs = TIMES.shutdownMs + CLOSE_MS_MAX
    await thread.close(graceMs, async () => {
      if (!this.#closing) await (await this.#keptMetrics()).look([thread])
    })
    this.#ending.delete(thread)
  }

  /** Replaces the threads by others with the same settings; further calls meanwhile have no effect. */
  async #renew(): Promise<void> {
    if (this.#isRenewing) return
    this.#isRenewing = true
    try {
      await this.#inTurn(() => this.#replace(this.#given))
    } catch (error) {
      this.#settings.log.error({ err: error }, 'The serving threads were not replaced')
    } finally {
      this.#isRenewing = false
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#pauses.delete(timer)
        resolve()
      }, ms)
      this.#pauses.add(timer)
    })
  }

  #endHung(): void {
    const now = performance.now()
    // If this thread has not run, the others may not have run either.
    const isLate = now - this.#beatAt > 2 * HEARTBEAT_MS
    this.#beatAt = now
    if (isLate) return
    for (const thread of [...this.#threads.values(), ...this.#starting]) {
      if (!thread.missesHeartbeats()) continue
      this.#settings.log.error({}, 'A thread does not respond; the main thread ends it')
      void thread.end()
    }
  }

  /** prom-client is loaded when first needed: a start needs none. */
  #keptMetrics(): Promise<KeptMetrics> {
    this.#metrics ??= import('./kept-metrics.ts').then(({ KeptMetrics }) => new KeptMetrics())
    return this.#metrics
  }

  async #lookAtMetrics(): Promise<void> {
    await (await this.#keptMetrics()).look(this.#up())
  }

  #up(): ServiceThread[] {
    return [...this.#threads.values()].filter((thread) => thread.isUp)
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => {})
    return done
  }
}

/** The settings whose value differs. */
function changedSettings(before: Config, next: Config): (keyof Config)[] {
  const names = Object.keys(next) as (keyof Config)[]
  return names.filter((name) => JSON.stringify(next[name]) !== JSON.stringify(before[name]))
}
