/**
 * The table of operations on the database. A new one is its function, in the file of its topic, and
 * a line here; the store (store.ts) offers it under its name.
 *
 * An operation is one transaction, tells of what it changed, and takes and gives what can go from
 * thread to thread: data, dates, bytes. The table holds names and no functions (those are in
 * run-operation.ts), because on SQLite they run on threads of their own: the thread that answers
 * HTTP need not load them, nor Kysely, which takes 20 MB and a sixth of a second.
 */
import type * as changes from './changes.ts'
import type { Context, Queries } from './context.ts'
import type * as corrections from './corrections.ts'
import type * as correspondents from './correspondents.ts'
import type * as counts from './counts.ts'
import type * as history from './history.ts'
import type * as installation from './installation.ts'
import type * as jobs from './jobs.ts'
import type * as keys from './keys.ts'
import type * as models from './models.ts'
import type * as operatorRules from './operator-rules.ts'
import type * as rules from './rules.ts'
import type * as userList from './user-list.ts'
import type * as users from './users.ts'

/** All that the files of operations export. */
export type Functions = typeof changes &
  typeof corrections &
  typeof correspondents &
  typeof counts &
  typeof history &
  typeof installation &
  typeof jobs &
  typeof keys &
  typeof models &
  typeof operatorRules &
  typeof rules &
  typeof userList &
  typeof users

/** `read` changes nothing. */
type Access = 'read' | 'write'

export const OPERATIONS = {
  addKey: 'write',
  keyByHash: 'read',
  keysNeeded: 'read',
  keys: 'read',
  revokeKey: 'write',
  waiveKeys: 'write',

  addRule: 'write',
  removeRules: 'write',
  rulesOf: 'read',

  operatorRules: 'read',
  setOperatorRules: 'write',

  activeCorrections: 'read',
  correctedFeatures: 'read',
  automaticRulesOf: 'read',
  correctionsInOrder: 'read',
  standingOf: 'read',
  counts: 'read',
  dropAutomaticRule: 'write',
  endCorrection: 'write',
  expireSome: 'write',
  forgetSomeSubjects: 'write',
  recordCorrection: 'write',
  userOfCorrection: 'read',
  withdrawCorrection: 'write',

  addCorrespondents: 'write',
  correspondentKeys: 'read',
  correspondentsOf: 'read',
  expireSomeCorrespondents: 'write',
  learnCorrespondents: 'write',
  removeCorrespondents: 'write',

  deleteRowsOfUser: 'write',
  userProfile: 'read',
  usersOf: 'read',

  addHistory: 'write',
  deleteSomeHistory: 'write',
  expireSomeHistory: 'write',
  historyOf: 'read',
  historyReaches: 'read',

  finishJob: 'write',
  jobById: 'read',
  learningState: 'read',
  releaseJob: 'write',
  renewJob: 'write',
  takeJob: 'write',
  takeLearning: 'write',
  queueLearning: 'write',

  forgetModelsBefore: 'write',
  models: 'read',
  promote: 'write',
  saveLearned: 'write',
  promotedModel: 'read',
  rollback: 'write',
  saveModel: 'write',

  changesSince: 'read',
  latestChange: 'read',

  installationSecret: 'read',
  prune: 'write',
} as const satisfies Partial<Record<keyof Functions, Access>>

export type OperationName = keyof typeof OPERATIONS

/** Operations as the store offers them: without database and context, which it gives. */
export type Calls = { readonly [Name in OperationName]: Call<Functions[Name]> }

type Call<Run> = Run extends (db: Queries, context: Context, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : never
