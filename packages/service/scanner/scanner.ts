/**
 * The virus scanner as the service asks it, and how it is doing. The scan itself is made on the thread of the sender
 * checks (clamd.ts).
 *
 * Where it does not answer, verdicts are made without it, and say so. Tamis stops asking one that is silent for a while, so that
 * mail does not wait for it.
 */
import type { ScanFailure, ScanFinding } from '../../mail/verdict/evidence.ts'
import type { MessageBody } from '../admission/message-body.ts'
import type { Scanned } from './clamd.ts'

/** Messages without an answer in a row after which the scanner is given a rest. */
const UNANSWERED_MAX = 3

/** Rest of a scanner that does not answer, in milliseconds: short, because mail passes unscanned meanwhile. */
const REST_MS = 10_000

/** Shortest time between two log lines about the same failure, in milliseconds. */
const LOG_INTERVAL_MS = 60_000

export interface ScannerSettings {
  /** Scans a message, which it has to take before it first waits. Never rejects, and resolves by a deadline. */
  readonly scan: (body: MessageBody) => Promise<Scanned>
  readonly log: { warn(fields: object, text: string): void }
  /** A clock in milliseconds, for tests. */
  readonly now?: () => number
}

/** How the scanner is doing. */
export interface ScannerStatus {
  /** Whether it is being given a rest. */
  readonly resting: boolean
  /** Why the last message that it was asked about went without its answer; undefined when it got one. */
  readonly lastFailure: ScanFailure | undefined
}

export class Scanner {
  readonly #settings: ScannerSettings
  readonly #now: () => number
  readonly #loggedAt = new Map<ScanFailure, number>()
  #lastFailure: ScanFailure | undefined
  #unanswered = 0
  #restUntil = Number.NEGATIVE_INFINITY

  constructor(settings: ScannerSettings) {
    this.#settings = settings
    this.#now = settings.now ?? (() => performance.now())
  }

  status(): ScannerStatus {
    return { resting: this.#rests, lastFailure: this.#lastFailure }
  }

  /** What the scanner says of the message in `body`, whose bytes it takes at once. Never rejects. */
  async scan(body: MessageBody): Promise<ScanFinding> {
    if (this.#rests) return { signature: null, isPartial: false, failure: 'NO_ANSWER' }
    const { finding, cause } = await this.#settings.scan(body)
    this.#note(finding, cause)
    return finding
  }

  get #rests(): boolean {
    return this.#restUntil > this.#now()
  }

  #note({ failure }: ScanFinding, cause: string | undefined): void {
    this.#lastFailure = failure ?? undefined
    this.#unanswered = failure === 'NO_ANSWER' ? this.#unanswered + 1 : 0
    if (failure === null) return
    if (this.#unanswered >= UNANSWERED_MAX) this.#restUntil = this.#now() + REST_MS
    this.#logOnce(failure, cause)
  }

  #logOnce(reason: ScanFailure, cause: string | undefined): void {
    const now = this.#now()
    if (now - (this.#loggedAt.get(reason) ?? Number.NEGATIVE_INFINITY) < LOG_INTERVAL_MS) return
    this.#loggedAt.set(reason, now)
    this.#settings.log.warn(
      { reason, ...(cause !== undefined && { cause }) },
      'The virus scanner failed; verdicts are made without it (docs/scanner.md)',
    )
  }
}
