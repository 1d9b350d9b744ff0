/**
 * The virus scanner as the service asks it, and how it is doing. The scan itself is made on the thread of the sender
 * checks (clamd.ts).
 *
 * Where it does not answer, verdicts are made without it, and say so. Tamis stops asking one that is silent for a while, so that
 * mail does not wait for it.
 */
import type { ScanFailure, ScanFinding } from '../../mail/verdict/evidence.ts'
import type { MessageBody } from '../admission/message-body.ts'
import { Health } from '../dns-lists/health.ts'
import { type Scanned, unscanned } from './clamd.ts'

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
  readonly #scan: ScannerSettings['scan']
  readonly #health: Health<ScanFailure>

  constructor({ scan, log, now }: ScannerSettings) {
    this.#scan = scan
    this.#health = new Health({
      restMs: REST_MS,
      logIntervalMs: LOG_INTERVAL_MS,
      log: (fields) =>
        log.warn(
          fields,
          'The virus scanner failed; verdicts are made without it (docs/scanner.md)',
        ),
      now,
    })
  }

  status(): ScannerStatus {
    return { resting: this.#health.rests, lastFailure: this.#health.lastFailure }
  }

  /** What the scanner says of the message in `body`, whose bytes it takes at once. Never rejects. */
  async scan(body: MessageBody): Promise<ScanFinding> {
    if (this.#health.rests) return unscanned('NO_ANSWER').finding
    const { finding, cause } = await this.#scan(body)
    const { failure } = finding
    const details = cause === undefined ? {} : { cause }
    this.#health.note(failure ?? undefined, failure === 'NO_ANSWER', details)
    return finding
  }
}
