import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { clearUnused, openCleared } from '../../admission/temporary-folder.ts'

describe('the folder of temporary files', () => {
  it('of a process is made, or cleared of what a crash left behind', async (t) => {
    const folder = await folderWith(t, ['1/left-behind.tamis.eml', '1/README'])
    await openCleared(join(folder, '1'))
    await openCleared(join(folder, '2'))
    assert.deepEqual(await readdir(folder), ['1', '2'])
    assert.deepEqual(await readdir(join(folder, '1')), ['README'])
  })

  it('of all is cleared of what was left by an earlier version and by more processes', async (t) => {
    const left = ['a.tamis.eml', 'README', '1/in-use.tamis.eml', '2/a.tamis.eml']
    const folder = await folderWith(t, [...left, '3/README'])
    await clearUnused(folder, 2)
    const there = (await readdir(folder, { recursive: true })).sort()
    assert.deepEqual(there, ['1', '1/in-use.tamis.eml', '3', '3/README', 'README'])
  })
})

async function folderWith(t: TestContext, files: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tamis-temporary-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const name of files) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), 'From: a@example.com')
  }
  return folder
}
