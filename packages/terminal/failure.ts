/** How a command that could not be done ends: a line on standard error, and a status of sysexits.h. */
import { CommanderError } from 'commander'
import { type ClientErrorCode, TamisClientError } from '../client/client.ts'
import { TamisError } from '../mail/errors.ts'
import { EXIT, EXIT_BY_CODE } from './exit-status.ts'

/** What the client adds to the codes of the service. */
const EXIT_BY_CLIENT_CODE: Readonly<Record<string, number>> = {
  TIMEOUT: EXIT.later,
  UNREACHABLE: EXIT.unavailable,
  ANSWER_INVALID: EXIT.protocol,
}

/** System calls that fail where something was to be written. */
const WRITING_CALLS = ['mkdir', 'mkdtemp', 'write', 'rename', 'unlink', 'rm', 'fsync', 'ftruncate']

export interface Failure {
  /** For standard error; undefined where it has been said already. */
  readonly text: string | undefined
  readonly status: number
}

/** Undefined for an error that nobody expected: it is to be seen whole. */
export function failureOf(error: unknown): Failure | undefined {
  // Commander has written its text, and that of --help is no failure.
  if (error instanceof CommanderError) {
    return { text: undefined, status: error.exitCode === 0 ? EXIT.done : EXIT.usage }
  }
  if (error instanceof TamisError || error instanceof TamisClientError) {
    return { text: `${error.message} (${error.code})`, status: statusOf(error.code) }
  }
  if (!isSystemError(error)) return undefined
  const status = WRITING_CALLS.includes(error.syscall) ? EXIT.cannotCreate : EXIT.noInput
  return { text: error.message, status }
}

/** A service newer than this command may have codes that are not known here. */
export function statusOf(code: ClientErrorCode): number {
  const known: Readonly<Record<string, number>> = { ...EXIT_BY_CLIENT_CODE, ...EXIT_BY_CODE }
  return known[code] ?? EXIT.protocol
}

/** A file that is not there, a folder that may not be read: the text says which. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException & { syscall: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error
}
