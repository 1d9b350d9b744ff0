/**
 * Whether a SQLite file is sound, on a thread of its own: a gigabyte takes seconds, and nobody waits for it. What is
 * malformed would otherwise show when it is needed: in the data of one user, perhaps, weeks later.
 */
import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { answerCalls } from '../threads/calls.ts'
import { isDamage } from './sqlite-damage.ts'

export type SqliteCheck = ReturnType<typeof sqliteCheck>

function sqliteCheck(file: string) {
  return {
    /** What is malformed first, in SQLite's words; undefined for a sound file, and for one that cannot be read now. */
    check: (): string | undefined => {
      try {
        const database = new DatabaseSync(file, { readOnly: true })
        try {
          const { quick_check } = database.prepare('pragma quick_check(1)').get()!
          return quick_check === 'ok' ? undefined : String(quick_check)
        } finally {
          database.close()
        }
      } catch (error) {
        const { errcode, message } = error as Error & { errcode?: number }
        return isDamage(errcode) ? message : undefined
      }
    },
  }
}

answerCalls(sqliteCheck(workerData as string))
