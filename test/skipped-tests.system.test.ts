/** The reporter that names skipped tests. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { temporaryFolder } from './temporary-folder.ts'

const REPORTER = join(import.meta.dirname, '../scripts/skipped-tests.ts')

it('a skipped suite is named with its reason, and fails the run under TEST_SKIPS=fail', () => {
  const cwd = temporaryFolder()
  const suite = `require('node:test').describe('replicas', { skip: 'No PostgreSQL' }, () => {})`
  writeFileSync(join(cwd, 'a.test.cjs'), suite)
  const { NODE_TEST_CONTEXT: _, TEST_SKIPS: __, ...inherited } = process.env
  const run = (environment: NodeJS.ProcessEnv) => {
    const env = { ...inherited, ...environment }
    const options = ['--test', `--test-reporter=${REPORTER}`, 'a.test.cjs']
    const { status, stdout } = spawnSync(process.execPath, options, { cwd, env, encoding: 'utf8' })
    return { status, stdout }
  }
  const stdout = '\nSkipped:\n- a.test.cjs: replicas: No PostgreSQL\n'
  assert.deepEqual(run({}), { status: 0, stdout })
  assert.deepEqual(run({ TEST_SKIPS: 'fail' }), { status: 1, stdout })
})
