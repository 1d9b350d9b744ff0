/** What a crowd has taught a tenant: the suite of both databases on SQLite. */
import { crowdTests, makeFolder } from './crowd-tests.ts'

crowdTests('SQLite', { dataDir: makeFolder() })
