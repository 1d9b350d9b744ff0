/** What a person sees who starts Tamis with an older Node, or before `npm ci`: one line, and EX_CONFIG. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '../../..')

const PREREQUISITES = 'packages/terminal/prerequisites.js'

/** Has Node say that it is `version`. */
const asNode = (version: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'${version}'}})`,
]

function run(args: readonly string[], cwd = ROOT) {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
}

describe('an older Node', () => {
  for (const entry of ['service/start.ts', 'service/cli/tamis.ts', 'lab/cli/tamis-lab.ts']) {
    it(`is told by ${entry} what Tamis needs`, () => {
      const { stdout, stderr, status } = run([...asNode('22.19.0'), `packages/${entry}`])
      assert.match(stderr, /^tamis: Tamis needs Node 24\.19 .* this is Node 22\.19\.0\. .*`npm ci`/)
      assert.deepEqual([stdout, status], ['', 78])
    })
  }

  it('is one below 24.19, of 25, or below 26.4', () => {
    const statuses = ['18.20.4', '24.18.0', '24.19.0', '25.9.0', '26.3.0', '26.4.0', '27.0.0'].map(
      (version) => run([...asNode(version), PREREQUISITES]).status,
    )
    assert.deepEqual(statuses, [78, 78, 0, 78, 78, 0, 0])
  })
})

describe('a clone without libraries', () => {
  const folder = temporaryFolder()

  it('is told to run npm ci', () => {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    copyFileSync(join(ROOT, PREREQUISITES), join(folder, 'prerequisites.js'))
    const { stderr, status } = run(['prerequisites.js'], folder)
    assert.match(stderr, /^tamis: The libraries of Tamis are not installed\. .*`npm ci`.*\n$/)
    assert.equal(status, 78)
  })
})
