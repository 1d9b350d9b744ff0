/**
 * The supervisor of the server processes and the office: it starts them, replaces those that end, ends those
 * that are held up, reloads and ends all of them, and carries what they ask and tell each other. It reads no
 * mail and answers no request, so that no message can hold it up.
 *
 * All server processes accept on one socket, which the supervisor holds and does not accept on
 * (listening-sockets.ts): whichever is free takes the next connection, and one that is held up takes none.
 * On SQLite the supervisor has the one connection that writes (store/sqlite-writer.ts). A write is
 * acknowledged when the other processes have dropped what they knew of its user, so that the next request
 * is answered from it, whichever process takes it.
 */
import { TamisError } from '../../errors/errors.ts'
import type { Config } from '../config.ts'
import { openDataFolder } from '../data-folder.ts'
import type { Log } from '../http/log.ts'
import { METRICS } from '../http/process-metrics.ts'
import { changedSettings, LIVE, withLiveOf } from '../live-settings.ts'
import type { Change } from '../store/context.ts'
import { openWriter } from '../store/open.ts'
import type { OpenWriter } from '../store/sqlite.ts'
import { TIMES } from '../times.ts'
import { BEAT_MS } from './beat.ts'
import { KeptMetrics } from './kept-metrics.ts'
import { type ListeningSockets, listeningSockets, urlOf } from './listening-sockets.ts'
import { SupervisedProcess } from './supervised-process.ts'
import type { Started, SupervisorCalls } from './under-supervisor.ts'

/** How often the metrics of the processes are looked at, in milliseconds, for when one ends. */
const METRICS_MS = 5_000

/** Time to close what is open after the last request, in milliseconds. */
const CLOSE_MS_MAX = 5_000

/** Time for the office to end after all others, in milliseconds: it stops after a step of some 50 ms. */
const OFFICE_CLOSE_MS_MAX = 2_000

/** A process that has lived for so long is replaced at once, in milliseconds. */
const LONG_LIFE_MS = 10_000

/** Pauses before a process that has not lived long is replaced, in milliseconds: it doubles from the first to the last. */
const PAUSE_MS_MIN = 100
const PAUSE_MS_MAX = 30_000

/** The longest pause before another start while the store is away, in milliseconds. */
const STORE_PAUSE_MS_MAX = 5_000

type SupervisorLog = Pick<Log, 'info' | 'warn' | 'error' | 'level'>

/** A server process by its number, or the office in a process of its own. */
type Role = number | 'office'

export interface SupervisorSettings {
  readonly config: Config
  readonly log: SupervisorLog
  /** How many sockets were passed to this process to listen on. */
  readonly passedSockets: number
  /** Called when no process is left, and none can be started. */
  readonly onFailure: (error: unknown) => void
}

export class Supervisor {
  readonly #settings: SupervisorSettings
  readonly #sockets: ListeningSockets
  readonly #writer: OpenWriter | undefined
  readonly #processes = new Map<Role, SupervisedProcess>()
  /** Where the office is. */
  readonly #officeAt: Role
  readonly #pauses = new Set<NodeJS.Timeout>()
  readonly #metrics = new KeptMetrics()
  readonly #timers: readonly NodeJS.Timeout[]
  #watchedAt = performance.now()
  #config: Config
  /** The last start or reload: they come one after the other, so that all processes have the same settings. */
  #work: Promise<unknown> = Promise.resolve()
  #closing = false
  /** Whether the store could be opened: from then on its absence is an outage, which ends. */
  #isStoreKnown: boolean

