/** Forgetting from end to end: the suite of both databases on SQLite. */
import { describe } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { forgettingTests } from './forgetting-tests.ts'

describe('forgetting a user', () => {
  forgettingTests('SQLite', { dataDir: temporaryFolder() }, 'operator')
})
