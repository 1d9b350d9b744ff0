/** Forgetting from end to end: the suite of both databases on PostgreSQL. */
import { after, describe } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { makeSchema, postgresAbsent } from '../helpers/postgres.ts'
import { forgettingTests } from './forgetting-tests.ts'

const skip = (await postgresAbsent()) ?? false

describe('forgetting a user, PostgreSQL', { skip }, async () => {
  if (skip !== false) return
  const databaseUrl = await makeSchema((drop) => after(drop))
  forgettingTests('in a schema', { dataDir: temporaryFolder(), databaseUrl }, 'operator')
})
