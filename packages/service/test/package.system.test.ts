/** The package `tamis` as it is published: without the laboratory, and it runs by itself. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

const ROOT = join(import.meta.dirname, '../../..')

describe('the package tamis', () => {
  let folder = ''
  let files: readonly string[] = []
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tamis-package-'))
    const pack = ['pack', '--json', '--pack-destination', folder, '-w', 'packages/service']
    const output = execFileSync('npm', pack, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [{ filename, files: packed }] = JSON.parse(output.slice(output.indexOf('[\n')))
    files = packed.map(({ path }: { path: string }) => path)
    const modules = join(folder, 'node_modules')
    mkdirSync(join(modules, 'tamis'), { recursive: true })
    const into = join(modules, 'tamis')
    execFileSync('tar', ['xzf', join(folder, filename), '-C', into, '--strip-components=1'])
    symlinkSync(join(ROOT, 'node_modules'), join(into, 'node_modules'))
  })
  after(() => rmSync(folder, { recursive: true }))

  it('has the service, the console, the models and the licences', () => {
    for (const file of [
      'dist/service/start.js',
      'dist/console/dist/index.html',
      'artifacts/text/weights.bin',
      'LICENSE',
      'NOTICE',
    ]) {
      assert.ok(files.includes(file), file)
    }
  })

  it('has neither the laboratory nor tests nor TypeScript', () => {
    assert.deepEqual(
      files.filter((file) => /^dist\/lab\/|\/test\/|\.tsx?$/.test(file)),
      [],
    )
  })

  it('classifies', () => {
    const command = ['node_modules/tamis/dist/service/cli/tamis.js', 'classify', '--json']
    const examples = join(folder, 'node_modules/tamis/examples')
    const { stdout, status } = spawnSync(process.execPath, [...command, examples], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.equal(stdout.trimEnd().split('\n').length, 5)
    assert.equal(status, 1)
  })
})
