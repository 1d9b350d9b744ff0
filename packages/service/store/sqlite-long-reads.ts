/** Long reads of a SQLite file, and the check of it, which may take seconds: no other thread waits for them. */
import { asStoreError, damageOf, openDatabase, type SqliteSettings } from './sqlite-file.ts'
import type { Queries } from './tables.ts'

export type LongReadName = keyof typeof import('./long-reads.ts')

type LongReads = Readonly<
  Record<LongReadName, (db: Queries, ...args: readonly unknown[]) => Promise<unknown>>
>

export type SqliteLongReads = ReturnType<typeof sqliteLongReads>

export function sqliteLongReads(settings: SqliteSettings) {
  const opening = () =>
    import('./sqlite-connection.ts').then((module) => new module.SqliteConnection(settings))
  let connection: ReturnType<typeof opening> | undefined
  let checked: { readonly damage: string | undefined } | undefined
  return {
    read: async (name: LongReadName, args: readonly unknown[]): Promise<unknown> => {
      connection ??= opening()
      const { db } = await connection
      const longReads = (await import('./long-reads.ts')) as unknown as LongReads
      return await longReads[name](db, ...args)
    },
    /**
     * What is malformed first, in SQLite's words, which would otherwise show when it is needed, weeks later perhaps; undefined
     * for a sound file, and for one that cannot be read now. It is looked for once: what became malformed since shows when it is read.
     */
    check: (): string | undefined => {
      checked ??= { damage: check(settings) }
      return checked.damage
    },
    close: async () => (await connection)?.close(),
  }
}

function check(settings: SqliteSettings): string | undefined {
  try {
    const database = openDatabase(settings)
    try {
      const { quick_check } = asStoreError(() => database.prepare('pragma quick_check(1)').get()!)
      return quick_check === 'ok' ? undefined : String(quick_check)
    } finally {
      database.close()
    }
  } catch (error) {
    return damageOf(error)
  }
}
