/** The log of every process: one JSON object per line, as pino writes it. */
import { hostname } from 'node:os'
import type { LogSink } from './log-lines.ts'

/** The levels as pino numbers them. */
const LEVELS = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: 70,
} as const

type Level = keyof typeof LEVELS

/** What each line says of its process. */
const PROCESS = { pid: process.pid, hostname: hostname() }

/** Levels of the processes beside the service. */
export type LogLevel = 'info' | 'warn' | 'error'

export const LOG_LEVELS: readonly LogLevel[] = ['info', 'warn', 'error']

export class JsonLog {
  /** Shared with the children: where lines go, and the lowest level that is written. */
  #output: { readonly sink: LogSink; level: Level }
  #bindings: object = PROCESS

  constructor(sink: LogSink, level: Level) {
    this.#output = { sink, level }
  }

  get level(): Level {
    return this.#output.level
  }

  /** Of this log, its parent and its children. */
  set level(level: Level) {
    this.#output.level = level
  }

  /** The same log, with `bindings` in each line: the request's id. */
  child(bindings: object): JsonLog {
    const child = new JsonLog(this.#output.sink, this.level)
    child.#output = this.#output
    child.#bindings = { ...this.#bindings, ...bindings }
    return child
  }

  trace(fields: unknown, message?: string): void {
    this.#write('trace', fields, message)
  }

  debug(fields: unknown, message?: string): void {
    this.#write('debug', fields, message)
  }

  info(fields: unknown, message?: string): void {
    this.#write('info', fields, message)
  }

  warn(fields: unknown, message?: string): void {
    this.#write('warn', fields, message)
  }

  error(fields: unknown, message?: string): void {
    this.#write('error', fields, message)
  }

  fatal(fields: unknown, message?: string): void {
    this.#write('fatal', fields, message)
  }

  silent(): void {}

  /** `fields` as pino takes them: an object, an error, or the message alone. */
  #write(level: Level, fields: unknown, message?: string): void {
    const { sink, level: least } = this.#output
    if (LEVELS[level] < LEVELS[least]) return
    const own = ownFields(fields)
    const line = {
      level: LEVELS[level],
      time: Date.now(),
      ...this.#bindings,
      ...own,
      ...(own.err instanceof Error && { err: errorForLog(own.err) }),
      msg: message ?? own.msg ?? own.err?.message,
    }
    sink.write(`${JSON.stringify(line)}\n`)
  }
}

function ownFields(fields: unknown): { readonly msg?: string; readonly err?: Partial<Error> } {
  if (typeof fields === 'string') return { msg: fields }
  return fields instanceof Error ? { err: fields } : (fields as object)
}

/** Keeps only these properties of an error: others may hold text of a message. */
function errorForLog(error: Error & { code?: unknown }) {
  return {
    type: error.name,
    message: error.message,
    stack: error.stack ?? '',
    ...(error.code !== undefined && { code: String(error.code) }),
  }
}
