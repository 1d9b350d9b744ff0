/**
 * Tells Tamis of messages that users send. No message waits for it: what Tamis does not take at once is
 * lost, and a line in the log says so once a minute.
 */
import { performance } from 'node:perf_hooks'
import { type TamisClient, TamisClientError } from '../../../client/client.ts'
import type { Told } from './submission.ts'

/** Messages that are being told of at once. More wait for a Tamis that does not answer. */
const AT_ONCE_MAX = 64

const WARNING_EVERY_MS = 60_000

export class SubmissionTeller {
  readonly #client: TamisClient
  readonly #log: { warn(fields: object, message: string): void }
  #inProgress = 0
  #lost = 0
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(client: TamisClient, log: { warn(fields: object, message: string): void }) {
    this.#client = client
    this.#log = log
  }

  /** Never throws, and does not wait. */
  tell({ userId, addresses, messageIds }: Told): void {
    if (this.#inProgress >= AT_ONCE_MAX) {
      this.#lose('QUEUE_FULL')
      return
    }
    this.#inProgress += 1
    const body = { userId, addresses: [...addresses], messageIds: [...messageIds] }
    this.#client
      .post('/personalization/correspondents', { body })
      .catch((error) => this.#lose(error instanceof TamisClientError ? error.code : 'INTERNAL'))
      .finally(() => {
        this.#inProgress -= 1
      })
  }

  #lose(code: string): void {
    this.#lost += 1
    const now = performance.now()
    if (now - this.#warnedAt < WARNING_EVERY_MS) return
    this.#warnedAt = now
    const why =
      code === 'SCOPE_MISSING'
        ? 'Tamis was not told whom users write to: the key of the milter needs the scope feedback, or set --correspondents off'
        : 'Tamis was not told whom users write to'
    this.#log.warn({ code, messages: this.#lost }, why)
    this.#lost = 0
  }
}
