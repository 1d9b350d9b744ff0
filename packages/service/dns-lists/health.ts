/**
 * How somebody who is asked about messages is doing, a DNS list or the virus scanner: who keeps silent or refuses is given a
 * rest, so that mail does not wait for it, and each kind of failure is logged once in a while.
 */

/** Messages in a row without an answer after which a rest is given. */
const UNANSWERED_MAX = 3

interface HealthSettings<Failure extends string> {
  /** Rest after silence, in milliseconds. */
  readonly restMs: number
  /** Least time between two log lines about the same failure, in milliseconds. */
  readonly logIntervalMs: number
  readonly log: (fields: { readonly reason: Failure }) => void
  /** A clock in milliseconds, for tests. */
  readonly now?: (() => number) | undefined
}

export class Health<Failure extends string> {
  readonly #settings: HealthSettings<Failure>
  readonly #now: () => number
  readonly #loggedAt = new Map<Failure, number>()
  #unanswered = 0
  #restUntil = Number.NEGATIVE_INFINITY
  /** Why the last message went without an answer; undefined when it got one. */
  lastFailure: Failure | undefined

  constructor(settings: HealthSettings<Failure>) {
    this.#settings = settings
    this.#now = settings.now ?? (() => performance.now())
  }

  get rests(): boolean {
    return this.#restUntil > this.#now()
  }

  /** Keeps how it did for a message. `restMs` is the rest of one that asks to be left alone. */
  note(failure: Failure | undefined, isSilent: boolean, details: object = {}, restMs = 0): void {
    const now = this.#now()
    const { logIntervalMs } = this.#settings
    this.lastFailure = failure
    this.#unanswered = isSilent ? this.#unanswered + 1 : 0
    if (failure === undefined) return
    if (restMs > 0) this.#restUntil = now + restMs
    else if (this.#unanswered >= UNANSWERED_MAX) this.#restUntil = now + this.#settings.restMs
    if (now - (this.#loggedAt.get(failure) ?? Number.NEGATIVE_INFINITY) < logIntervalMs) return
    this.#loggedAt.set(failure, now)
    this.#settings.log({ reason: failure, ...details })
  }
}
