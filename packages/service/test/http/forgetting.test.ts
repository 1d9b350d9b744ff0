/** Forgetting from end to end: the suite of both databases on SQLite. */
import { describe } from 'node:test'
import { forgettingTests, makeFolder } from './forgetting-tests.ts'

describe('forgetting a user', () => {
  forgettingTests('SQLite', { dataDir: makeFolder() }, 'operator')
})
