/** The client as it is published: compiled, found by the package's name, typed. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type InstalledPackage, installPackage } from '../../../test/installed-package.ts'

const ROOT = join(import.meta.dirname, '../../..')

const TSC = join(ROOT, 'node_modules/.bin/tsc')

let installed: InstalledPackage
let project = ''
before(() => {
  installed = installPackage('packages/client')
  project = installed.folder
  // What programs for Node have: the client itself asks for nothing.
  for (const dependency of ['@types', 'undici-types']) {
    symlinkSync(join(ROOT, 'node_modules', dependency), join(project, 'node_modules', dependency))
  }
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ ...manifest, type: 'module' }))
})
after(() => installed?.remove())

function compile(program: string) {
  writeFileSync(join(project, 'program.ts'), program)
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node']
  return spawnSync(TSC, [...options, 'program.ts'], { cwd: project, encoding: 'utf8' })
}

describe('tamis-client', () => {
  it('has what a package should have beside its code', () => {
    const texts = installed.files.filter((file) => !file.startsWith('dist/'))
    assert.deepEqual(texts.toSorted(), ['LICENSE', 'README.md', 'package.json'])
    const fileOf = (name: string) =>
      readFileSync(join(project, 'node_modules/tamis-client', name), 'utf8')
    assert.equal(fileOf('LICENSE'), readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
  })

  it('gives types to a program that uses it, which then runs', () => {
    const program = `
      import { TamisClient, TamisClientError, type FullResult } from 'tamis-client'
      const tamis = new TamisClient({ url: 'http://127.0.0.1:9' })
      const judge = async (message: Uint8Array): Promise<FullResult['bypassReason']> =>
        (await tamis.message('/classify-stream', message, { userId: 'ann' })).bypassReason
      try {
        await judge(new Uint8Array())
      } catch (error) {
        if (error instanceof TamisClientError) console.log(error.code satisfies string)
      }`
    const { stdout, status } = compile(program)
    assert.equal(status, 0, stdout)
    const ran = execFileSync(process.execPath, [join(project, 'program.js')], { encoding: 'utf8' })
    assert.equal(ran, 'UNREACHABLE\n')
  })

  it('refuses a label and a field that there are not, and a correction without a user', () => {
    const { stdout } = compile(`
      import { TamisClient } from 'tamis-client'
      const tamis = new TamisClient({ url: 'http://127.0.0.1:9' })
      const rule = { userId: 'a', ruleType: 'Sender', pattern: 'b.example' } as const
      tamis.post('/personalization/rules', { body: { ...rule, label: 'junk' } })
      ;(await tamis.message('/classify-stream', new Uint8Array())).spam
      tamis.message('/feedback-stream', new Uint8Array(), { isSpam: true })`)
    const lines = [...stdout.matchAll(/^program\.ts\((\d+),/gm)].map((match) => Number(match[1]))
    assert.deepEqual(lines, [5, 6, 7])
  })
})
