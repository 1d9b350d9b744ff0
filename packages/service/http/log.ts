/** The log of every process: one JSON object per line. */
import { type LevelWithSilent, type Logger, pino } from 'pino'

export type Log = Logger

/** Not the sink itself: past process.stdout pino would write to its descriptor, and wait while a pipe is full. */
export function openLog(sink: LogSink, level: LevelWithSilent): Log {
  return pino({ level, serializers: { err: errorForLog } }, { write: (line) => sink.write(line) })
}

/** Keeps only these properties of an error: others may hold text of a message. */
function errorForLog(error: unknown) {
  if (!(error instanceof Error)) return error
  const { name: type, message, stack = '', code } = error as NodeJS.ErrnoException
  return { type, message, stack, ...(code !== undefined && { code: String(code) }) }
}

/** How long a line may wait, in milliseconds. A person who watches does not notice. */
const WAIT_MS_MAX = 200

/** The most bytes of a write, unless a single line is longer: PIPE_BUF on Linux (pipe(7)), some ten lines. */
const WRITE_BYTES_MAX = 4_096

export interface LogSink {
  write(lines: string): void
}

/**
 * Writes log lines a few at a time: each single line would cost a system call, and with it a sixth of
 * what this thread spends on a request (60 of 350 microseconds, measured).
 *
 * Several threads, and processes, write to one pipe or file, so a write is of whole lines and no longer than what the
 * system takes in one piece: no line tears another.
 * All is passed on to `sink` at the latest at the end of the process.
 */
export class LogLines implements LogSink {
  readonly #sink: LogSink
  /** Whole lines. */
  #waiting = ''
  #waitingBytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(sink: LogSink) {
    this.#sink = sink
    process.on('exit', () => this.flush())
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (this.#waitingBytes + bytes > WRITE_BYTES_MAX) this.flush()
    this.#waiting += line
    this.#waitingBytes += bytes
    this.#timer ??= setTimeout(() => this.flush(), WAIT_MS_MAX).unref()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting === '') return
    this.#sink.write(this.#waiting)
    this.#waiting = ''
    this.#waitingBytes = 0
  }
}
