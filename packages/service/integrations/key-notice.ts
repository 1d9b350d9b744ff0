/**
 * Says why the service refuses a process beside it. The first key closes the service to processes
 * that run without one, and the operator who looks into their logs may not know of it.
 */
import { performance } from 'node:perf_hooks'
import type { Log } from '../http/log.ts'

/** Every message is refused until there is a key; one line a minute says it often enough. */
const EVERY_MS = 60_000

const TEXT =
  'Tamis requires an API key, but this process has none or an invalid one. Create one with `tamis keys add`, put it in TAMIS_API_KEY or the file of --key-file (TAMIS_KEY_FILE), and restart this process'

export class KeyNotice {
  readonly #log: Log
  #saidAt = Number.NEGATIVE_INFINITY

  constructor(log: Log) {
    this.#log = log
  }

  /** @param code of the service's answer to a request. */
  refused(code: string): void {
    const now = performance.now()
    if (code !== 'UNAUTHENTICATED' || now - this.#saidAt < EVERY_MS) return
    this.#saidAt = now
    this.#log.error({ code }, TEXT)
  }
}
