import assert from 'node:assert/strict'
import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { openDataFolder } from '../data-folder.ts'

describe('openDataFolder', () => {
  it('makes a folder for this user alone', async () => {
    const folder = join(temporaryFolder(), 'a', 'data')
    assert.equal(await openDataFolder(folder), undefined)
    assert.equal(await modeOf(folder), '700')
  })

  it('closes to others a folder of ours that is there, with all that is in it', async () => {
    const folder = temporaryFolder()
    for (const name of ['tamis.sqlite', 'tamis.sqlite-wal', 'tamis.sqlite-shm']) {
      await writeFile(join(folder, name), '')
    }
    await mkdir(join(folder, 'feeds', 'a'), { recursive: true })
    await writeFile(join(folder, 'feeds', 'a', 'b.feed'), '', { mode: 0o644 })
    await mkdir(join(folder, 'tmp'))
    await chmod(folder, 0o755)
    assert.equal(await openDataFolder(folder), undefined)
    assert.equal(await modeOf(folder), '700')
    for (const name of ['feeds', 'feeds/a', 'tmp']) {
      assert.equal(await modeOf(join(folder, name)), '700', name)
    }
    for (const name of ['tamis.sqlite', 'tamis.sqlite-wal', 'tamis.sqlite-shm', 'feeds/a/b.feed']) {
      assert.equal(await modeOf(join(folder, name)), '600', name)
    }
  })

  it('leaves a folder that holds other things as it is, closes what is ours there, and says so', async () => {
    const folder = temporaryFolder()
    await writeFile(join(folder, 'tamis.sqlite'), '', { mode: 0o644 })
    await writeFile(join(folder, 'photo.jpeg'), '', { mode: 0o644 })
    await chmod(folder, 0o755)
    assert.match(`${await openDataFolder(folder)}`, /is open to other users .* \(chmod 700\)/)
    assert.equal(await modeOf(folder), '755')
    assert.equal(await modeOf(join(folder, 'photo.jpeg')), '644')
    assert.equal(await modeOf(join(folder, 'tamis.sqlite')), '600')
    await chmod(folder, 0o700)
    assert.equal(await openDataFolder(folder), undefined)
  })

  it('follows no link out of the folder', async () => {
    const folder = temporaryFolder()
    const outside = join(temporaryFolder(), 'outside')
    await writeFile(outside, '', { mode: 0o644 })
    await symlink(outside, join(folder, 'tamis.sqlite'))
    assert.equal(await openDataFolder(folder), undefined)
    assert.equal(await modeOf(outside), '644')
  })
})

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}
