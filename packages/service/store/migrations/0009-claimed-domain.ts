/** The domain that a corrected message claims in From without proof, so that a user's corrections can be told apart. Older ones have none. */
import { sql } from 'kysely'
import type { DatabaseKind, Queries } from '../context.ts'

const TEXT = { sqlite: 'text', postgres: 'text collate "C"' } as const

export async function claimedDomain(db: Queries, kind: DatabaseKind): Promise<void> {
  await sql.raw(`alter table corrections add column claimed_domain ${TEXT[kind]}`).execute(db)
}
