/**
 * The exit statuses of our processes: the numbers of sysexits.h, which mail software knows, and the one
 * for each error code. docs/cli.md has the table; a test keeps the two in step.
 */
import type { ErrorCode } from '../mail/errors.ts'

export const EXIT = {
  /** Done. `classify`: no message was spam. */
  done: 0,
  /** `classify`: at least one message was spam. */
  spam: 1,
  /** Some of the inputs could not be processed; the others were. */
  partly: 2,
  /** The command line is wrong (EX_USAGE). */
  usage: 64,
  /** The input is not valid (EX_DATAERR). */
  data: 65,
  /** A file does not exist, or may not be read (EX_NOINPUT). */
  noInput: 66,
  /** The service does not answer (EX_UNAVAILABLE). */
  unavailable: 69,
  /** A bug in Tamis (EX_SOFTWARE). */
  internal: 70,
  /** A file or folder cannot be written (EX_CANTCREAT). */
  cannotCreate: 73,
  /** Try again later (EX_TEMPFAIL). */
  later: 75,
  /** The answer is not that of a service of this version (EX_PROTOCOL). */
  protocol: 76,
  /** The key is missing, unknown, or lacks the scope (EX_NOPERM). */
  refused: 77,
  /** A setting is wrong, or Node is too old (EX_CONFIG); prerequisites.js has it too. */
  config: 78,
} as const

/** The exit status for each error code. */
export const EXIT_BY_CODE: Readonly<Record<ErrorCode, number>> = {
  NOT_A_MESSAGE: EXIT.data,
  HEADER_INVALID: EXIT.data,
  FIELD_INVALID: EXIT.data,
  MESSAGE_TOO_LARGE: EXIT.data,
  RULES_FULL: EXIT.data,
  RULE_CONTRADICTS: EXIT.data,
  NOT_FOUND: EXIT.data,
  CORPUS_INVALID: EXIT.data,
  PATH_NOT_READABLE: EXIT.noInput,
  INTERNAL: EXIT.internal,
  QUEUE_FULL: EXIT.later,
  QUEUE_TIMEOUT: EXIT.later,
  BUFFERS_FULL: EXIT.later,
  NOT_READY: EXIT.later,
  STORE_UNAVAILABLE: EXIT.later,
  SHUTTING_DOWN: EXIT.later,
  RATE_LIMITED: EXIT.later,
  REQUEST_TIMEOUT: EXIT.later,
  PATH_FORMS_DISABLED: EXIT.protocol,
  CONTENT_TYPE_UNSUPPORTED: EXIT.protocol,
  BODY_TRUNCATED: EXIT.protocol,
  REQUEST_ABANDONED: EXIT.protocol,
  REQUEST_MALFORMED: EXIT.protocol,
  REQUEST_HEADER_TOO_LARGE: EXIT.protocol,
  PATH_UNKNOWN: EXIT.protocol,
  METHOD_NOT_ALLOWED: EXIT.protocol,
  ORIGIN_FORBIDDEN: EXIT.refused,
  UNAUTHENTICATED: EXIT.refused,
  SCOPE_MISSING: EXIT.refused,
  NOT_ENTITLED: EXIT.refused,
  CONFIG_INVALID: EXIT.config,
  ARTIFACT_MISMATCH: EXIT.config,
  HISTORY_OFF: EXIT.config,
}
