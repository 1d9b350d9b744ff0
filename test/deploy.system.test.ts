/** The systemd units in deploy/, as systemd reads them. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const DEPLOY = join(import.meta.dirname, '../deploy')

const noSystemd =
  spawnSync('systemd-analyze', ['--version']).status !== 0 && 'systemd-analyze is not installed'

const UNITS = ['tamis.socket', 'tamis.service']

describe('deploy/', () => {
  for (const name of UNITS) {
    it(`deploy/${name} is a unit that systemd takes`, { skip: noSystemd }, (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'tamis-unit-'))
      t.after(() => rmSync(folder, { recursive: true }))
      // The socket needs its service. Tamis stands elsewhere on machines that test, and its documents do.
      for (const each of UNITS) {
        const unit = readFileSync(join(DEPLOY, each), 'utf8')
          .replace(/(?<=^ExecStart=)\S+/m, process.execPath)
          .replace(/^Documentation=.*$/m, '')
        writeFileSync(join(folder, each), unit)
      }
      const verify = spawnSync('systemd-analyze', ['verify', join(folder, name)], {
        encoding: 'utf8',
      })
      assert.equal(verify.status, 0, verify.stderr)
      assert.equal(verify.stderr, '')
    })
  }
})
