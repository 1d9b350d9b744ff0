/** Log lines for a separate process, in the form of the service's: one JSON object per line. */
import { hostname } from 'node:os'
import type { LogSink } from '../http/log-lines.ts'

/** The levels as pino numbers them. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const

export type LogLevel = keyof typeof LEVELS

export const LOG_LEVELS = Object.keys(LEVELS) as readonly LogLevel[]

export class JsonLog {
  readonly #sink: LogSink
  readonly #least: number
  readonly #common = { pid: process.pid, hostname: hostname() }

  /** @param least the lowest level that is written. */
  constructor(sink: LogSink, least: LogLevel) {
    this.#sink = sink
    this.#least = LEVELS[least]
  }

  info(fields: object, msg: string): void {
    this.#write('info', fields, msg)
  }

  warn(fields: object, msg: string): void {
    this.#write('warn', fields, msg)
  }

  error(fields: object, msg: string): void {
    this.#write('error', fields, msg)
  }

  #write(level: LogLevel, fields: object, msg: string): void {
    if (LEVELS[level] < this.#least) return
    const line = { level: LEVELS[level], time: Date.now(), ...this.#common, ...fields, msg }
    this.#sink.write(`${JSON.stringify(line)}\n`)
  }
}
