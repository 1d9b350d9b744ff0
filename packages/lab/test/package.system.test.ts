/** The package `tamis-lab` as it is packed: it trains from the written mail that comes with it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import {
  ENVIRONMENT,
  type InstalledPackage,
  installPackage,
} from '../../../test/installed-package.ts'

describe('the package tamis-lab', () => {
  let installed: InstalledPackage
  before(() => {
    installed = installPackage('packages/lab')
  })
  after(() => installed?.remove())

  it('has neither the service nor tests nor TypeScript', () => {
    assert.deepEqual(
      installed.files.filter((file) => /^dist\/service\/|\/test\/|\.tsx?$/.test(file)),
      [],
    )
  })

  it('trains models from mail that comes with it', () => {
    const { folder } = installed
    const from = join(folder, 'node_modules/tamis-lab/dist/lab/data/written')
    for (const file of readdirSync(from).slice(0, 2)) {
      cpSync(join(from, file), join(folder, 'corpora/written', file), { recursive: true })
    }
    const { status, stderr } = spawnSync(
      join(folder, 'node_modules/.bin/tamis-lab'),
      ['train', '--corpora', 'corpora', '--out', 'out'],
      { cwd: folder, env: ENVIRONMENT, encoding: 'utf8' },
    )
    assert.equal(status, 0, stderr)
    assert.deepEqual(readdirSync(join(folder, 'out')).toSorted(), [
      'fusion',
      'meta',
      'tabs',
      'text',
    ])
  })
})
