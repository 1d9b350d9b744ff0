/** Reads that may look through very many rows: on SQLite they run on a thread of their own. */
export { historyOf, historyReaches } from './history.ts'
export { counts, usersOf } from './user-list.ts'
