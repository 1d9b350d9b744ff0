/** What is learned from a crowd: the suite of both databases on SQLite. */
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { crowdTests } from './crowd-tests.ts'

crowdTests('SQLite', { dataDir: temporaryFolder() })
