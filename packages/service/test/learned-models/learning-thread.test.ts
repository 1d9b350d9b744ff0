import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import type { Canary } from '../../../mail/models/canary.ts'
import { LearningThread } from '../../learned-models/learning-thread.ts'

describe('what is being learned for a user when other models come', () => {
  it('is dropped without an error', async () => {
    const thread = new LearningThread(await readModels(), {} as Canary)
    const learning = thread.personal([])
    await thread.close()
    assert.equal(await learning, undefined)
  })
})
