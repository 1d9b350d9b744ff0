/** What is learned from a crowd: the suite of both databases on PostgreSQL. */
import { after, describe } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { makeSchema, postgresAbsent } from '../helpers/postgres.ts'
import { crowdTests } from './crowd-tests.ts'

const skip = (await postgresAbsent()) ?? false

describe('PostgreSQL', { skip }, async () => {
  if (skip !== false) return
  const databaseUrl = await makeSchema((drop) => after(drop))
  crowdTests('in a schema', { dataDir: temporaryFolder(), databaseUrl })
})
