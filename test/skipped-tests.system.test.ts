/** The reporter that names skipped suites, in a separate run over a file written here. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

const REPORTER = join(import.meta.dirname, '../scripts/skipped-tests.ts')

function report(t: TestContext, tests: string, environment: NodeJS.ProcessEnv = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tamis-skipped-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, 'a.test.ts'),
    `import { describe, it } from 'node:test'\n${tests}\nit('runs', () => {})\n`,
  )
  const { NODE_TEST_CONTEXT: _, TEST_SKIPS: __, ...inherited } = process.env
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--test', `--test-reporter=${REPORTER}`, 'a.test.ts'],
    { cwd: folder, env: { ...inherited, ...environment }, encoding: 'utf8' },
  )
  return { status, stdout }
}

const ABSENT = `describe('replicas', { skip: 'No PostgreSQL' }, () => { it('one', () => {}); it('two', () => {}) })`

const EXCUSED = `it('compresses', (t) => t.skip('this spamc is built without zlib, as in Debian 12'))`

describe('the reporter of skipped tests', () => {
  it('says nothing when nothing was skipped', (t) => {
    assert.deepEqual(report(t, ''), { status: 0, stdout: '' })
  })

  it('names a suite that did not run, with its reason', (t) => {
    assert.deepEqual(report(t, ABSENT), {
      status: 0,
      stdout: '\nSkipped:\n- a.test.ts: replicas: No PostgreSQL\n',
    })
  })

  it('fails the run where everything is installed', (t) => {
    const { status, stdout } = report(t, ABSENT, { TEST_SKIPS: 'fail' })
    assert.equal(status, 1)
    assert.match(
      stdout,
      /These may not be skipped here:\n- a\.test\.ts: replicas: No PostgreSQL\n$/,
    )
  })

  it('lets pass what cannot run on any machine of CI', (t) => {
    assert.equal(report(t, EXCUSED, { TEST_SKIPS: 'fail' }).status, 0)
  })
})
