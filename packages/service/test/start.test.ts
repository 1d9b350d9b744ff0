import assert from 'node:assert/strict'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { cacheFolder } from '../start.ts'

describe('cacheFolder', () => {
  it('is in the data folder, made with it for this user alone', async (t) => {
    const folder = join(await temporaryFolder(t), 'data')
    assert.equal(cacheFolder({ TAMIS_DATA_DIR: folder }), join(folder, 'cache'))
    for (const path of [folder, join(folder, 'cache')]) {
      assert.equal((await stat(path)).mode & 0o777, 0o700)
    }
  })

  it('is none where others may write, since what is kept there is run', async (t) => {
    const folder = await temporaryFolder(t)
    await mkdir(join(folder, 'cache'))
    for (const [mode, cacheMode] of [
      [0o777, 0o700],
      [0o720, 0o700],
      [0o700, 0o777],
      [0o700, 0o770],
    ] as const) {
      await chmod(folder, mode)
      await chmod(join(folder, 'cache'), cacheMode)
      assert.equal(cacheFolder({ TAMIS_DATA_DIR: folder }), undefined)
    }
    await chmod(join(folder, 'cache'), 0o700)
    assert.equal(cacheFolder({ TAMIS_DATA_DIR: folder }), join(folder, 'cache'))
  })

  it('is none, and nothing is made, in a folder of another user', async (t) => {
    if (process.getuid?.() !== 0) return t.skip('Only root can make a folder of another user')
    const folder = await temporaryFolder(t)
    await chown(folder, 65_534, 65_534)
    assert.equal(cacheFolder({ TAMIS_DATA_DIR: folder }), undefined)
    assert.deepEqual(await readdir(folder), [])
  })
})

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tamis-start-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}
