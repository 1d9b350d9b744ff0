import type { Tx } from '../changes.ts'

/** How long changes, tombstones and ended jobs are kept: a replica is not away for longer. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000

/** Removes what only replicas that were away need: changes, tombstones, ended jobs, after 30 days. */
export async function prune({ db, now }: Tx): Promise<void> {
  const before = now.getTime() - KEPT_MS
  await db.deleteFrom('changes').where('created_at', '<', before).execute()
  await db.deleteFrom('tombstones').where('deleted_at', '<', before).execute()
  await db.deleteFrom('jobs').where('finished_at', '<', before).execute()
}
