/** Primary result codes that say that a file is malformed: CORRUPT, NOTADB (sqlite.org/rescode.html). */
const DAMAGE: readonly number[] = [11, 26]

/** Whether SQLite's `errcode` says that the file is malformed, which does not pass by itself. */
export function isDamage(errcode: number | undefined): boolean {
  // The low byte is the primary code, what is above it tells more.
  return errcode !== undefined && DAMAGE.includes(errcode & 0xff)
}
