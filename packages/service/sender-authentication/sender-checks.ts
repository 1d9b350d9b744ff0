/**
 * How the service finds out who sent a message: from a trusted field on the calling thread; by DNS on another thread, since
 * signatures take milliseconds of CPU. That thread, one for the process, also looks up DNS lists and has messages scanned.
 */
import { hash } from 'node:crypto'
import type { NetConnectOpts } from 'node:net'
import { moduleBeside } from '../../mail/module-beside.ts'
import { bodyOctets, type MessageBody } from '../admission/message-body.ts'
import { type DnsAnswer, DnsLists, type DnsListsSettings } from '../dns-lists/dns-lists.ts'
import { type Scanned, unscanned } from '../scanner/clamd.ts'
import { Scanner, type ScannerSettings } from '../scanner/scanner.ts'
import { steadyNow } from '../threads/calls.ts'
import { ALONE_SHARED, type Callable, type Shared } from '../threads/shared.ts'
import {
  type AuthenticatedSender,
  trustedSender,
  UNKNOWN_AUTHENTICATION,
} from './sender-authentication.ts'
import type { VerifyCalls, VerifyTask, VerifyThreadData } from './sender-checks-in-thread.ts'
import { allMethods, type Delivery } from './verify.ts'

/** Added to the deadline for the way to the thread and back; after that nothing waits for the answer. */
const GRACE_MS = 250

/** Time after a deadline at which the thread counts as stuck over a message, and is ended. */
const STUCK_MS = 5_000

/** Heap of the thread, in MiB, for a thousand messages (sender-checks-in-thread.ts), each of which needs a bounded amount (verify.ts). */
const HEAP = { maxOldGenerationSizeMb: 512 }

export interface SenderChecksSettings {
  /** Hosts whose Authentication-Results count; none by default. */
  readonly authservIds: readonly string[]
  /** DNS servers to verify with, those of the machine for an empty list; undefined for no verification. */
  readonly dnsServers: readonly string[] | undefined
  /** Whether senders are to be verified as soon as a DNS server answers: `dnsServers` is undefined until then. */
  readonly waitsForDns?: boolean
  /** Time for the verification of one message, and again for its lists, in milliseconds. */
  readonly timeoutMs: number
  /** The DNS lists, with the servers to ask; undefined when there are none. */
  readonly lists?: ListsAsked | undefined
  /** The virus scanner; undefined when there is none. */
  readonly clamd?: ClamdAsked | undefined
  /** Gives the shared thread; by default these checks have one of their own. */
  readonly shared?: Shared | undefined
}

export interface ClamdAsked extends Pick<ScannerSettings, 'log'> {
  readonly address: NetConnectOpts
  /** Time for the scan of one message, in milliseconds, with the wait for a place. */
  readonly timeoutMs: number
}

export interface ListsAsked extends Pick<DnsListsSettings, 'lists' | 'log'> {
  /** Empty for those of the machine. */
  readonly servers: readonly string[]
}

export class SenderChecks {
  readonly #settings: SenderChecksSettings
  /** Asks the DNS lists; undefined when there are none. */
  readonly lists: DnsLists | undefined
  /** Has messages scanned; undefined when there is no scanner. */
  readonly scanner: Scanner | undefined
  /** Undefined when nobody is asked, and once closed. */
  #thread: Callable<VerifyCalls> | undefined

