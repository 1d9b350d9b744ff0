/**
 * Tells the history of Tamis what was done with messages. No message waits for it: what Tamis does not take is
 * lost, and a line in the log says so once a minute.
 *
 * The entry of a message is written a second after its verdict, maybe by another process, so what was done is told
 * later still.
 */
import { performance } from 'node:perf_hooks'
import { type TamisClient, TamisClientError, type ToldAction } from '../../client/client.ts'

/** How long a message is kept back: twice as long as its entry waits. */
const DELAY_MS = 2_000

/** How often those that are due are told, together. */
const EVERY_MS = 500

/** Messages told of in one request; the service takes no more. */
const TOGETHER_MAX = 100

/** Messages that wait: twenty seconds of 500 a second, some 2 MB. */
const WAITING_MAX = 10_000

const WARNING_EVERY_MS = 60_000

interface Waiting extends ToldAction {
  readonly dueAt: number
}

export class ActionTeller {
  readonly #client: Pick<TamisClient, 'recordActions'>
  readonly #log: { warn(fields: object, message: string): void }
  readonly #timer: NodeJS.Timeout
  /** In the order in which they are due. */
  #waiting: Waiting[] = []
  #telling: Promise<void> = Promise.resolve()
  #lost = 0
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(
    client: Pick<TamisClient, 'recordActions'>,
    log: { warn(fields: object, message: string): void },
  ) {
    this.#client = client
    this.#log = log
    this.#timer = setInterval(() => this.#tellDue(performance.now()), EVERY_MS).unref()
  }

  /** Never throws, and does not wait. */
  tell({ reference, action }: ToldAction): void {
    if (this.#waiting.length >= WAITING_MAX) this.#lose(1, 'QUEUE_FULL')
    else this.#waiting.push({ reference, action, dueAt: performance.now() + DELAY_MS })
  }

  /** Tells what is left, early: of the last messages there may be no entry yet. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#tellDue(Number.POSITIVE_INFINITY)
    await this.#telling
  }

  #tellDue(now: number): void {
    const first = this.#waiting.findIndex(({ dueAt }) => dueAt > now)
    const due = this.#waiting.splice(0, first < 0 ? this.#waiting.length : first)
    if (due.length > 0) this.#telling = this.#telling.then(() => this.#tellAll(due))
  }

  /** Never rejects. */
  async #tellAll(due: readonly Waiting[]): Promise<void> {
    for (let at = 0; at < due.length; at += TOGETHER_MAX) {
      const together = due.slice(at, at + TOGETHER_MAX)
      const actions = together.map(({ reference, action }) => ({ reference, action }))
      try {
        await this.#client.recordActions(actions)
      } catch (error) {
        this.#lose(actions.length, error instanceof TamisClientError ? error.code : 'INTERNAL')
      }
    }
  }

  #lose(messages: number, code: string): void {
    this.#lost += messages
    const now = performance.now()
    if (now - this.#warnedAt < WARNING_EVERY_MS) return
    this.#warnedAt = now
    this.#log.warn(
      { code, messages: this.#lost },
      'The history was not told what was done with messages',
    )
    this.#lost = 0
  }
}
