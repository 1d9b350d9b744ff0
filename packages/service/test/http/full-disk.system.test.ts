/**
 * The disk of the data folder is full: a small file system of its own, filled up by the test. Only
 * root may mount one; packages/service/test/store/sqlite.test.ts has the same of the store alone, for everybody.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { buildOnce, ORDER, post } from './service.ts'

/** The database begins with some 200 KB. */
const DISK = '3m'

const BLOCK = Buffer.alloc(4_096)

/** Corrections after which the database has no room left in pages that it had already. */
const CORRECTIONS_MAX = 500

const BACK_MS = 10_000

const disk = mountDisk()

describe('a full disk', { skip: 'reason' in disk ? disk.reason : false }, () => {
  if ('reason' in disk) return
  const { folder } = disk
  const app = buildOnce({ config: { dataDir: folder, learning: 'off' } })
  let messages = 0

  const correct = (userId: string) => {
    const message = ORDER.replace('<4711@', `<${++messages}@`)
    return post(app(), '/feedback-stream', message, { 'x-user-id': userId, 'x-is-spam': 'true' })
  }
  const memoryOf = async (userId: string): Promise<string[]> => {
    const response = await app().inject(`/personalization/memory?userId=${userId}`)
    return response.json().items.map((item: { feedbackId: string }) => item.feedbackId)
  }
  const classify = async (userId: string) => {
    const response = await post(app(), '/classify-stream', ORDER, { 'x-user-id': userId })
    assert.equal(response.statusCode, 200)
    return response.json()
  }

  it('refuses corrections, keeps what it has acknowledged, and judges mail all the same', async () => {
    const acknowledged = [(await correct('ann')).json().feedbackId]
    fillUp(folder)
    for (let i = 0; ; i++) {
      assert.ok(i < CORRECTIONS_MAX, 'the disk was never full')
      const response = await correct('ann')
      if (response.statusCode === 503) {
        assert.equal(response.json().code, 'STORE_UNAVAILABLE')
        break
      }
      assert.equal(response.statusCode, 200)
      acknowledged.push(response.json().feedbackId)
    }
    assert.deepEqual((await memoryOf('ann')).toSorted(), acknowledged.toSorted())
    assert.equal((await classify('ann')).bypassReason, 'user_rule')
    assert.equal((await classify('nobody')).bypassReason, null)
  })

  it('refuses rules and deletions too, and does nothing by halves', async () => {
    const before = await memoryOf('ann')
    const payload = { userId: 'ann' }
    const rule = { ...payload, ruleType: 'Sender', label: 'ham', pattern: 'bo@example.org' }
    const answers = [
      await app().inject({ method: 'DELETE', url: '/personalization/data', payload }),
      await app().inject({ method: 'POST', url: '/personalization/rules', payload: rule }),
    ]
    for (const answer of answers) {
      assert.equal(answer.statusCode, 503)
      assert.equal(answer.json().code, 'STORE_UNAVAILABLE')
    }
    const { rules } = (await app().inject('/personalization/rules?userId=ann')).json()
    assert.ok(rules.every(({ source }: { source: string }) => source === 'correction'))
    assert.deepEqual(await memoryOf('ann'), before)
  })

  it('takes corrections again when there is room, without a restart', async () => {
    const before = await memoryOf('ann')
    rmSync(join(folder, 'filler'))
    await eventually(
      async () => (await correct('bob')).statusCode === 200,
      'It stays refused',
      BACK_MS,
    )
    assert.equal((await memoryOf('bob')).length, 1)
    assert.deepEqual(await memoryOf('ann'), before)
    assert.equal((await classify('bob')).bypassReason, 'user_rule')
  })
})

/** A folder that is a disk of its own, until the tests of the file are through. */
function mountDisk(): { readonly folder: string } | { readonly reason: string } {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    return { reason: `No disk can be mounted here: ${(error as Error).message}` }
  }
  after(() => {
    execFileSync('umount', ['--lazy', folder])
  })
  return { folder }
}

/** Leaves not a block. */
function fillUp(folder: string): void {
  const file = openSync(join(folder, 'filler'), 'w')
  try {
    for (;;) writeSync(file, BLOCK)
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  } finally {
    closeSync(file)
  }
}
