/** How a failed command ends: with a line on standard error, and a status from sysexits.h. */
import { CommanderError } from 'commander'
import { type ClientErrorCode, TamisClientError } from '../client/client-error.ts'
import { ERRORS, TamisError } from '../errors/errors.ts'
import { EXIT } from '../errors/exit-status.ts'
import { systemFault } from './system-fault.ts'

/** The codes that the client adds to those of the service. */
const EXIT_BY_CLIENT_CODE: Readonly<Record<string, number>> = {
  TIMEOUT: EXIT.later,
  UNREACHABLE: EXIT.unavailable,
  ANSWER_INVALID: EXIT.protocol,
}

/** What the user of a command can do about an error of the service, which speaks of HTTP. */
const HINTS: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: '. Put the key into TAMIS_API_KEY, or name a file that has it with --key-file',
}

/** System calls whose failure means that something could not be written. */
const WRITING_CALLS = ['mkdir', 'mkdtemp', 'write', 'rename', 'unlink', 'rm', 'fsync', 'ftruncate']

export interface Failure {
  /** The text for standard error; undefined when it has been printed already. */
  readonly text: string | undefined
  readonly status: number
}

/** How to report `error`; undefined for an unexpected error, which is shown in full. */
export function failureOf(error: unknown): Failure | undefined {
  // Commander has printed its text already, and --help is not a failure.
  if (error instanceof CommanderError) {
    return { text: undefined, status: error.exitCode === 0 ? EXIT.done : EXIT.usage }
  }
  if (error instanceof TamisError || error instanceof TamisClientError) {
    const hint = error instanceof TamisClientError ? (HINTS[error.code] ?? '') : ''
    return { text: `${error.message}${hint} (${error.code})`, status: statusOf(error.code) }
  }
  if (!isSystemError(error)) return undefined
  const isWriting = WRITING_CALLS.includes(error.syscall)
  const text =
    error.path === undefined
      ? error.message
      : `Cannot ${isWriting ? 'write' : 'read'} ${error.path}: ${systemFault(error)}`
  return { text, status: isWriting ? EXIT.cannotCreate : EXIT.noInput }
}

/** The status for a code. A service newer than this command may have codes that are not known here. */
export function statusOf(code: ClientErrorCode): number {
  const known: Readonly<Record<string, { readonly exit: number }>> = ERRORS
  return known[code]?.exit ?? EXIT_BY_CLIENT_CODE[code] ?? EXIT.protocol
}

/** True for an error such as a missing file or an unreadable folder. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException & { syscall: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error
}
