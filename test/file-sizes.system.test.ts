/** The repository stays small enough to clone and to push. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

const MB = 1_000_000

it('tracks no file above 1 MB outside artifacts/, and none above 60 MB', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  const large = tracked.split('\0').filter((path) => {
    const { size = 0 } = statSync(join(ROOT, path), { throwIfNoEntry: false }) ?? {}
    return path !== '' && size > (path.startsWith('artifacts/') ? 60 : 1) * MB
  })
  assert.deepEqual(large, [])
})
