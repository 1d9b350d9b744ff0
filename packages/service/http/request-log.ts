/**
 * The log of one request: the service's log, with the request's id in each line. Pino's own child
 * loggers serialize their bindings beforehand, which costs as much as the one line that most requests
 * write.
 */
import type { FastifyBaseLogger } from 'fastify'

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'

export class RequestLog {
  readonly #log: FastifyBaseLogger
  readonly #bindings: object

  constructor(log: FastifyBaseLogger, bindings: object) {
    this.#log = log
    this.#bindings = bindings
  }

  get level(): string {
    return this.#log.level
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

  child(bindings: object): FastifyBaseLogger {
    return new RequestLog(this.#log, { ...this.#bindings, ...bindings })
  }

  /** `fields` as pino takes them: an object, an error, or the message alone. */
  #write(level: Level, fields: unknown, message: string | undefined): void {
    if (typeof fields === 'string') this.#log[level](this.#bindings, fields)
    else if (fields instanceof Error) this.#log[level]({ ...this.#bindings, err: fields }, message)
    else this.#log[level]({ ...this.#bindings, ...(fields as object) }, message)
  }
}
