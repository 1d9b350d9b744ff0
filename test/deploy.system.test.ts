/** The systemd unit in deploy/, as systemd reads it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const UNIT = join(import.meta.dirname, '../deploy/tamis.service')

const noSystemd =
  spawnSync('systemd-analyze', ['--version']).status !== 0 && 'systemd-analyze is not installed'

describe('deploy/', () => {
  it('deploy/tamis.service is a unit that systemd takes', { skip: noSystemd }, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tamis-unit-'))
    t.after(() => rmSync(folder, { recursive: true }))
    // Tamis stands elsewhere on machines that test.
    const unit = join(folder, 'tamis.service')
    writeFileSync(
      unit,
      readFileSync(UNIT, 'utf8').replace(/(?<=^ExecStart=)\S+/m, process.execPath),
    )
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  })
})
