/**
 * The exit statuses of our processes: the numbers of sysexits.h, which mail software knows. docs/cli.md
 * has the table.
 */

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
  /** A setting is wrong, or Node is too old (EX_CONFIG); terminal/prerequisites.js has it too. */
  config: 78,
} as const
