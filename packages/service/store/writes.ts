/**
 * Writes: plain functions, each in a transaction. They run one after another, over all replicas, so that what they number is
 * numbered in the order of commits.
 */
export * from './writes/corrections.ts'
export * from './writes/correspondents.ts'
export * from './writes/history.ts'
export * from './writes/jobs.ts'
export * from './writes/keys.ts'
export * from './writes/models.ts'
export * from './writes/prune.ts'
export * from './writes/rules.ts'
export * from './writes/users.ts'
