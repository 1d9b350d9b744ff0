/** Learning after its process died in between. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { encodeDeltas, zeroDeltas } from '../../../mail/learning/deltas.ts'
import { emptyModels } from '../../../mail/learning/empty-models.ts'
import { SQLITE_FILE } from '../../store/open.ts'
import { openStoreHere } from '../helpers/store-here.ts'
import { build, ORDER, post } from './service.ts'

describe('learning', () => {
  it('goes on from a version that a process of an earlier release died before promoting', async (t) => {
    const dataDir = temporaryFolder()
    const store = await openStoreHere({ dataDir })
    const model = {
      tenant: 'default',
      baseVersion: 'any',
      deltas: encodeDeltas(zeroDeltas(emptyModels())),
      learnedToSeq: 0,
      metrics: {},
    }
    await store.saveModel(model, 'rejected')
    await store.close()
    const database = new DatabaseSync(join(dataDir, SQLITE_FILE))
    database.exec(`update model_versions set state = 'candidate'`)
    database.close()
    const { app } = await build(t, { config: { dataDir, learning: 'operator' } })
    const before = await scoreOf(app)
    // One message in sixteen is held out from learning; four are not.
    for (const i of [1, 2, 3, 4]) await correct(app, ORDER.replace('<4711@', `<${i}@`))
    await eventually(async () => (await scoreOf(app)) > before)
  })
})

async function scoreOf(app: FastifyInstance): Promise<number> {
  return (await post(app, '/classify-stream', ORDER)).json().textSpamScore
}

async function correct(app: FastifyInstance, message: string): Promise<void> {
  const headers = { 'x-user-id': 'the-leaver', 'x-is-spam': 'true' }
  assert.equal((await post(app, '/feedback-stream', message, headers)).statusCode, 200)
}
