/** Operations about the installation: its secret, and the removal of rows that it keeps only for a while. */
import { deleteChanges } from './changes.ts'
import { bytes, type Context, type Queries } from './context.ts'
import { deleteEndedJobs } from './jobs.ts'
import { deleteTombstones } from './users.ts'

/** How long changes, tombstones and ended jobs are kept: a replica is not away for longer. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000

export async function installationSecret(db: Queries): Promise<Uint8Array> {
  const row = await db.selectFrom('installation').select('secret').executeTakeFirstOrThrow()
  return bytes(row.secret)
}

/**
 * Removes what only replicas that were away need: changes, tombstones, ended jobs, after 30 days.
 */
export async function prune(db: Queries, { now }: Context): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS)
  await deleteChanges(db, before)
  await deleteTombstones(db, before)
  await deleteEndedJobs(db, before)
}
