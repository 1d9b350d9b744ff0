/** Reads that may look through very many rows: on SQLite they run on a thread of their own. */
export { correspondentsOf } from './correspondents.ts'
export { historyOf, historyReaches } from './history.ts'
export { counts, usersOf } from './user-list.ts'
