/**
 * Brings the tables up to date when the store opens. Kysely's migrator runs each migration once, under a lock: of two
 * processes that open an empty database at once, the second waits for the first.
 */
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { TamisError } from '../../errors/errors.ts'
import { initial } from './migrations/0001-initial.ts'
import type { DatabaseKind, Queries } from './tables.ts'

type MigrationUp = (db: Kysely<unknown>, kind: DatabaseKind) => Promise<void>

/** In the order of their names. Once released a migration stays as it is. */
const MIGRATIONS: Readonly<Record<string, MigrationUp>> = { '0001-initial': initial }

const [FIRST] = Object.keys(MIGRATIONS)

/** Version of the tables as this program has them: how many migrations made them. */
export const SCHEMA_VERSION = Object.keys(MIGRATIONS).length

/** What the migrator writes down. */
export const MIGRATIONS_TABLE = 'kysely_migration'

export interface OpenedStore {
  /** Whether there were no tables, so that this call has made the store. */
  readonly isNew: boolean
  /** See `Store.secret`. */
  readonly secret: Uint8Array
}

/**
 * @throws TamisError CONFIG_INVALID when the tables are of a version that is not known here.
 */
export async function migrate(db: Queries, kind: DatabaseKind): Promise<OpenedStore> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrationsFor(kind) },
    ...(kind === 'postgres' && { migrationTableSchema: await currentSchema(db) }),
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error !== undefined) {
    if (error instanceof Error && error.message.startsWith('corrupted migrations')) {
      throw madeByNewer(error)
    }
    throw error
  }
  const row = await db.selectFrom('installation').select('secret').executeTakeFirstOrThrow()
  return {
    isNew: results.some(({ migrationName }) => migrationName === FIRST),
    secret: new Uint8Array(row.secret),
  }
}

function migrationsFor(kind: DatabaseKind): Record<string, Migration> {
  const entries = Object.entries(MIGRATIONS).map(([name, up]): [string, Migration] => [
    name,
    { up: (db) => up(db, kind) },
  ])
  return Object.fromEntries(entries)
}

/** Without it the migrator would take tables of another schema for its own. */
async function currentSchema(db: Queries): Promise<string> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
  return rows[0]!.schema
}

function madeByNewer(cause: Error): TamisError {
  return new TamisError(
    'CONFIG_INVALID',
    'A newer version of Tamis has changed the tables of the store. Run that version, or restore the backup made before the upgrade',
    { cause },
  )
}
