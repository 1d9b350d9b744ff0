/** Log lines for a separate process, in the form of the service's: one JSON object per line. */
import { hostname } from 'node:os'
import type { LogSink } from './log-lines.ts'

/** The levels as pino numbers them. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const

/** Levels at which as much is written as at one of those, or nothing. */
const OTHER_LEVELS = { trace: 10, debug: 20, fatal: 60, silent: 70 } as const

export type LogLevel = keyof typeof LEVELS

type LeastLevel = LogLevel | keyof typeof OTHER_LEVELS

export const LOG_LEVELS = Object.keys(LEVELS) as readonly LogLevel[]

export class JsonLog {
  readonly #sink: LogSink
  #least: number
  readonly #common = { pid: process.pid, hostname: hostname() }

  /** @param least the lowest level that is written. */
  constructor(sink: LogSink, least: LeastLevel) {
    this.#sink = sink
    this.#least = numberOf(least)
  }

  /** The lowest level that is written from now on. */
  set level(least: LeastLevel) {
    this.#least = numberOf(least)
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
    const text = JSON.stringify(line, (_, value) =>
      value instanceof Error ? errorForLog(value) : value,
    )
    this.#sink.write(`${text}\n`)
  }
}

/** Keeps only these properties of an error: others may hold text of a message. */
export function errorForLog(error: Error & { code?: unknown }) {
  return {
    type: error.name,
    message: error.message,
    stack: error.stack ?? '',
    ...(error.code !== undefined && { code: String(error.code) }),
  }
}

function numberOf(level: LeastLevel): number {
  return { ...LEVELS, ...OTHER_LEVELS }[level]
}
