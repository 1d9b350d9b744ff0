/** What a tenant has learned from a crowd: the suite of both databases on SQLite. */
import { crowdTests, makeFolder } from './crowd-tests.ts'

crowdTests('SQLite', { dataDir: makeFolder() })
