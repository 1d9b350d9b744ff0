/** What a server process may call in its supervisor. */
import type { Change } from '../store/change.ts'
import type { SqliteWriter } from '../store/sqlite-writer.ts'

export type SupervisorCalls = Pick<SqliteWriter, 'write' | 'scrub'> & {
  /** It is not held up. */
  beat(): void
  /** Resolves when the other processes know of what it has changed. */
  changed(changes: readonly Change[]): Promise<void>
  /** What the other processes answer, and those that have ended, as far as that is kept. */
  ask(topic: string, args: readonly unknown[], msMax: number): Promise<unknown[]>
  /** What the process with the office answers; undefined while it is not up. */
  askOffice(topic: string, args: readonly unknown[], msMax: number): Promise<unknown>
  tellOthers(topic: string, args: readonly unknown[]): void
}
