/** The log of every process: one JSON object per line. */
import { type LevelWithSilent, type Logger, pino } from 'pino'
import type { LogSink } from './log-lines.ts'

export type Log = Logger

/** Levels of the processes beside the service. */
export type LogLevel = 'info' | 'warn' | 'error'

export const LOG_LEVELS: readonly LogLevel[] = ['info', 'warn', 'error']

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
