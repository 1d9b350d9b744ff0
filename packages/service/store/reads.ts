/**
 * Reads: plain functions on a connection, which the store gives (`Store`). On SQLite they run on the calling thread, so none may
 * take more than some milliseconds at a stretch; see long-reads.ts.
 */
export * from './reads/correspondents.ts'
export * from './reads/keys.ts'
export * from './reads/log.ts'
export * from './reads/users.ts'
