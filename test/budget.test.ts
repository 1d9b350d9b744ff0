/** How large the repository may be: each package in lines of source (tests, data, reports and generated code apart), and files in bytes. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { tamisProgram } from '../packages/service/cli/program.ts'
import { SETTINGS } from '../packages/service/config.ts'

const ROOT = join(import.meta.dirname, '..')

/**
 * A package that outgrows its budget gives something up, or the budget is raised in a commit that says why. They are what the
 * packages have, rounded up; docs/decisions/0023-size.md has the targets.
 */
const LINES_MAX: Readonly<Record<string, number>> = {
  mail: 23_600,
  service: 25_300,
  lab: 9_600,
  console: 4_200,
  client: 480,
  encoder: 520,
}

describe('lines of source', () => {
  for (const [name, max] of Object.entries(LINES_MAX)) {
    it(`of ${name} are at most ${max}`, () => {
      const lines = sourceOf(name).map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
      const sum = lines.reduce((total, each) => total + each, 0)
      assert.ok(sum <= max, `${name} has ${sum} lines`)
    })
  }
})

function sourceOf(name: string): string[] {
  const folder = join(ROOT, 'packages', name)
  return globSync('**/*.{ts,tsx,js,css,py}', { cwd: folder })
    .filter((file) => !/(^|\/)(test|data|reports|dist|node_modules)\//.test(file))
    .filter((file) => !(name === 'client' && file === 'api.ts'))
    .map((file) => join(folder, file))
}

const MB = 1_000_000

describe('tracked files', () => {
  it('are at most 1 MB, in artifacts/ 60 MB', () => {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
    const large = tracked.split('\0').filter((path) => {
      const { size = 0 } = statSync(join(ROOT, path), { throwIfNoEntry: false }) ?? {}
      return path !== '' && size > (path.startsWith('artifacts/') ? 60 : 1) * MB
    })
    assert.deepEqual(large, [])
  })
})

describe('what an operator has to know', () => {
  it('is at most 31 settings and 12 commands', async () => {
    assert.ok(Object.keys(SETTINGS).length <= 31)
    assert.ok((await tamisProgram()).commands.length <= 12)
  })
})