  private constructor(
    settings: SupervisorSettings,
    sockets: ListeningSockets,
    writer: OpenWriter | undefined,
  ) {
    this.#settings = settings
    this.#sockets = sockets
    this.#config = this.#listeningAt(settings.config)
    this.#writer = writer
    this.#isStoreKnown = writer !== undefined
    // Beside several server processes it has one of its own, so that a flood of mail does not delay its work.
    this.#officeAt = settings.config.workers > 1 ? 'office' : 0
    this.#timers = [
      setInterval(() => this.#endHeldUp(), BEAT_MS),
      setInterval(() => void this.#metrics.look(this.#up()), METRICS_MS),
    ]
  }

  /** Where the service listens, for a client on this machine. */
  get url(): string {
    const { host, port } = this.#sockets
    return urlOf({ host: host === '0.0.0.0' ? '127.0.0.1' : host, port })
  }

  /**
   * Starts the office and `config.workers` server processes, and resolves when all of them listen.
   *
   * @throws TamisError, as `openService` does; CONFIG_INVALID when nobody can listen.
   */
  static async start(settings: SupervisorSettings): Promise<Supervisor & Started> {
    const { config, log, passedSockets } = settings
    const sockets = await listeningSockets(config, passedSockets)
    // Before anything is written there: it may be the folder of another user.
    const openToOthers = await openDataFolder(config.dataDir)
    if (openToOthers !== undefined) log.warn({}, openToOthers)
    const supervisor = new Supervisor(settings, sockets, await openWriter(config))
    try {
      // The office adds the first key.
      const started = await supervisor.#startPatiently(supervisor.#officeAt)
      const workers = Array.from({ length: config.workers }, (_, i) => i)
      const others = workers.filter((index) => index !== supervisor.#officeAt)
      await Promise.all(others.map((index) => supervisor.#startPatiently(index)))
      return Object.assign(supervisor, started)
    } catch (error) {
      await supervisor.close()
      throw error
    }
  }

  /**
   * Applies `next` in all processes, or in none.
   *
   * @throws TamisError CONFIG_INVALID, ARTIFACT_MISMATCH; NOT_READY when a process ends meanwhile.
   */
  reload(next: Config): Promise<void> {
    return this.#inTurn(async () => {
      const processes = this.#up()
      const config = this.#listeningAt(next)
      let prepared: readonly { readonly rules: number | undefined }[]
      try {
        prepared = await all(processes.map(({ calls }) => calls.call('prepare', config)))
      } catch (error) {
        for (const { calls } of processes) calls.tell('keep')
        throw error
      }
      const before = this.#config
      this.#config = withLiveOf(before, config)
      // One that ends meanwhile, or cannot, is replaced by one that starts with the new settings.
      const applied = processes.map((process) =>
        process.calls.call('reload').catch(() => process.kill()),
      )
      await Promise.all(applied)
      const rules = prepared.find((each) => each.rules !== undefined)?.rules
      this.#sayReloaded(before, config, rules)
    })
  }

  /** Lets all processes finish their requests, and resolves when they have ended and the store is closed. */
  async close(): Promise<void> {
    this.#closing = true
    for (const timer of this.#timers) clearInterval(timer)
    for (const pause of this.#pauses) clearTimeout(pause)
    // When the last process accepts no more, clients are refused and need not wait until it has ended.
    this.#sockets.close()
    const graceMs = TIMES.shutdownMs + CLOSE_MS_MAX
    const office = this.#processes.get('office')
    const others = [...this.#processes.values()].filter((process) => process !== office)
    await Promise.all(others.map((process) => end(process, graceMs)))
    // Requests in progress may have asked it.
    if (office !== undefined) await end(office, OFFICE_CLOSE_MS_MAX)
    await this.#writer?.writer.close()
  }

  /** What `process` may call. */
  callsOf(process: SupervisedProcess): SupervisorCalls {
    const others = () => this.#up().filter((other) => other !== process)
    return {
      beat: () => process.beat(),
      write: async (context, name, args) => {
        const written = await this.#writer!.writer.write(context, name, args)
        await this.#tellOthers(process, written.changes)
        return written
      },
      scrub: (step) => this.#writer!.writer.scrub(step),
      storeOpened: () => {
        this.#isStoreKnown = true
      },
      changed: (changes) => this.#tellOthers(process, changes),
      ask: async (topic, args, msMax) => {
        const answers = others().map(
          async (other) =>
            (await other.answer(topic, args, msMax)) ??
            (topic === METRICS.name ? this.#metrics.of(other) : undefined),
        )
        const ended = topic === METRICS.name ? [await this.#metrics.ended()] : []
        return [...(await Promise.all(answers)).filter((answer) => answer !== undefined), ...ended]
      },
      askOffice: async (topic, args, msMax) => {
        const office = this.#processes.get(this.#officeAt)
        return office?.isUp ? await office.answer(topic, args, msMax) : undefined
      },
      tellOthers: (topic, args) => {
        for (const { calls } of others()) calls.tell('answer', topic, args)
      },
    }
  }

  /** Starts a process, and again as long as the store is away that was there before. */
  async #startPatiently(role: Role): Promise<Started> {
    for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(2 * pauseMs, STORE_PAUSE_MS_MAX)) {
      try {
        return await this.#start(role)
      } catch (error) {
        if (!this.#isOutage(error)) throw error
        this.#settings.log.error(
          { process: role, err: error },
          'The store went away during the start, which is tried again',
        )
        await this.#pause(pauseMs)
      }
    }
  }

  #isOutage(error: unknown): boolean {
    const isAway = error instanceof TamisError && error.code === 'STORE_UNAVAILABLE'
    return this.#isStoreKnown && isAway
  }

  async #start(role: Role): Promise<Started> {
    const startedAt = performance.now()
    const isOffice = role === 'office'
    const module = isOffice ? 'office-process' : 'server-process'
    const fds = isOffice ? [] : this.#sockets.fds
    const process = new SupervisedProcess(module, fds, (own) => this.callsOf(own))
    this.#processes.set(role, process)
    const started = await process.start({
      config: this.#config,
      index: isOffice ? 0 : role,
      hasOffice: role === this.#officeAt,
      processes: this.#config.workers + Number(this.#officeAt === 'office'),
      sockets: fds.length,
      isNew: this.#writer?.isNew,
    })
    void process.ended.then(async (how) => {
      await this.#metrics.end(process)
      await this.#replace(role, how, performance.now() - startedAt)
    })
    return started
  }

  async #replace(role: Role, how: string, livedMs: number, pauseMs = PAUSE_MS_MIN) {
    if (this.#closing) return
    const { log, onFailure } = this.#settings
    log.error({ process: role, how }, 'A server process ended; another one is started')
    if (livedMs < LONG_LIFE_MS) await this.#pause(pauseMs)
    if (this.#closing) return
    try {
      await this.#inTurn(async () => {
        if (!this.#closing) await this.#start(role)
      })
    } catch (error) {
      if (this.#closing) return
      const isOutage = this.#isOutage(error)
      const isLast = this.#up().every((process) => process === this.#processes.get('office'))
      const longest = isOutage ? STORE_PAUSE_MS_MAX : PAUSE_MS_MAX
      if (isLast && !isOutage) onFailure(error)
      else void this.#replace(role, String(error), 0, Math.min(2 * pauseMs, longest))
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

  #endHeldUp(): void {
    const now = performance.now()
    // If this process has not run, the others may not have run either: the machine was asleep.
    const slept = now - this.#watchedAt > 2 * BEAT_MS
    this.#watchedAt = now
    // Until one has started, all may wait for a cold disk.
    const mayWaitForDisk = this.#up().length === 0
    for (const process of this.#processes.values()) {
      if (slept) process.beat()
      else if (process.isHeldUp && !mayWaitForDisk) {
        this.#settings.log.error(
          { pid: process.pid },
          'A server process does not respond; the supervisor ends it',
        )
        process.kill()
      }
    }
  }

  /** `config` with the address on which the service has listened since its start, unless it names another than then. */
  #listeningAt(config: Config): Config {
    const { host, port } = this.#settings.config
    return {
      ...config,
      ...(config.host === host && { host: this.#sockets.host }),
      ...(config.port === port && { port: this.#sockets.port }),
    }
  }

  /** Tells all but `own` what that one has changed; resolves when they know, or do not answer in time. */
  async #tellOthers(own: SupervisedProcess, changes: readonly Change[]): Promise<void> {
    if (changes.length === 0) return
    const others = [...this.#processes.values()].filter((process) => process !== own)
    await Promise.all(others.map((other) => other.tellChanges(changes)))
  }

  #up(): SupervisedProcess[] {
    return [...this.#processes.values()].filter((process) => process.isUp)
  }

  #sayReloaded(before: Config, next: Config, rules: number | undefined): void {
    const { log } = this.#settings
    log.level = next.logLevel
    const changed = changedSettings(before, next)
    log.info(
      {
        changed: changed.filter((name) => LIVE.includes(name)),
        ...(next.rules !== undefined && { rules }),
      },
      'Reloaded',
    )
    const later = changed.filter((name) => !LIVE.includes(name))
    if (later.length > 0) {
      log.warn({ settings: later }, 'These settings have changed and take effect at the next start')
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => {})
    return done
  }
}

/** Ends `process` within `graceMs`; at once while it starts. */
async function end(process: SupervisedProcess, graceMs: number): Promise<void> {
  if (!process.isUp) process.kill()
  await process.close(graceMs)
}

/** Waits for all of `promises`. @throws the first error. */
async function all<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return await Promise.all(promises)
}