  private constructor(settings: SenderChecksSettings, thread: Callable<VerifyCalls> | undefined) {
    this.#settings = settings
    this.#thread = thread
    this.lists =
      settings.lists && new DnsLists({ ...settings.lists, lookUp: (names) => this.#lookUp(names) })
    this.scanner =
      settings.clamd &&
      new Scanner({ log: settings.clamd.log, scan: this.#scanBy(settings.clamd.timeoutMs) })
  }

  /** Opens the checks; their thread, if there is one, is up. */
  static async open(settings: SenderChecksSettings): Promise<SenderChecks> {
    const { dnsServers, timeoutMs, lists, clamd, shared = ALONE_SHARED } = settings
    if (dnsServers === undefined && lists === undefined && clamd === undefined) {
      return new SenderChecks(settings, undefined)
    }
    // Half, so that a silent server leaves time for others, and its questions end soon after their message.
    const workerData: VerifyThreadData = {
      authservIds: settings.authservIds,
      dnsServers,
      listServers: lists?.servers,
      queryTimeoutMs: Math.ceil(timeoutMs / 2),
      clamd: clamd?.address,
    }
    const name = `sender checks ${hash('sha256', JSON.stringify(workerData))}`
    const thread = shared.thread<VerifyCalls>(name, {
      module: moduleBeside(import.meta.url, 'sender-checks-in-thread'),
      workerData,
      resourceLimits: HEAP,
      endedBy: (cause) => new Error('The thread that checks senders ended', { cause }),
    })
    try {
      await thread.call('ready')
      return new SenderChecks(settings, thread)
    } catch (error) {
      await thread.close()
      throw error
    }
  }

  /** Whether senders are checked by DNS. */
  get asksDns(): boolean {
    return this.#settings.dnsServers !== undefined
  }

  /** Whether senders are not checked only because no DNS server answers yet. */
  get waitsForDns(): boolean {
    return this.#settings.waitsForDns === true
  }

  /** Who sent the message in `body`, which must not be handed over or closed meanwhile. Never rejects. */
  async senderOf(body: MessageBody, delivery: Delivery): Promise<AuthenticatedSender> {
    const { authservIds, dnsServers, timeoutMs } = this.#settings
    try {
      // Read at once, before its bytes may go to another thread.
      const sender = trustedSender(bodyOctets(body), delivery, authservIds)
      if (sender.result !== 'unknown' || dnsServers === undefined) return sender
      return await this.#verify({ body, delivery, deadline: steadyNow() + timeoutMs })
    } catch (error) {
      return { ...UNKNOWN_AUTHENTICATION, failure: error as Error }
    }
  }

  /** Closes the checks at once: what is pending gets the answers of closed checks. */
  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.close()
  }

  /** Resolves by the deadline, whatever happens to the thread. */
  async #verify(task: VerifyTask): Promise<AuthenticatedSender> {
    const thread = this.#thread
    if (thread === undefined) return UNKNOWN_AUTHENTICATION
    // A verification that is not stuck ends by its deadline.
    const stuckMs = task.deadline - steadyNow() + STUCK_MS
    const stuckTimer = setTimeout(() => void thread.end(), stuckMs).unref()
    // The call copies bytes in memory before it first waits: the message itself is analysed meanwhile.
    const answer = thread.call('verify', task).finally(() => clearTimeout(stuckTimer))
    return (await byDeadline(answer, task.deadline)) ?? TIMED_OUT
  }

  /** The addresses of each name. Never rejects, and resolves by the deadline, whatever happens to the thread. */
  async #lookUp(names: readonly string[]): Promise<readonly DnsAnswer[]> {
    const deadline = steadyNow() + this.#settings.timeoutMs
    try {
      const answer = this.#thread?.call('lookUp', { names, deadline })
      return (await byDeadline(answer, deadline)) ?? []
    } catch {
      // The thread has ended; its next call starts another.
      return []
    }
  }

  /**
   * A scan of at most `timeoutMs`, whatever happens to the thread. Never rejects. The call copies bytes in memory before it first
   * waits, so that the message can be analysed meanwhile.
   */
  #scanBy(timeoutMs: number): ScannerSettings['scan'] {
    return async (body) => {
      const deadline = steadyNow() + timeoutMs
      try {
        return (await byDeadline(this.#thread?.call('scan', { body, deadline }), deadline)) ?? LATE
      } catch {
        // The thread has ended; its next call starts another.
        return LATE
      }
    }
  }
}

/** The answer when the scanner gave none in time. */
const LATE: Scanned = unscanned('NO_ANSWER')

/** `answer`; undefined when it is not there by `deadline` and a time of grace. */
async function byDeadline<Value>(
  answer: Promise<Value> | undefined,
  deadline: number,
): Promise<Value | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, deadline - steadyNow() + GRACE_MS, undefined)
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
    // Nobody waits for a later answer.
    answer?.catch(() => {})
  }
}

/** The answer when nothing was known in time. */
const TIMED_OUT: AuthenticatedSender = {
  result: 'unknown',
  details: { ...allMethods('temperror'), source: 'verified' },
  finding: { result: 'unknown' },
}
