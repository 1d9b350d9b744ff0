/** Reads that may look through very many rows: on SQLite they run on a thread of their own. */
export * from './long-reads/counts.ts'
export * from './long-reads/history.ts'
export * from './long-reads/users.ts'
