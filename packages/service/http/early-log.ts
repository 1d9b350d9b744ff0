/** Keeps the log lines of everything that starts before the server and its log exist. */

type Level = 'info' | 'warn' | 'error'

type Log = Readonly<Record<Level, (fields: object, message: string) => void>>

export class EarlyLog implements Log {
  readonly #kept: [level: Level, fields: object, message: string][] = []
  #log: Log | undefined

  info(fields: object, message: string): void {
    this.#write('info', fields, message)
  }

  warn(fields: object, message: string): void {
    this.#write('warn', fields, message)
  }

  error(fields: object, message: string): void {
    this.#write('error', fields, message)
  }

  /** Writes the kept lines to `log`, and all later ones. */
  goTo(log: Log): void {
    this.#log = log
    for (const [level, fields, message] of this.#kept.splice(0)) log[level](fields, message)
  }

  #write(level: Level, fields: object, message: string): void {
    if (this.#log === undefined) this.#kept.push([level, fields, message])
    else this.#log[level](fields, message)
  }
}
