import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { openTemporaryFolder } from '../../admission/temporary-folder.ts'

describe('openTemporaryFolder', () => {
  it('gives each process a folder of its own, cleared of what a crash left behind', async (t) => {
    const folder = await folderWith(t, ['1/left-behind.tamis.eml', '1/README'])
    assert.equal(await openTemporaryFolder(folder, { index: 1, count: 2 }), join(folder, '1'))
    assert.deepEqual(await readdir(folder), ['1'])
    assert.deepEqual(await readdir(join(folder, '1')), ['README'])
  })

  it('leaves to the first process what was left by an earlier version and by more processes', async (t) => {
    const left = ['a.tamis.eml', 'README', '0/a.tamis.eml', '1/in-use.tamis.eml', '2/a.tamis.eml']
    const folder = await folderWith(t, [...left, '3/README'])
    await openTemporaryFolder(folder, { index: 0, count: 2 })
    const there = (await readdir(folder, { recursive: true })).sort()
    assert.deepEqual(there, ['0', '1', '1/in-use.tamis.eml', '3', '3/README', 'README'])
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
