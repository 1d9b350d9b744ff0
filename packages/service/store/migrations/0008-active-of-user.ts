/** Finds what holds of a user's corrections without reading those that were withdrawn. */
import { sql } from 'kysely'
import type { Queries } from '../context.ts'

export async function activeOfUser(db: Queries): Promise<void> {
  await sql`
    create index corrections_active_of_user on corrections (tenant, user_id, kind, seq)
      where ended_at is null
  `.execute(db)
}
