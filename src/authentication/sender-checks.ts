/**
 * How the service finds out who sent a message: from a trusted field on the thread that asks,
 * which costs next to nothing; by DNS on a thread of its own, since signatures take milliseconds
 * of CPU a message and the thread that answers HTTP has none to spare.
 */
import { Piscina } from 'piscina'
import { bodyOctets } from '../admission/body-octets.ts'
import type { MessageBody } from '../admission/message-body.ts'
import {
  type AuthenticatedSender,
  startAuthentication,
  UNKNOWN_AUTHENTICATION,
} from './sender-authentication.ts'
import type { VerifyTask, VerifyWorkerData } from './sender-checks-worker.ts'
import type { Delivery } from './verify.ts'

/** Time beyond its deadline after which a verification that still runs is ended, and its thread with it. */
const KILL_DELAY_MS = 2_000

/** Messages verified at once: nearly all of their time is waiting for DNS. More wait for their turn within their deadline. */
const CONCURRENCY = 256

export interface SenderChecksSettings {
  /** Hosts whose Authentication-Results count; none by default. */
  readonly authservIds: readonly string[]
  /** DNS servers to verify by, those of the machine for an empty list; undefined for no verification. */
  readonly dnsServers: readonly string[] | undefined
  /** Time for the verification of one message, in milliseconds. */
  readonly timeoutMs: number
}

export class SenderChecks {
  readonly #settings: SenderChecksSettings
  readonly #pool: Piscina<VerifyTask, AuthenticatedSender> | undefined

  private constructor(
    settings: SenderChecksSettings,
    pool: Piscina<VerifyTask, AuthenticatedSender> | undefined,
  ) {
    this.#settings = settings
    this.#pool = pool
  }

  /** Checks whose thread, where there is one, is up. */
  static async open(settings: SenderChecksSettings): Promise<SenderChecks> {
    const { dnsServers, timeoutMs } = settings
    if (dnsServers === undefined) return new SenderChecks(settings, undefined)
    const workerData: VerifyWorkerData = { dnsServers, timeoutMs }
    const pool = new Piscina<VerifyTask, AuthenticatedSender>({
      filename: workerModule().href,
      name: 'verify',
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: CONCURRENCY,
      workerData,
      recordTiming: false,
    })
    // The end of an idle thread: a new one takes its place.
    pool.on('error', () => {})
    await pool.run(undefined as never, { name: 'load' })
    return new SenderChecks(settings, pool)
  }

  /** Who sent the message in `body`, which is not handed on nor closed meanwhile. Never rejects. */
  async senderOf(body: MessageBody, delivery: Delivery): Promise<AuthenticatedSender> {
    const { authservIds, timeoutMs } = this.#settings
    const told = startAuthentication(bodyOctets(body), delivery, {
      authservIds,
      resolver: undefined,
      timeoutMs,
    })
    // Read at once, before the bytes go to a worker.
    const task = this.#pool === undefined ? undefined : verifyTask(body, delivery)
    const sender = await told.sender
    if (sender.result !== 'unknown' || task === undefined) return sender
    return await this.#verify(task)
  }

  async close(): Promise<void> {
    await this.#pool?.destroy()
  }

  async #verify(task: VerifyTask): Promise<AuthenticatedSender> {
    const signal = AbortSignal.timeout(this.#settings.timeoutMs + KILL_DELAY_MS)
    try {
      return await this.#pool!.run(task, { signal })
    } catch (error) {
      return { ...UNKNOWN_AUTHENTICATION, failure: error as Error }
    }
  }
}

/** With a copy of the bytes, since the message itself goes elsewhere. */
function verifyTask(body: MessageBody, delivery: Delivery): VerifyTask {
  if (body.kind === 'file') return { body, delivery }
  return { body: { kind: 'memory', bytes: new Uint8Array(body.bytes) }, delivery }
}

/** The worker beside this module, as source or compiled. */
function workerModule(): URL {
  const isSource = import.meta.url.endsWith('.ts')
  return new URL(
    isSource ? './sender-checks-worker.ts' : './sender-checks-worker.js',
    import.meta.url,
  )
}
