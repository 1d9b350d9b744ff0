import assert from 'node:assert/strict'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
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

  it('closes to others a folder of ours that is there', async () => {
    const folder = temporaryFolder()
    for (const name of ['tamis.sqlite', 'tamis.sqlite-wal']) await writeFile(join(folder, name), '')
    await mkdir(join(folder, 'feeds'))
    await chmod(folder, 0o755)
    assert.equal(await openDataFolder(folder), undefined)
    assert.equal(await modeOf(folder), '700')
  })

  it('leaves a folder that holds other things as it is, and says so', async () => {
    const folder = temporaryFolder()
    await writeFile(join(folder, 'photo.jpeg'), '', { mode: 0o644 })
    await chmod(folder, 0o755)
    assert.match(`${await openDataFolder(folder)}`, /is open to other users .* \(chmod 700\)/)
    assert.equal(await modeOf(folder), '755')
    await chmod(folder, 0o700)
    assert.equal(await openDataFolder(folder), undefined)
  })
})

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}
