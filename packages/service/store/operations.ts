/**
 * Every operation on the database by its name. Each is one transaction, tells of what it changed,
 * and takes and gives what can go from thread to thread: data, dates, bytes.
 */
import { changesSince, latestChange } from './changes.ts'
import {
  activeCorrections,
  automaticRulesOf,
  correctionsInOrder,
  countCorrections,
  dropAutomaticRule,
  endCorrection,
  expireSome,
  recordCorrection,
} from './corrections.ts'
import { counts } from './counts.ts'
import type { Context, Queries } from './database.ts'
import { installationSecret, ping, prune } from './installation.ts'
import { enqueueJob, finishJob, jobById, renewJob, takeJob } from './jobs.ts'
import {
  addKey,
  addTenant,
  keyByHash,
  keysNeeded,
  keysOf,
  revokeKey,
  tenants,
  waiveKeys,
} from './keys.ts'
import {
  forgetModelsBefore,
  models,
  promote,
  promotedModel,
  reject,
  rollback,
  saveCandidate,
  savePromoted,
} from './models.ts'
import { addRule, removeRules, rulesOf } from './rules.ts'
import { deleteUser, tombstones, userProfile } from './users.ts'

export const READS = {
  activeCorrections,
  automaticRulesOf,
  changesSince,
  correctionsInOrder,
  countCorrections,
  counts,
  installationSecret,
  jobById,
  keyByHash,
  keysNeeded,
  keysOf,
  latestChange,
  models,
  ping,
  promotedModel,
  rulesOf,
  tenants,
  tombstones,
  userProfile,
}

export const WRITES = {
  addKey,
  addRule,
  addTenant,
  deleteUser,
  dropAutomaticRule,
  endCorrection,
  enqueueJob,
  expireSome,
  finishJob,
  forgetModelsBefore,
  promote,
  prune,
  recordCorrection,
  reject,
  removeRules,
  renewJob,
  revokeKey,
  rollback,
  saveCandidate,
  savePromoted,
  takeJob,
  waiveKeys,
}

export type Reads = typeof READS
export type Writes = typeof WRITES

/** An operation, whatever its arguments. */
export type Operation = (db: Queries, context: Context, ...args: never[]) => Promise<unknown>

/** What an operation takes beside database and context. */
export type Args<O extends Operation> = O extends (
  db: Queries,
  context: Context,
  ...args: infer A
) => unknown
  ? A
  : never

export type Result<O extends Operation> = Awaited<ReturnType<O>>
