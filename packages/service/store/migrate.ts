/**
 * Brings the tables up to date when the store opens: numbered steps, each once, all in the
 * transaction that the caller has begun.
 *
 * Two processes that open an empty database at once are kept apart by a lock: SQLite's transaction
 * is one, PostgreSQL needs one that is there before any table is.
 */
import { sql } from 'kysely'
import { TamisError } from '../../errors/errors.ts'
import type { DatabaseKind, Queries } from './context.ts'
import { first } from './migrations/0001-first.ts'
import { indexes } from './migrations/0002-indexes.ts'
import { word } from './migrations/0004-word.ts'
import { messagesOfRules } from './migrations/0005-messages-of-rules.ts'
import { history } from './migrations/0006-history.ts'
import { tenantSettings } from './migrations/0007-tenant-settings.ts'
import { activeOfUser } from './migrations/0008-active-of-user.ts'
import { claimedDomain } from './migrations/0009-claimed-domain.ts'
import { correspondents } from './migrations/0010-correspondents.ts'
import { outcomes } from './migrations/0011-outcomes.ts'
import { limits } from './migrations/0012-limits.ts'
import { review } from './migrations/0013-review.ts'
import { weightedRules } from './migrations/0014-weighted-rules.ts'
import { actions } from './migrations/0015-actions.ts'
import { subjectWords } from './migrations/0016-subject-words.ts'

/** A step changes the tables from one version to the next. Once released it stays as it is. */
export type Migration = (db: Queries, kind: DatabaseKind) => Promise<void>

/** The first makes version 1 out of nothing. */
const MIGRATIONS: readonly Migration[] = [
  first,
  indexes,
  word,
  messagesOfRules,
  history,
  tenantSettings,
  activeOfUser,
  claimedDomain,
  correspondents,
  outcomes,
  limits,
  review,
  weightedRules,
  actions,
  subjectWords,
]

/** Version of the tables as this program has them. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** Any number, the same in every version: the advisory lock under which tables change. */
const LOCK = 8_025_001

/**
 * @returns whether there were no tables, so that this call has made the store.
 * @throws TamisError CONFIG_INVALID when the tables are of a version that is not known here.
 */
export async function migrate(db: Queries, kind: DatabaseKind): Promise<boolean> {
  if (kind === 'postgres') {
    await sql`set local statement_timeout = 0`.execute(db)
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(db)
  }
  await sql`
    create table if not exists schema_version (version integer primary key, applied_at bigint not null)
  `.execute(db)
  const version = await versionOf(db)
  if (version > MIGRATIONS.length) throw madeByNewer(version)
  for (const [step, migration] of MIGRATIONS.entries()) {
    if (step < version) continue
    await migration(db, kind)
    await db
      .insertInto('schema_version')
      .values({ version: step + 1, applied_at: Date.now() })
      .execute()
  }
  return version === 0
}

async function versionOf(db: Queries): Promise<number> {
  const { version } = await db
    .selectFrom('schema_version')
    .select((column) => column.fn.max('version').as('version'))
    .executeTakeFirstOrThrow()
  return version ?? 0
}

function madeByNewer(version: number): TamisError {
  return new TamisError(
    'CONFIG_INVALID',
    `The tables of the store have version ${version}, but this program knows only versions up to ${MIGRATIONS.length}: a newer version of Tamis has changed them. Run that version, or restore the backup made before the upgrade`,
  )
}
