/** The package `tamis` as it is published: without the laboratory, and it runs by itself. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import {
  ENVIRONMENT,
  type InstalledPackage,
  installPackage,
} from '../../../test/installed-package.ts'
import manifest from '../package.json' with { type: 'json' }

describe('the package tamis', () => {
  let installed: InstalledPackage
  before(() => {
    installed = installPackage('packages/service')
  })
  after(() => installed?.remove())

  function tamis(...args: readonly string[]) {
    const command = join(installed.folder, 'node_modules/.bin/tamis')
    return spawnSync(command, args, { cwd: installed.folder, env: ENVIRONMENT, encoding: 'utf8' })
  }

  it('has the service, the console, the models and the licences', () => {
    for (const file of [
      'dist/service/start.js',
      'dist/console/dist/index.html',
      'dist/encoder/open-encoder.js',
      'dist/service/encoder/encoder-in-thread.js',
      'artifacts/text/weights.bin',
      'artifacts/encoder/rows.bin',
      'LICENSE',
      'NOTICE',
    ]) {
      assert.ok(installed.files.includes(file), file)
    }
  })

  it('has neither the laboratory nor tests nor TypeScript', () => {
    assert.deepEqual(
      installed.files.filter((file) => /^dist\/lab\/|\/test\/|\.tsx?$/.test(file)),
      [],
    )
  })

  it('tells its version', () => {
    const { stdout, status } = tamis('--version')
    assert.equal(stdout, `${manifest.version}\n`)
    assert.equal(status, 0)
  })

  it('classifies', () => {
    const { stdout, status } = tamis('classify', '--json', 'node_modules/tamis/examples')
    assert.equal(stdout.trimEnd().split('\n').length, 5)
    assert.equal(status, 1)
  })
})
